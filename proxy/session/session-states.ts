/**
 * The states of a client session and of a server session, and how they follow one another: written down here once.
 * docs/sessions.md draws them; `session-states.test.ts` holds running sessions to them, in whatever order things happen.
 */

export interface StateMachine<State extends string> {
  readonly name: string;
  readonly first: State;
  /** What each state means. */
  readonly states: Readonly<Record<State, string>>;
  /** Where each state leads, and when. */
  readonly moves: Readonly<Record<State, Readonly<Partial<Record<State, string>>>>>;
}

export type ClientState = 'login' | 'ready' | 'between' | 'closed';

/** A client's connection. */
export const clientStates: StateMachine<ClientState> = {
  name: 'client session',
  first: 'login',
  states: {
    login: 'greeted; its log-in is read and relayed to a server',
    ready: 'logged in; requests are served one after the other, COM_CHANGE_USER among them',
    between: 'between two generations of the proxy: nothing is read until it is settled whose it is',
    closed: 'over, another generation’s, or only its last answer is still on the way',
  },
  moves: {
    login: {
      ready: 'accepted by a server, or by the proxy itself',
      between: 'taken over from another generation: there is no log-in',
      closed: 'refused, not in time, or the client is gone',
    },
    between: {
      ready: 'it is this generation’s, or stays so',
      closed: 'it is the other one’s, or stays so; or KILL',
    },
    ready: {
      between: 'offered to another generation',
      closed: 'COM_QUIT, KILL, the client is gone, or it can no longer be answered',
    },
    closed: {},
  },
};

export type RequestState = 'idle' | 'routing' | 'connecting' | 'syncing' | 'replying';

/** The request of a client session that is `ready`. */
export const requestStates: StateMachine<RequestState> = {
  name: 'request of a client session',
  first: 'idle',
  states: {
    idle: 'there is none, or the proxy answers it itself',
    routing: 'its servers are looked for; a location may have to be asked for',
    connecting: 'a server session is opened and logged in',
    syncing: 'a server session is brought up to date',
    replying: 'it is with a server, or its rest is still coming from the client',
  },
  moves: {
    idle: {
      syncing: 'its server session is known',
      routing: 'it is not',
      replying: 'refused before its end: the rest is swallowed',
    },
    routing: {
      syncing: 'the first choice has an open session',
      connecting: 'it has none',
      replying: 'no server may have it; its rest is swallowed',
      idle: 'no server may have it, or the client is gone',
    },
    connecting: {
      syncing: 'logged in, or the next choice has an open session',
      replying: 'no server can be had; the rest of the request is swallowed',
      idle: 'no server can be had, or the client is gone',
    },
    syncing: {
      replying: 'up to date: it is sent',
      routing: 'the server is lost: another one',
      connecting: 'the server is lost: the next choice',
      idle: 'refused there, or sent and without a reply',
    },
    replying: {
      idle: 'answered',
      routing: 'the server is lost or of no use, and nothing can happen twice',
      connecting: 'the same, with a next choice known',
      syncing: 'the same, and that one has an open session',
    },
  },
};

export type ServerState = 'connecting' | 'greeting' | 'tls' | 'login' | 'ready' | 'closed';

/** A connection to an OBServer. */
export const serverStates: StateMachine<ServerState> = {
  name: 'server session',
  first: 'connecting',
  states: {
    connecting: 'TCP is being set up',
    greeting: "the server's greeting is awaited",
    tls: 'TLS is being set up',
    login: 'the log-in is with the server',
    ready: 'logged in: idle, or busy with a request',
    closed: 'over',
  },
  moves: {
    connecting: {
      greeting: 'connected',
      ready: 'taken over from another generation of the proxy',
      closed: 'not within 2 s, refused, or not wanted any more',
    },
    greeting: {
      tls: 'both sides want TLS',
      login: 'the kept answer of the client is sent',
      closed: 'not within 5 s, refused, or not wanted any more',
    },
    tls: { login: 'it stands', closed: 'certificates do not fit, or the connection is lost' },
    login: { ready: 'OK', closed: 'refused, not within 5 s, or not wanted any more' },
    ready: { closed: 'the connection is lost, the server dead, or the session over' },
    closed: {},
  },
};

type Watch = (machine: string, from: string, to: string) => void;

/** Told of every move, by tests. */
export const stateWatch: { onMove: Watch | null } = { onMove: null };

/** Tells of a move; a state may be entered again from itself. */
export function noteMove<State extends string>(machine: StateMachine<State>, from: State, to: State): void {
  if (stateWatch.onMove !== null && from !== to) stateWatch.onMove(machine.name, from, to);
}
