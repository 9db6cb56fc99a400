import { createConnection, type RowDataPacket } from 'mysql2/promise';

/** Where the sample load connects to, and as whom. */
export interface LoadTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** One connection of the sample load. */
export interface LoadConnection {
  /** One statement. Rejects with the server's or the network's error, or when no answer comes in time. */
  query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Ends it at once, whatever runs on it. */
  destroy(): void;
}

/** Applications do not wait for ever: after so long (ms) they give up, close the connection and open another one. */
const ANSWER_MS = 3_000;
const LOG_IN_MS = 10_000;

/** Connects and logs in. */
export async function openLoadConnection({ host, port, user, database }: LoadTarget): Promise<LoadConnection> {
  const connection = await createConnection({ host, port, user, database, connectTimeout: LOG_IN_MS });
  // The next statement finds it closed, and that is counted.
  connection.on('error', () => undefined);
  return {
    query: async (sql) => {
      const [rows] = await connection.query<RowDataPacket[]>({ sql, timeout: ANSWER_MS }).catch(namedTimeout);
      return Array.isArray(rows) ? rows : [];
    },
    destroy: () => connection.destroy(),
  };
}

/** @throws the error, which for a time-out says how long was waited */
function namedTimeout(error: unknown): never {
  const isTimeout = error instanceof Error && 'code' in error && error.code === 'PROTOCOL_SEQUENCE_TIMEOUT';
  throw isTimeout ? new Error(`no answer within ${ANSWER_MS / 1000} s`, { cause: error }) : error;
}
