/** Ends either generation with kill -9 at each step of an upgrade, and measures for how long nobody is served. */
import { type Connection, createConnection } from 'mysql2/promise';
import { Product } from '../../../proxy/testing/product.ts';
import { until } from '../../../proxy/testing/proxy.ts';

/** A client comes so often. */
const ASK_EVERY_MS = 10;
/** How long clients go on to come after the kill. */
const ASK_AFTER_MS = 3_000;

/** Where in a run, and who is killed. */
interface Kill {
  readonly what: string;
  readonly victim: 'old' | 'new';
  /** Brings the run there; its own end is not waited for. */
  readonly reach: (product: Product) => Promise<void>;
}

/** Starts a run that waits for a decision behind its move; whether that is ever reached is not asked here. */
const order = (product: Product): void => void product.upgrade({ hold: true }).catch(() => undefined);

const inPhase =
  (phase: RegExp, first?: 'commit' | 'rollback') =>
  async (product: Product): Promise<void> => {
    order(product);
    if (first !== undefined) {
      await until('it is watched', async () => /: watch$/m.test(await product.status()), 60_000);
      void product.decide(first).catch(() => undefined);
    }
    await until(`phase ${phase}`, async () => phase.test(await product.status()), 60_000);
    await until('two run', () => product.generations().length === 2, 60_000);
  };

const kills: readonly Kill[] = [
  { what: 'prepare', victim: 'old', reach: inPhase(/: prepare$/m) },
  { what: 'prepare', victim: 'new', reach: inPhase(/: prepare$/m) },
  { what: 'move', victim: 'old', reach: inPhase(/: move$/m) },
  { what: 'move', victim: 'new', reach: inPhase(/: move$/m) },
  { what: 'watch', victim: 'old', reach: inPhase(/: watch$/m) },
  { what: 'watch', victim: 'new', reach: inPhase(/: watch$/m) },
  { what: 'commit', victim: 'old', reach: inPhase(/: commit$/m, 'commit') },
  { what: 'commit', victim: 'new', reach: inPhase(/: commit$/m, 'commit') },
  { what: 'rollback', victim: 'old', reach: inPhase(/: rollback$/m, 'rollback') },
  { what: 'rollback', victim: 'new', reach: inPhase(/: rollback$/m, 'rollback') },
];

export interface KillOutcome {
  readonly what: string;
  readonly victim: 'old' | 'new';
  /** The longest time from a client's first try until it, or one that came after it, was served (ms); one for each round. */
  readonly unservedMs: readonly number[];
  /** Of all rounds: connects, and those that were refused or broke off. */
  readonly asked: number;
  readonly failed: number;
}

/** @param rounds of each kill; every one on a product of its own */
export async function runKills(
  rounds: number,
  say: (line: string) => void,
  started: { close(): Promise<void> }[],
): Promise<KillOutcome[]> {
  const outcomes: KillOutcome[] = [];
  for (const kill of kills) {
    const all: Asked[] = [];
    for (let round = 0; round < rounds; round++) all.push(await oneKill(kill, started));
    const { what, victim } = kill;
    const unservedMs = all.map((asked) => asked.longestMs);
    say(`${what}, ${victim}: unserved for at most ${Math.round(Math.max(...unservedMs))} ms`);
    const sum = (of: 'asked' | 'failed'): number => all.reduce((total, one) => total + one[of], 0);
    outcomes.push({ what, victim, unservedMs, asked: sum('asked'), failed: sum('failed') });
  }
  return outcomes;
}

interface Asked {
  longestMs: number;
  asked: number;
  failed: number;
}

async function oneKill({ what, victim, reach }: Kill, started: { close(): Promise<void> }[]): Promise<Asked> {
  // Sessions that stay keep a commit or rollback under way.
  const product = await Product.start({ hot_upgrade_exit_timeout: what === 'commit' ? '-1' : '30000000' });
  started.push({ close: () => product.clean() });
  await product.ready();
  const staying = await stay(product);
  const [old = 0] = product.generations();
  await reach(product);
  const fresh = product.generations().find((pid) => pid !== old) ?? 0;
  const asking = ask(product.port);
  process.kill(victim === 'old' ? old : fresh, 'SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, ASK_AFTER_MS));
  const asked = await asking.stop();
  staying.destroy();
  started.pop();
  await product.clean();
  return asked;
}

/** A session with a statement that does not end meanwhile: it cannot go over. */
async function stay(product: Product): Promise<Connection> {
  const session = await product.connect('root@trade#obdemo');
  session.query('SELECT SLEEP(60)').catch(() => undefined);
  return session;
}

/** Clients that connect one after the other, whatever becomes of those before. */
function ask(port: number): { stop(): Promise<Asked> } {
  const counts: Asked = { longestMs: 0, asked: 0, failed: 0 };
  /** Since when nobody has been served who came then. */
  let waitingSinceMs: number | null = null;
  const open = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const cameAtMs = performance.now();
    counts.asked += 1;
    const one = served(port).then((isServed) => {
      open.delete(one);
      if (isServed) {
        const sinceMs = Math.min(cameAtMs, waitingSinceMs ?? cameAtMs);
        counts.longestMs = Math.max(counts.longestMs, performance.now() - sinceMs);
        if (waitingSinceMs !== null && cameAtMs >= waitingSinceMs) waitingSinceMs = null;
      } else {
        counts.failed += 1;
        waitingSinceMs = Math.min(cameAtMs, waitingSinceMs ?? cameAtMs);
      }
    });
    open.add(one);
  }, ASK_EVERY_MS);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      if (waitingSinceMs !== null) counts.longestMs = Math.max(counts.longestMs, performance.now() - waitingSinceMs);
      return counts;
    },
  };
}

/** Whether one who connects now gets an answer of the proxy. */
async function served(port: number): Promise<boolean> {
  let connection: Connection | null = null;
  try {
    connection = await createConnection({ host: '127.0.0.1', port, user: 'root@proxysys' });
    connection.on('error', () => undefined);
    await connection.query('PING PROXY');
    return true;
  } catch {
    // Refused or broken off: that is what is counted.
    return false;
  } finally {
    connection?.destroy();
  }
}
