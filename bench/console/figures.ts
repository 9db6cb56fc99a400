import type { Conditions } from '../conditions.ts';

export interface ConsoleRow {
  /** How the processes lie on the cores. */
  readonly cores: 'data path on a core of its own' | 'all on the same cores';
  /** Requests in a second on the data path, without and with the pages. */
  readonly closedPerSecond: number;
  readonly openPerSecond: number;
  /** With by without, in the same round. */
  readonly ratio: number;
  /** Processor time of the worker for a request, µs, without and with. */
  readonly closedWorkerUs: number;
  readonly openWorkerUs: number;
  /** Answers that the pages got in a second, and events. */
  readonly answersPerSecond: number;
  readonly eventsPerSecond: number;
}

export interface ConsoleFigures {
  readonly conditions: Conditions;
  readonly seconds: number;
  readonly viewers: number;
  readonly sessions: number;
  readonly servers: number;
  readonly rows: readonly ConsoleRow[];
}
