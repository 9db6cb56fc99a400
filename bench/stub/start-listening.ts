import { acceptOn, bindSocket } from '../../proxy/net/listener.ts';
import { metadataOf, stubHosts } from './metadata.ts';
import { StubConnection } from './stub-connection.ts';

export interface Listening {
  /** Of every address. */
  readonly port: number;
  readonly connections: ReadonlySet<StubConnection>;
}

/** Accepts in this process. @param servers how many servers it poses as; with one it tells nothing of a cluster */
export function startListening(servers = 1): Listening {
  const connections = new Set<StubConnection>();
  const first = bindSocket('127.0.0.1', 0);
  const { port } = first;
  const hosts = stubHosts(servers);
  const metadata = servers === 1 ? null : metadataOf(hosts, port);
  const accept = (fd: number) =>
    acceptOn(fd, (handle) => {
      connections.add(new StubConnection(handle, metadata, (gone) => connections.delete(gone)));
    });
  accept(first.fd);
  for (const host of hosts.slice(1)) accept(bindSocket(host, port).fd);
  return { port, connections };
}
