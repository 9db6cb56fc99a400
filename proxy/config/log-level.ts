/** Least to most severe, as the reference orders them. */
export const logLevels = ['DEBUG', 'TRACE', 'INFO', 'WDIAG', 'EDIAG', 'WARN', 'USER_ERR', 'ERROR'] as const;

/** One part of a log level text: a level for everything, or for `MODULE` or `MODULE.SUB`. */
export interface LogLevelRule {
  /** Upper case; empty: everything. */
  readonly module: string;
  readonly level: (typeof logLevels)[number];
}

/** Reads `LEVEL` or `MODULE.SUB:LEVEL`, several split by commas, any case; undefined when it is none. */
export function parseLogLevel(text: string): readonly LogLevelRule[] | undefined {
  const rules: LogLevelRule[] = [];
  for (const part of text.split(',')) {
    const match = /^(?:([A-Za-z_]+(?:\.(?:[A-Za-z_]+|\*))?):)?([A-Za-z_]+)$/.exec(part);
    const level = logLevels.find((word) => word === match?.[2]?.toUpperCase());
    if (match === null || level === undefined) return undefined;
    rules.push({ module: (match[1] ?? '').toUpperCase(), level });
  }
  return rules;
}
