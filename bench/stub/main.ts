/**
 * A process that poses as a MySQL server and costs next to nothing: it lets everybody in and has one answer to every
 * query. Behind it the proxy is what is measured. Started with an IPC channel, on which it tells its port.
 */
import type { StubAnswer, StubOrder } from './messages.ts';
import { startListening } from './start-listening.ts';

const { port, connections } = startListening();

const tell = (answer: StubAnswer): void => {
  process.send?.(answer);
};
process.on('message', (order: StubOrder) => {
  if (order === 'drop') for (const connection of [...connections]) connection.drop();
  tell({ connections: connections.size });
});
process.once('disconnect', () => process.exit(0));
tell({ port });
