/** The way to the fault door of the embedded demo cluster. */
import { request } from 'node:http';
import type { z } from 'zod';
import { type DemoFault, demoStateSchema } from '../control/contract.ts';
import type { DemoService } from '../control/demo-service.ts';
import { errorText, OdpError } from '../errors/odp-error.ts';

const stateSchema = demoStateSchema.omit({ at: true });
type State = z.infer<typeof stateSchema>;

/** A demo that does not answer must not hold the page up. */
const ANSWER_MS = 5_000;

interface DemoDoorOptions {
  /** Unix socket of the fault door. */
  readonly socketPath: string;
  /** Where the sample load finds this proxy. */
  readonly proxy: { readonly host: string; readonly port: number };
  /** Account of the sample load, `user@tenant#cluster`. */
  readonly user: string;
}

/** Asks the fault door for what the control API is asked for. */
export function demoDoor({ socketPath, proxy, user }: DemoDoorOptions): DemoService {
  const post = (path: string, body: unknown) => ask(socketPath, 'POST', path, JSON.stringify(body));
  return {
    state: () => ask(socketPath, 'GET', '/servers'),
    inject: async (fault) => {
      let state: State | null = null;
      for (const body of doorRequests(fault)) state = await post('/faults', body);
      return state ?? ask(socketPath, 'GET', '/servers');
    },
    load: (forMs) =>
      post(
        '/load',
        forMs === 0 ? null : { host: reachable(proxy.host), port: proxy.port, user, database: 'trade', forMs },
      ),
  };
}

/** The door has the same names, but for the one that is two. */
function doorRequests(fault: DemoFault): readonly unknown[] {
  return fault.fault === 'reset' ? [{ fault: 'clear' }, { fault: 'spreadLeaders' }] : [fault];
}

/** An address to connect to, of one that is listened on. */
function reachable(host: string): string {
  if (host === '0.0.0.0' || host === '') return '127.0.0.1';
  return host === '::' ? '::1' : host;
}

/** @throws OdpError NOT_FOUND or BAD_REQUEST as the door says, DEMO_FAILED for whatever else it answers or does not */
function ask(socketPath: string, method: string, path: string, body?: string): Promise<State> {
  return new Promise((resolve, reject) => {
    const failed = (detail: string): void => reject(new OdpError('DEMO_FAILED', { detail }));
    const asked = request({ socketPath, method, path, agent: false, timeout: ANSWER_MS }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.once('error', (error) => failed(errorText(error)));
      answer.once('end', () => {
        const json = parsed(text);
        const state = stateSchema.safeParse(json);
        if (answer.statusCode === 200 && state.success) return resolve(state.data);
        const detail = (json as { detail?: unknown } | null)?.detail;
        const known = answer.statusCode === 404 || answer.statusCode === 400;
        if (!known || typeof detail !== 'string')
          return failed(`it answers ${answer.statusCode} ${text.slice(0, 200)}`);
        reject(new OdpError(answer.statusCode === 404 ? 'NOT_FOUND' : 'BAD_REQUEST', { detail }));
      });
    });
    asked.once('timeout', () => asked.destroy(new Error(`no answer within ${ANSWER_MS / 1000} s`)));
    asked.once('error', (error) => failed(errorText(error)));
    asked.end(body);
  });
}

/** Null: no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
