/** What the JavaScript heaps of another Node process hold once their garbage is gone, by its inspector. */

export interface HeapUse {
  /** Objects, after a collection. */
  readonly usedBytes: number;
  /** Memory of buffers. */
  readonly backingBytes: number;
}

interface InspectorMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

type Answer = Readonly<Record<string, unknown>>;
type Send = (method: string, params?: object) => Promise<Answer>;

/** The threads of one process, by its inspector's URL (`ws://…`). */
export class HeapInspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, PromiseWithResolvers<Answer>>();
  /** Of worker threads, the inspector's numbers for them. */
  readonly #threads = new Set<string>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take('', JSON.parse(String(data))));
  }

  static async attach(url: string): Promise<HeapInspector> {
    const socket = new WebSocket(url);
    const opened = Promise.withResolvers<void>();
    socket.addEventListener('open', () => opened.resolve());
    socket.addEventListener('error', () => opened.reject(new Error(`no inspector answers at ${url}`)));
    await opened.promise;
    const inspector = new HeapInspector(socket);
    await inspector.#send('', 'NodeWorker.enable', { waitForDebuggerOnStart: false });
    return inspector;
  }

  /** All threads of the process together. */
  async measure(): Promise<HeapUse> {
    let usedBytes = 0;
    let backingBytes = 0;
    for (const thread of ['', ...this.#threads]) {
      const send: Send = (method, params) => this.#send(thread, method, params);
      // What the first one lets go of in native code the second one finds.
      for (let time = 0; time < 2; time += 1) await send('HeapProfiler.collectGarbage');
      const use = await send('Runtime.getHeapUsage');
      usedBytes += Number(use.usedSize);
      backingBytes += Number(use.backingStorageSize ?? 0);
    }
    return { usedBytes, backingBytes };
  }

  close(): void {
    this.#socket.close();
  }

  #send(thread: string, method: string, params: object = {}): Promise<Answer> {
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Answer>();
    this.#waiting.set(`${thread} ${id}`, answer);
    const message = JSON.stringify({ id, method, params });
    if (thread === '') this.#socket.send(message);
    else {
      const relay = { method: 'NodeWorker.sendMessageToWorker', params: { sessionId: thread, message } };
      this.#socket.send(JSON.stringify({ id: ++this.#lastId, ...relay }));
    }
    return answer.promise;
  }

  #take(thread: string, { id, method, params = {}, result = {}, error }: InspectorMessage): void {
    if (method === 'NodeWorker.attachedToWorker') this.#threads.add(String(params.sessionId));
    else if (method === 'NodeWorker.receivedMessageFromWorker') {
      this.#take(String(params.sessionId), JSON.parse(String(params.message)));
    } else if (id !== undefined) {
      const answer = this.#waiting.get(`${thread} ${id}`);
      this.#waiting.delete(`${thread} ${id}`);
      if (error === undefined) answer?.resolve(result);
      else answer?.reject(new Error(error.message));
    }
  }
}
