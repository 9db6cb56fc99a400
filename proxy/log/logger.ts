import { type Logger, pino } from 'pino';

export type { Logger };

/** The process's log: JSON lines on standard error, so that standard output stays for what people are told. */
export function createLogger(name: string, level = process.env.ODP_LOG_LEVEL ?? 'info'): Logger {
  return pino({ name, level, base: { pid: process.pid } }, pino.destination({ dest: 2, sync: true }));
}
