/**
 * Calls across a message channel: between a worker thread and the coordinator, either side may call the other. Requests
 * of clients never wait on it, except those that ask for what another thread knows.
 */
import type { MessagePort, Worker } from 'node:worker_threads';
import { errorText, OdpError } from '../errors/odp-error.ts';
import type { ErrorCode } from '../errors/table.ts';

/** Names of calls, with what they take and give. */
export type CallTable = Record<string, (argument: never) => unknown>;
type Argument<Calls extends CallTable, Name extends keyof Calls> = Parameters<Calls[Name]>[0];
type Result<Calls extends CallTable, Name extends keyof Calls> = Awaited<ReturnType<Calls[Name]>>;

type Wire =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly code: ErrorCode | null; readonly details: unknown };

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/** @typeParam Theirs calls that the other side answers; Ours: those that this side answers */
export class Rpc<Theirs extends CallTable, Ours extends CallTable> {
  readonly #port: MessagePort | Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  constructor(port: MessagePort | Worker, handlers: Ours) {
    this.#port = port;
    port.on('message', (message: Wire) => this.#onMessage(message, handlers));
  }

  /** Rejects with the OdpError that the other side threw, or SHUTTING_DOWN when it has ended. */
  call<Name extends keyof Theirs & string>(
    name: Name,
    argument: Argument<Theirs, Name>,
  ): Promise<Result<Theirs, Name>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#send({ kind: 'call', id, name, argument });
    });
  }

  /** The other side is gone: whoever waits for it is told. */
  end(detail: string): void {
    for (const waiting of this.#waiting.values()) waiting.reject(new OdpError('SHUTTING_DOWN', { detail }));
    this.#waiting.clear();
  }

  #send(message: Wire): void {
    this.#port.postMessage(message);
  }

  #onMessage(message: Wire, handlers: Ours): void {
    if (message.kind === 'call') {
      void this.#answer(message.id, message.name, message.argument, handlers);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.kind === 'result') waiting?.resolve(message.value as never);
    else waiting?.reject(toError(message.code, message.details));
  }

  async #answer(id: number, name: string, argument: unknown, handlers: Ours): Promise<void> {
    try {
      const handler = handlers[name];
      if (handler === undefined) throw new OdpError('INTERNAL', { detail: `no call named ${name}` });
      this.#send({ kind: 'result', id, value: await handler(argument as never) });
    } catch (error) {
      if (error instanceof OdpError) this.#send({ kind: 'failure', id, code: error.code, details: error.details });
      else this.#send({ kind: 'failure', id, code: null, details: errorText(error) });
    }
  }
}

function toError(code: ErrorCode | null, details: unknown): Error {
  if (code === null) return new OdpError('INTERNAL', { detail: String(details) });
  return new OdpError(code, details as Record<string, string | number>);
}
