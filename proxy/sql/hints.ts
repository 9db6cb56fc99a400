import type { HintedConsistency, StatementHints } from './statement-info.ts';

/** Of a statement without hints. */
export const noHints: StatementHints = Object.freeze({ readConsistency: null, queryTimeoutUs: null, traceLog: false });

const consistency = /\bread_consistency\s*\(\s*["'`]?(weak|strong|frozen)["'`]?\s*\)/i;
const timeout = /\bquery_timeout\s*\(\s*(\d{1,15})\s*\)/i;
const traceLog = /\btrace_log\b/i;

/** Reads what stands between the `/*+` and the end of a hint. Hints this proxy doesn't know are the server's business. */
export function parseHints(content: string): StatementHints {
  const level = consistency.exec(content)?.[1]?.toLowerCase();
  const timeoutUs = timeout.exec(content)?.[1];
  return {
    readConsistency: (level ?? null) as HintedConsistency | null,
    queryTimeoutUs: timeoutUs === undefined ? null : Number(timeoutUs),
    traceLog: traceLog.test(content),
  };
}
