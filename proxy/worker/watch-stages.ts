import type { Logger } from '../log/logger.ts';
import { Transport } from '../net/transport.ts';
import { EventGuard } from '../session/event-guard.ts';
import { RequestSender } from '../session/request-sender.ts';
import { SyncRun } from '../session/sync-run.ts';
import { StatementCache } from '../sql/statement-cache.ts';
import { ResponseScanner } from '../wire/response-scanner.ts';
import { StageClock, type StagePlace } from './stages.ts';

/** How the data path enters its stages. Accepting is no method: the listener has it counted. */
export const stagePlaces: readonly StagePlace[] = [
  { stage: 'read', of: EventGuard.prototype, methods: ['onData'] },
  { stage: 'classify', of: StatementCache.prototype, methods: ['classify'] },
  { stage: 'plan', of: RequestSender.prototype, methods: ['route'] },
  { stage: 'sync', of: SyncRun.prototype, methods: ['begin', 'onData'] },
  { stage: 'scan', of: ResponseScanner.prototype, methods: ['feed'] },
  { stage: 'write', of: Transport.prototype, methods: ['write', 'writeRange', 'writeAll'] },
];

/**
 * Begins to count and logs what was counted, every so many seconds.
 * @param seconds text of ODP_STAGES; undefined or no number above 0: nothing is counted
 */
export function watchStages(seconds: string | undefined, log: Logger): StageClock | null {
  const periodMs = Number(seconds) * 1000;
  if (!(periodMs > 0)) return null;
  const clock = new StageClock(() => performance.now());
  clock.watch(stagePlaces);
  setInterval(() => {
    const stages = [...clock.take()].map(([stage, { calls, ms }]) => {
      const each = (ms * 1000) / calls;
      return [stage, { calls, ms: Math.round(ms), usEach: Math.round(each * 10) / 10 }] as const;
    });
    if (stages.length > 0) log.info({ stages: Object.fromEntries(stages) }, 'time by stage');
  }, periodMs).unref();
  return clock;
}
