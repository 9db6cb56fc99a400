/** Building the few SELECTs that the proxy itself sends. */

/** Reads may come from any replica: metadata must be had while a leader is away (reference proxy, all internal SQL). */
export const WEAK_READ = '/*+READ_CONSISTENCY(WEAK)*/';

/** OceanBase cuts virtual-table results at a default limit; the reference proxy asks for all of them in this way. */
export const ALL_ROWS = 'LIMIT 9223372036854775807';

/**
 * A quoted string literal for any name a client may have sent. Quotes and backslashes are doubled, so that the literal
 * cannot end early in either sql_mode (with NO_BACKSLASH_ESCAPES a name with a backslash is merely not found).
 */
export function quoteText(text: string): string {
  return `'${text.replace(/['\\]/g, '$&$&')}'`;
}
