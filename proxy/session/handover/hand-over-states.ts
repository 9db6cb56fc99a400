/**
 * How a client session goes from one generation of the proxy to another (C17), as two machines that talk over a channel,
 * one session at a time. A session belongs to one side at every moment, whoever dies: to the one that has it until the
 * other one has said `started`, for only then does that one read. docs/sessions.md draws them.
 */
import type { StateMachine } from '../session-states.ts';

export type DepartureState = 'idle' | 'offered' | 'withdrawn' | 'given' | 'broken';

/** One channel at the side that has the sessions. */
export const departureStates: StateMachine<DepartureState> = {
  name: 'departure',
  first: 'idle',
  states: {
    idle: 'no session is on the way',
    offered: 'a session is frozen; its state and its connections are sent, the answer is awaited',
    withdrawn: 'the answer has not come in time: the session goes on here, and will not be given',
    given: 'the other side has it ready and was told `go`; here nobody finds it any more',
    broken: 'the channel is gone; a session that was on the way goes on here, since nobody has said `started`',
  },
  moves: {
    idle: { offered: 'a session can go', broken: 'the other side is gone' },
    offered: {
      given: '`taken`',
      idle: '`refused`; or `taken`, and the session has ended here or lost a server: `keep`',
      withdrawn: 'no answer within 2 s, or all is called off',
      broken: 'the other side is gone',
    },
    withdrawn: { idle: 'whatever the answer was; `taken` gets `keep`', broken: 'the other side is gone' },
    given: {
      idle: '`started`: its connections are closed on this side, without a word',
      broken: 'the other side is gone',
    },
    broken: {},
  },
};

export type ArrivalState = 'idle' | 'collecting' | 'checking' | 'taken' | 'broken';

/** One channel at the side that the sessions come to. */
export const arrivalStates: StateMachine<ArrivalState> = {
  name: 'arrival',
  first: 'idle',
  states: {
    idle: 'no session is on the way',
    collecting: 'an `offer` has come, and the connections to servers follow',
    checking: 'all is there; the state is read and its cluster looked for',
    taken: 'made anew, reading nothing; the other side has the last word',
    broken: 'the channel is gone; what was not told `go` stays with the other side',
  },
  moves: {
    idle: { collecting: '`offer`', broken: 'the other side is gone' },
    collecting: { checking: 'the last connection', broken: 'the other side is gone' },
    checking: {
      taken: 'it can be read: `taken`',
      idle: 'it cannot, or its cluster is not known: `refused`',
      broken: 'the other side is gone',
    },
    taken: { idle: '`go`: `started`, then it reads; `keep`: forgotten', broken: 'the other side is gone' },
    broken: {},
  },
};
