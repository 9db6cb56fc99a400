/** Gives the running product an order and tells what becomes of it: the command line's side of order-socket.ts. */
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { UpgradeOrder } from '../upgrade/types.ts';
import type { UpgradeView } from '../upgrade/view.ts';
import { orderSocketPath } from './order-path.ts';

/**
 * Resolves when the run is over, or waits for somebody's decision.
 * @param order null: only tell how things stand
 * @returns whether it came out as was ordered
 * @throws Error when nobody takes the order, or it is refused
 */
export async function sendOrder(
  home: string,
  order: UpgradeOrder | null,
  print: (line: string) => void,
): Promise<boolean> {
  const socket = connect(orderSocketPath(home));
  const broken = new Promise<never>((_resolve, reject) => {
    socket.once('error', (error) => {
      reject(new Error(`no proxy runs with ODP_HOME ${home} (${error.message}): start it with npm start`));
    });
    socket.once('close', () => reject(new Error('the proxy has ended meanwhile')));
  });
  socket.write(`${JSON.stringify(order ?? { type: 'state' })}\n`);
  try {
    return await Promise.race([follow(createInterface({ input: socket }), order, print), broken]);
  } finally {
    broken.catch(() => undefined);
    socket.destroy();
  }
}

async function follow(
  lines: AsyncIterable<string>,
  order: UpgradeOrder | null,
  print: (line: string) => void,
): Promise<boolean> {
  let told = 0;
  let isFirst = true;
  for await (const line of lines) {
    const view = JSON.parse(line) as UpgradeView | { readonly error: string };
    if ('error' in view) throw new Error(view.error);
    if (order === null) {
      for (const text of statusLines(view)) print(text);
      return true;
    }
    const { run } = view;
    if (run === null) continue;
    // Steps of before the decision are known to whoever decides.
    if (isFirst && order.type !== 'start') told = run.steps.length - 1;
    isFirst = false;
    for (const step of run.steps.slice(told)) print(`odp: ${step.text}`);
    told = run.steps.length;
    if (run.outcome !== null) return (run.outcome === 'committed') === (order.type !== 'rollback');
    if (order.type === 'start' && run.hold && view.phase === 'watch') return true;
  }
  throw new Error('the proxy has ended meanwhile');
}

/** For people. */
function statusLines(view: UpgradeView): string[] {
  const { run } = view;
  const generations = view.generations.map(
    ({ id, role, version, directory, pid, clientSessions }) =>
      `odp: generation ${id} (${role}): version ${version}, pid ${pid}, ${clientSessions} client sessions, from ${directory}`,
  );
  const outcome = run === null ? [] : [`odp: ${run.kind} ${run.number}: ${run.outcome ?? view.phase}`];
  const waiting =
    run === null
      ? []
      : run.waiting.map(
          ({ id, user, reason, waitedMs }) => `odp: waits for session ${id} of ${user}: ${reason}, for ${waitedMs} ms`,
        );
  return [
    ...generations,
    ...outcome,
    ...(run?.steps ?? []).map((step) => `odp:   ${step.at} ${step.text}`),
    ...waiting,
  ];
}
