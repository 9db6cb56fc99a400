/**
 * A process that poses as a MySQL server and costs next to nothing: it lets everybody in and has one answer to every
 * query. Behind it the proxy is what is measured. Started with an IPC channel, on which it tells its port.
 */
import { acceptOn, bindSocket } from '../../proxy/net/listener.ts';
import type { StubAnswer, StubOrder } from './messages.ts';
import { StubConnection } from './stub-connection.ts';

const connections = new Set<StubConnection>();
const bound = bindSocket('127.0.0.1', 0);
acceptOn(bound.fd, (handle) => {
  connections.add(new StubConnection(handle, (gone) => connections.delete(gone)));
});

const tell = (answer: StubAnswer): void => {
  process.send?.(answer);
};
process.on('message', (order: StubOrder) => {
  if (order === 'drop') for (const connection of [...connections]) connection.drop();
  tell({ connections: connections.size });
});
process.once('disconnect', () => process.exit(0));
tell({ port: bound.port });
