/**
 * A process that changes one parameter again and again until it is killed, or has set the last value: for tests.
 * `node testing-writer.ts <home> <first value> [<last value>]` prints `try <n>` before and `done <n>` after each change.
 */
import { openHistory } from '../history/history-store.ts';
import { ConfigStore } from './config-store.ts';

const [, , home = '', first = '1', last = 'Infinity'] = process.argv;
const log = { warn: (fields: object, text: string) => process.stderr.write(`${text} ${JSON.stringify(fields)}\n`) };
const store = await ConfigStore.open({ history: await openHistory(home, { log }), log });
for (let value = Number(first); value <= Number(last); value += 1) {
  process.stdout.write(`try ${value}\n`);
  await store.change({
    changes: [{ name: 'client_max_connections', value: String(value) }],
    actor: 'writer',
    source: 'system',
    origin: '',
    reason: 'crash test',
    requestId: String(value),
  });
  process.stdout.write(`done ${value}\n`);
}
process.exit(0);
