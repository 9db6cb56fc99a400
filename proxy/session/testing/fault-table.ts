/**
 * What a client sees when the server that works for it fails: decided here before it was built, cell by cell. The fault
 * suite runs every cell, and docs/faults.md shows the table (C6, C7, C13–C16).
 */

/** What the client is doing when the fault comes. */
export const activities = {
  idle: 'no statement is running and no transaction is open',
  transaction: 'a transaction is open that has changed a row; no statement is running',
  write: 'an UPDATE has been sent and not answered, outside a transaction',
  read: 'a plain SELECT has been sent and not answered, outside a transaction',
  result: 'a part of a large result has come',
  prepare: 'COM_STMT_PREPARE has been sent and not answered',
  cursor: 'a cursor is open and has been read in part',
  load: 'the server has asked for the file of a LOAD DATA LOCAL, and half of it has been sent',
} as const;

export type Activity = keyof typeof activities;

/** What happens to the server. */
export const serverFaults = {
  'leader switch': 'the leaders of its tables move to another server; it goes on',
  crash: 'its process ends: connections are reset, new ones refused; its leaders move',
  freeze: 'its process stops (SIGSTOP): connections stay and nothing is answered',
  'connection cut': 'its connections are closed in an orderly way; new ones are accepted',
  'half-open': 'its connections go silent and neither end is told; new ones work',
  'idle kill': 'the server closes the sessions: for idleness, or killed there by an administrator',
  'query time-out': 'the server ends what is asked next, or what runs, with its error 4012',
  restart: 'its process ends and is back at once',
  reset: 'its connections are reset; new ones are accepted',
  partition: 'nothing passes between proxy and server for a while; the leaders move meanwhile',
} as const;

export type FaultName = keyof typeof serverFaults;

/** What the client sees of it. */
export const outcomes = {
  served: 'no fault: the answer is right, from this server or another one',
  lost: 'an error at once (10014) that names the server and what is lost; the connection stays',
  late: 'an error (10015) when the time for the answer is up; it says what is lost; the connection stays',
  passed: "the server's own error, as it is; connection and transaction stay",
  'cut short':
    'an error (10014 or 10015) behind the last whole row, and the connection stays; where a row was cut no error fits, ' +
    'and the connection ends',
} as const;

export type Outcome = keyof typeof outcomes;

const all = (outcome: Outcome): Readonly<Record<Activity, Outcome>> => ({
  idle: outcome,
  transaction: outcome,
  write: outcome,
  read: outcome,
  result: outcome,
  prepare: outcome,
  cursor: outcome,
  load: outcome,
});

/** The server's connections are gone, and the proxy knows it. */
const gone: Readonly<Record<Activity, Outcome>> = {
  idle: 'served',
  transaction: 'lost',
  write: 'lost',
  read: 'served',
  result: 'cut short',
  prepare: 'served',
  cursor: 'lost',
  load: 'lost',
};

/** The server says nothing any more, and nobody knows why. */
const silent: Readonly<Record<Activity, Outcome>> = { ...all('late'), result: 'cut short' };

/** One row per fault. */
export const faultTable: Readonly<Record<FaultName, Readonly<Record<Activity, Outcome>>>> = {
  'leader switch': all('served'),
  crash: gone,
  freeze: silent,
  'connection cut': gone,
  'half-open': silent,
  'idle kill': gone,
  'query time-out': all('passed'),
  restart: gone,
  reset: gone,
  partition: silent,
};
