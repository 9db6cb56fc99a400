/** Connections of this process with itself, for tests of transports. */
import { Socket } from 'node:net';
import { acceptOn, bindSocket } from '../listener.ts';
import { Transport } from '../transport.ts';
import { RecordingHandler } from './recording-handler.ts';

interface AcceptedTransport {
  readonly transport: Transport;
  readonly handler: RecordingHandler;
  /** The other end. */
  readonly peer: Socket;
}

/** A connection that this side has accepted. Whoever asks for it closes both ends. */
export async function acceptTransport(): Promise<AcceptedTransport> {
  const bound = bindSocket('127.0.0.1', 0);
  const handler = new RecordingHandler();
  const peer = new Socket();
  // A reset is an event here, not a failure of the test.
  peer.on('error', () => undefined);
  const transport = await new Promise<Transport>((resolve) => {
    const listener = acceptOn(bound.fd, (handle) => {
      listener.close();
      resolve(Transport.accepted(handle, handler));
    });
    peer.connect(bound.port, '127.0.0.1');
  });
  return { transport, handler, peer };
}

/** What a socket gets, until it is at least so much. */
export async function receive(peer: Socket, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of peer.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= bytes) break;
  }
  return Buffer.concat(chunks);
}
