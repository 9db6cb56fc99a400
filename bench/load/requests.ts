/** What the clients of a load ask again and again. The stub answers each with one row. */
import { COM } from '../../proxy/wire/constants.ts';
import { framePackets } from '../../proxy/wire/writer.ts';

/** Below 64 KiB, up to which the proxy looks at a statement as a whole. */
const LONG_TEXT_BYTES = 60 * 1024;

const frame = (sql: string): Buffer => framePackets(Buffer.concat([Buffer.of(COM.QUERY), Buffer.from(sql)]), 0);

/** A list of keys of some 60 KiB: longer than what is remembered of texts, so that it is read anew each time. */
function longText(): string {
  let keys = '1000001';
  for (let key = 1_000_002; keys.length < LONG_TEXT_BYTES; key += 1) keys += `,${key}`;
  return `SELECT c FROM sbtest1 WHERE id IN (${keys})`;
}

export const requests = {
  /** As short as an application's statement can be. */
  'point select': frame('SELECT c FROM sbtest1 WHERE id=1'),
  /** The proxy has far more to do with it than those at its sides. */
  'text of 60 KiB': frame(longText()),
} as const;

export type RequestName = keyof typeof requests;
export const requestNames = Object.keys(requests) as RequestName[];
