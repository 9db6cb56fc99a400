/** The console's HTTP as somebody with a browser meets it. */
const PASSWORD = 'benchmarks-only-4711';

export class ConsoleDoor {
  readonly #url: string;
  #cookie = '';

  private constructor(url: string) {
    this.#url = url;
  }

  /** Logs in for the first time. @param said what the proxy told at its start: address and one-time password */
  static async open(said: string): Promise<ConsoleDoor> {
    const url = /https?:\/\/[\w.:[\]-]+/.exec(said)?.[0];
    const password = /one-time password:? (\S+)/.exec(said)?.[1];
    if (url === undefined || password === undefined)
      throw new Error(`no address or password of the console in: ${said}`);
    const door = new ConsoleDoor(url);
    await door.#post('/api/login', { name: 'admin', password });
    await door.#post('/api/password', { current: password, next: PASSWORD });
    return door;
  }

  /** Reads the whole answer. @throws Error when it is a refusal */
  async get(path: string): Promise<void> {
    const answer = await this.#fetch(path);
    await answer.arrayBuffer();
  }

  /** An answer that goes on until the signal. */
  async stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#fetch(path, { signal });
    if (body === null) throw new Error(`${path} has no body`);
    return body;
  }

  async #post(path: string, body: unknown): Promise<void> {
    const headers = { 'content-type': 'application/json', origin: this.#url };
    const answer = await this.#fetch(path, { method: 'POST', body: JSON.stringify(body), headers });
    await answer.arrayBuffer();
    this.#cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? this.#cookie;
  }

  async #fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, cookie: this.#cookie };
    const answer = await fetch(`${this.#url}${path}`, { ...init, headers, redirect: 'error' });
    if (!answer.ok) throw new Error(`the console answers ${path} with ${answer.status}: ${await answer.text()}`);
    return answer;
  }
}
