import type { ScannerSink } from '../scanner-types.ts';

/** A scanner's sink that keeps copies of all it is told, and checks that passed bytes are not touched afterwards. */
export class RecordingSink implements ScannerSink {
  readonly parts: Buffer[] = [];
  readonly states: { entries: Buffer; extra: boolean }[] = [];
  readonly errors: Buffer[] = [];
  readonly prepared: { columnCount: number; parameterCount: number }[] = [];
  infileRequests = 0;
  byteCount = 0;
  passCalls = 0;
  #lent: { view: Buffer; copy: Buffer }[] = [];

  /** @param mapStatementId the id that the client is to see for a server's */
  readonly mapStatementId: (id: number) => number;

  constructor(mapStatementId: (id: number) => number = (id) => id) {
    this.mapStatementId = mapStatementId;
  }

  pass(chunk: Buffer, start: number, end: number): void {
    if (start >= end || end > chunk.length) throw new Error(`pass of [${start}, ${end}) out of ${chunk.length} bytes`);
    this.passCalls++;
    this.#keep(chunk.subarray(start, end));
  }

  emit(frame: Buffer): void {
    this.#keep(frame);
  }

  onState(chunk: Buffer, start: number, end: number, extra: boolean): void {
    this.states.push({ entries: Buffer.from(chunk.subarray(start, end)), extra });
  }

  onPrepared(serverStatementId: number, columnCount: number, parameterCount: number): number {
    this.prepared.push({ columnCount, parameterCount });
    return this.mapStatementId(serverStatementId);
  }

  onError(chunk: Buffer, start: number, end: number): void {
    this.errors.push(Buffer.from(chunk.subarray(start, end)));
  }

  onInfileRequest(): void {
    this.infileRequests++;
  }

  /** To be called after each feed: bytes are passed on at its end, so none may have changed since they were lent. */
  settle(): void {
    for (const { view, copy } of this.#lent) {
      if (!view.equals(copy)) throw new Error('bytes were changed after they had been passed on');
    }
    this.#lent = [];
  }

  get output(): Buffer {
    return Buffer.concat(this.parts);
  }

  #keep(view: Buffer): void {
    const copy = Buffer.from(view);
    this.#lent.push({ view, copy });
    this.parts.push(copy);
    this.byteCount += copy.length;
  }
}
