import { describe, expect, it } from 'vitest';
import { ConfigView } from './config-view.ts';
import { isInNetworks } from './networks.ts';
import { findParameter } from './parameter-table.ts';
import { textToKeep } from './special-items.ts';

const NAME = 'proxy_protocol_networks';

describe('a list of networks', () => {
  it('case B12 holds addresses and networks of both families', () => {
    const config = new ConfigView({ [NAME]: '10.1.0.0/16; 192.0.2.7 ;fd00::/8;::1' });
    const inside = ['10.1.2.3', '192.0.2.7', 'fd12::9', '::1', '::ffff:10.1.2.3'];
    for (const host of inside) expect(isInNetworks(config.list(NAME), host), host).toBe(true);
    const outside = ['10.2.0.1', '192.0.2.8', 'fe80::1', '', 'localhost'];
    for (const host of outside) expect(isInNetworks(config.list(NAME), host), host).toBe(false);
    expect(isInNetworks(new ConfigView({}).list(NAME), '10.1.2.3')).toBe(false);
  });

  it('case B12 follows a change', () => {
    const config = new ConfigView({ [NAME]: '10.1.0.0/16' });
    expect(isInNetworks(config.list(NAME), '10.1.2.3')).toBe(true);
    config.apply(NAME, '');
    expect(isInNetworks(config.list(NAME), '10.1.2.3')).toBe(false);
  });

  it.each(['lb1', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/9', 'fd00::/129', 'fe80::1%eth0', '10.0.0.1,10.0.0.2'])(
    'case B12 a change to %j is refused with the entry',
    (entry) => {
      const spec = findParameter(NAME);
      if (spec === undefined) throw new Error(`no parameter ${NAME}`);
      expect(textToKeep(spec, '10.0.0.1; fd00::/8', 'running')).toBe('10.0.0.1; fd00::/8');
      expect(() => textToKeep(spec, `10.0.0.1;${entry}`, 'running')).toThrow(
        expect.objectContaining({ code: 'INVALID_PARAMETER', message: expect.stringContaining(`'${entry}'`) }),
      );
    },
  );
});
