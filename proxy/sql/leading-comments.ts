/** What the comments before a statement tell the proxy. */

/** Longer ones are somebody's prose. */
const MAX_BYTES = 4096;
const comment = /\/\*(.*?)\*\//gs;
const prefix = /\s*(?:odp:)?/iy;
/** One of a comment's settings, `name = value`, `name = 'value'` or a bare `name`, and what parts it from the next. */
const setting = /\s*([\w.]+)\s*(?:=\s*(?:'([^']*)'|([^\s,']*)))?\s*(,|$)/y;

/**
 * Value of `target_db_server` in the comments that stand before the first token, as in
 * `/* target_db_server='ip:port,ip:port;ip:port', trace_id=7 *\/ SELECT …`; the last one counts. Null: none names it. A
 * comment that isn't such a list up to that name means nothing.
 * @param end where the first token begins
 */
export function targetServersBefore(text: Buffer, end: number): string | null {
  if (end > MAX_BYTES) return null;
  const head = text.toString('latin1', 0, end);
  if (!/target_db_server/i.test(head)) return null;
  let found: string | null = null;
  for (const [, content = ''] of head.matchAll(comment)) found = targetServersIn(content) ?? found;
  return found;
}

function targetServersIn(content: string): string | null {
  prefix.lastIndex = 0;
  setting.lastIndex = prefix.exec(content)?.[0].length ?? 0;
  let found: string | null = null;
  for (let next = setting.exec(content); next !== null; next = setting.exec(content)) {
    const [, name = '', quoted, bare, separator] = next;
    const value = quoted ?? bare ?? '';
    if (name.toLowerCase() === 'target_db_server' && value !== '') found = value;
    if (separator === '') break;
  }
  return found;
}
