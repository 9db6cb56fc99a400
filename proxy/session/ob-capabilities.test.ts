import { describe, expect, it } from 'vitest';
import { ConfigView } from '../config/config-view.ts';
import { OB_CAPABILITY } from '../wire/constants.ts';
import { agreedFeatures, agreedFraming, type OfferedFeatures, offeredFeatures } from './ob-capabilities.ts';

const offered = (parameters: Readonly<Record<string, string>> = {}) => offeredFeatures(new ConfigView(parameters), 1);
const framing = (offer: OfferedFeatures, answer: string) =>
  agreedFraming(agreedFeatures(offer, answer), offer.level, 7);
const everything = String((1n << 24n) - 1n);

describe('OceanBase features', () => {
  it('are those of protocol 2.0 by default, without compression', () => {
    const { bits, level } = offered();
    expect(bits & OB_CAPABILITY.OB_PROTOCOL_V2).not.toBe(0n);
    expect(bits & OB_CAPABILITY.OB_PROTOCOL_V2_COMPRESS).toBe(0n);
    expect(level).toBe(0);
    expect(framing(offered(), everything)).toEqual({ connectionId: 7, isNewExtraInfo: true, level: 0 });
  });

  it('C19 case B80 make clients’ ids known to servers where these can be told apart', () => {
    const config = new ConfigView({});
    const bits = (version: number) => offeredFeatures(config, version).bits & OB_CAPABILITY.ENABLE_CLIENT_SESSION_ID_V2;
    expect([bits(1), bits(2)]).toEqual([0n, OB_CAPABILITY.ENABLE_CLIENT_SESSION_ID_V2]);
  });

  it('leave with enable_ob_protocol_v2 all those out that need it', () => {
    const { bits } = offered({ enable_ob_protocol_v2: 'False', compression_algorithm: 'zlib:6' });
    const needV2 = OB_CAPABILITY.OB_PROTOCOL_V2 | OB_CAPABILITY.PROXY_SESSION_SYNC | OB_CAPABILITY.PROXY_NEW_EXTRA_INFO;
    expect(bits & (needV2 | OB_CAPABILITY.OB_PROTOCOL_V2_COMPRESS)).toBe(0n);
    expect(framing(offered({ enable_ob_protocol_v2: 'False' }), everything)).toBeNull();
  });

  it.each([
    ['', 0],
    ['zlib:0', 0],
    ['zlib:1', 1],
    ['ZLIB:9', 9],
    [' zlib : 3 ', 3],
    ['zstd:3', 0],
  ])('compress with %j at level %i', (compression_algorithm, level) => {
    expect(framing(offered({ compression_algorithm }), everything)?.level).toBe(level);
  });

  it('are what both sides know: a server may know the protocol, but neither compression nor the new extra information', () => {
    const answer = String(OB_CAPABILITY.OB_PROTOCOL_V2);
    const agreed = framing(offered({ compression_algorithm: 'zlib:6' }), answer);
    expect(agreed).toEqual({ connectionId: 7, isNewExtraInfo: false, level: 0 });
    expect(framing(offered(), '0')).toBeNull();
    expect(framing(offered(), 'odd')).toBeNull();
  });
});
