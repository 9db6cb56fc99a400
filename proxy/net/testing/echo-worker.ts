/** Body of a worker thread that echoes on a descriptor: shows that transports work outside the main thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { acceptOn } from '../listener.ts';
import { Transport } from '../transport.ts';

acceptOn(workerData as number, (handle) => {
  const transport = Transport.accepted(handle, {
    onData: (chunk, length) => void transport.write(Buffer.from(chunk.subarray(0, length))),
    onDrain: () => undefined,
    onClose: (reason) => parentPort?.postMessage(reason),
  });
});
parentPort?.postMessage('listening');
