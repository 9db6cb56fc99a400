/** What the response scanner is told and what it tells. */

/** What kind of reply a request gets. */
export type ReplyKind =
  /**
   * OK, ERR, LOCAL INFILE request, EOF, or result sets: COM_QUERY, COM_STMT_EXECUTE and all simple commands. Not
   * COM_CHANGE_USER, whose reply may be a question (auth switch).
   */
  | 'result'
  /** COM_STMT_PREPARE: statement id, then parameter and column definitions. */
  | 'prepare'
  /** COM_STMT_FETCH: rows and an end mark. */
  | 'rows'
  /** COM_FIELD_LIST: column definitions and an end mark. */
  | 'fields'
  /** COM_STATISTICS: one packet of text, without an extra OK behind it. */
  | 'single';

/**
 * Where the scanner's findings go. `chunk` is what is being fed, or a buffer of the scanner's own where a packet came
 * in pieces. Ranges given to `pass` are not changed any more and stay good as long as what was fed does; those of
 * `onState` and `onError` are valid only during the call. No method may feed the scanner or begin a reply.
 */
export interface ScannerSink {
  /** `chunk[start, end)` goes to the client as it is. */
  pass(chunk: Buffer, start: number, end: number): void;
  /** A packet that was built anew (with its header) goes to the client here. */
  emit(frame: Buffer): void;
  /**
   * The session state of an OK packet: raw entries of `chunk[start, end)`.
   * @param extra true for OceanBase's extra OK after a result set or an error
   */
  onState(chunk: Buffer, start: number, end: number, extra: boolean): void;
  /** The reply to COM_STMT_PREPARE. Returns the statement id that the client is to see. */
  onPrepared(serverStatementId: number, columnCount: number, parameterCount: number): number;
  /** An ERR packet's payload is `chunk[start, end)`. */
  onError(chunk: Buffer, start: number, end: number): void;
  /** The server asks the client for a file: the reply goes on after the client has sent it. */
  onInfileRequest(): void;
}

/** How the two ends of one server session differ. */
export interface ScannerMode {
  /** Capabilities agreed with the client. */
  clientCapabilities: number;
  /** Capabilities agreed with the server. */
  serverCapabilities: number;
  /** The server ends result sets and errors with an extra OK packet (a proxied OceanBase session). */
  extraOk: boolean;
}
