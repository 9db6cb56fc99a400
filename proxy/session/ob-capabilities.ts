/** Which OceanBase features a server session is offered, and what comes of the server's answer (reference protocol page §1.4). */
import { compressionLevel } from '../config/compression-algorithm.ts';
import type { ConfigView } from '../config/config-view.ts';
import { OB_CAPABILITY } from '../wire/constants.ts';
import type { FramingOptions } from './server-framing.ts';

/** Those that belong to the plain protocol. */
const PLAIN =
  OB_CAPABILITY.PARTITION_TABLE |
  OB_CAPABILITY.CHANGE_USER |
  OB_CAPABILITY.READ_WEAK |
  OB_CAPABILITY.SAFE_WEAK_READ |
  OB_CAPABILITY.EXTRA_OK_PACKET_FOR_STATISTICS |
  OB_CAPABILITY.PL_ROUTE |
  OB_CAPABILITY.PROXY_READ_STALE_FEEDBACK |
  OB_CAPABILITY.LOCAL_FILES;

/**
 * Those that need protocol 2.0. System variables stay with the OK packets' report and SET (C11): as blocks they would
 * come twice, and whole with every change.
 */
const FRAMED =
  OB_CAPABILITY.OB_PROTOCOL_V2 |
  OB_CAPABILITY.PROXY_SESSION_SYNC |
  OB_CAPABILITY.PROXY_NEW_EXTRA_INFO |
  OB_CAPABILITY.SERVER_DUP_SESS_INFO_SYNC;

/** `OB_CAPABILITY` bits offered with a log-in, and zlib's level if it comes to compressed frames. */
export interface OfferedFeatures {
  readonly bits: bigint;
  readonly level: number;
}

/**
 * What the configuration says now: sessions that are logged in keep what they have.
 * @param idVersion layout of the client session's id, see `session-ids.ts`
 */
export function offeredFeatures(config: ConfigView, idVersion: number): OfferedFeatures {
  const plain = PLAIN | (idVersion === 2 ? OB_CAPABILITY.ENABLE_CLIENT_SESSION_ID_V2 : 0n);
  if (!config.bool('enable_ob_protocol_v2')) return { bits: plain, level: 0 };
  const level = compressionLevel(config.text('compression_algorithm')) ?? 0;
  return { bits: plain | FRAMED | (level > 0 ? OB_CAPABILITY.OB_PROTOCOL_V2_COMPRESS : 0n), level };
}

/** What both sides know. @param answer the server's `ob_capability_flag` */
export const agreedFeatures = (offered: OfferedFeatures, answer: string): bigint =>
  /^\d+$/.test(answer) ? offered.bits & BigInt(answer) : 0n;

/**
 * Protocol 2.0 as both sides know it, or null for the plain one.
 * @param agreed see `agreedFeatures`
 * @param level zlib's, if it comes to compressed frames
 */
export function agreedFraming(agreed: bigint, level: number, connectionId: number): FramingOptions | null {
  if (!(agreed & OB_CAPABILITY.OB_PROTOCOL_V2)) return null;
  return {
    connectionId,
    isNewExtraInfo: (agreed & OB_CAPABILITY.PROXY_NEW_EXTRA_INFO) !== 0n,
    level: agreed & OB_CAPABILITY.OB_PROTOCOL_V2_COMPRESS ? level : 0,
  };
}
