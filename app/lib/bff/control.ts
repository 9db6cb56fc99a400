/** The one way from the console to the proxy: HTTP over the control socket. Server side only. */
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { filledPath, type RouteName, routes } from '../../../proxy/control/contract.ts';
import { consoleEnv } from '../env.ts';

export interface ControlCall {
  /** Session token, or null when the caller has none. */
  readonly token: string | null;
  /** Address of the person's browser, for the history. */
  readonly origin: string;
  /** The browser's User-Agent, for the list of log-ins; left out: none. */
  readonly agent?: string;
  /** Values for the parameters of its path. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Query string with its `?`, or empty. */
  readonly search?: string;
  /** JSON text. */
  readonly body?: string;
  /** Ends the call (and its answer) when the browser has gone. */
  readonly signal?: AbortSignal;
}

/** The proxy did not answer: it is starting, stopping or gone. */
export class ControlUnreachable extends Error {
  override readonly name = 'ControlUnreachable';
}

/**
 * Call one route of the control API and resolve with its answer's head; the body is still to be read.
 * @throws ControlUnreachable when the socket refuses or breaks before an answer.
 */
export function callControl(name: RouteName, call: ControlCall): Promise<IncomingMessage> {
  const route = routes[name];
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        socketPath: consoleEnv().ODP_CONTROL_SOCKET,
        method: route.method,
        path: filledPath(route.path, call.parameters ?? {}) + (call.search ?? ''),
        // A socket per call: the control server may restart at any time, and a kept one would then fail at random.
        agent: false,
        headers: {
          host: 'control',
          'x-odp-origin': call.origin,
          'x-odp-agent': call.agent ?? '',
          ...(call.token === null ? {} : { authorization: `Bearer ${call.token}` }),
          ...(call.body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(call.body) }),
        },
        ...(call.signal === undefined ? {} : { signal: call.signal }),
      },
      resolve,
    );
    request.once('error', (cause) => {
      reject(new ControlUnreachable(`control API does not answer: ${cause.message}`, { cause }));
    });
    request.end(call.body);
  });
}

/** Read a whole answer as JSON; null when it has no body. Throws SyntaxError on anything else. */
export async function readJson(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? null : JSON.parse(text);
}
