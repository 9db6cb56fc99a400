import { errorText } from '../errors/odp-error.ts';

/** The one line that matters of what Prisma throws: SQLite's own words when it has them. */
export function databaseErrorText(error: unknown): string {
  let deepest: unknown = error;
  for (let depth = 0; depth < 5; depth += 1) {
    const next = isRecord(deepest) ? (nested(deepest.meta, 'driverAdapterError') ?? deepest.cause) : undefined;
    if (next === undefined) break;
    deepest = next;
  }
  const original = isRecord(deepest) ? deepest.originalMessage : undefined;
  if (typeof original === 'string') return original;
  const lines = errorText(deepest).trim().split('\n');
  return lines.at(-1)?.trim() ?? '';
}

function nested(holder: unknown, name: string): unknown {
  return isRecord(holder) ? holder[name] : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
