/** Gives the running product an order and tells what becomes of it: the command line's side of order-socket.ts. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { errorText } from '../errors/odp-error.ts';
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
  try {
    await once(socket, 'connect');
  } catch (error) {
    throw new Error(`no proxy runs with ODP_HOME ${home} (${errorText(error)}): start it with npm start`);
  }
  socket.write(`${JSON.stringify(order ?? { type: 'state' })}\n`);
  try {
    return await follow(linesOf(socket), order, print);
  } finally {
    socket.destroy();
  }
}

async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let text = '';
  socket.setEncoding('utf8');
  for await (const chunk of socket) {
    const lines = (text + String(chunk)).split('\n');
    text = lines.pop() ?? '';
    yield* lines;
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
    ({ id, role, version, directory, pid, workers, clientSessions }) =>
      `odp: generation ${id} (${role}): version ${version}, pid ${pid}, ${workers} workers, ${clientSessions} client sessions, from ${directory}`,
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
