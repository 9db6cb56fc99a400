/** What holds for every course of events. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Blocklist } from './blocklist.ts';
import { BlocklistView } from './blocklist-view.ts';
import { defaults, failureOf, probeOf, statusOf, WALL_AT_0 } from './testing/steps.ts';
import {
  type BlocklistName,
  type BlocklistTransition,
  type CongestionParameters,
  type FailureKind,
  failureKinds,
  type Instant,
} from './types.ts';

const addresses = ['10.0.0.1:2881', '10.0.0.2:2881', '127.0.0.1:2881'];
const candidates = addresses.map((address) => ({ address }));

type Happening =
  | { readonly what: 'fail'; readonly address: string; readonly kind: FailureKind }
  | { readonly what: 'probe'; readonly address: string; readonly ok: boolean }
  | { readonly what: 'retry' | 'succeed' | 'release'; readonly address: string }
  | { readonly what: 'views'; readonly states: readonly ('ACTIVE' | 'INACTIVE' | 'UPGRADE' | 'DELETED')[] }
  | { readonly what: 'set'; readonly changes: Partial<CongestionParameters> };

interface Moment {
  readonly afterMs: number;
  readonly happening: Happening;
}

const address = fc.constantFrom(...addresses);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ what: fc.constant('fail'), address, kind: fc.constantFrom(...failureKinds) }) },
  { weight: 6, arbitrary: fc.record({ what: fc.constant('probe'), address, ok: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('retry', 'succeed', 'release'), address }) },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('views'),
      states: fc.array(fc.constantFrom('ACTIVE', 'INACTIVE', 'UPGRADE', 'DELETED'), { minLength: 3, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constant('set'),
      changes: fc.oneof(
        fc.record({ failureThreshold: fc.integer({ min: -1, max: 6 }) }),
        fc.record({ failWindowMs: fc.integer({ min: 1000, max: 60_000 }) }),
        fc.record({ minKeepMs: fc.integer({ min: 0, max: 30_000 }) }),
        fc.record({ retryIntervalMs: fc.integer({ min: 1000, max: 30_000 }) }),
        fc.record({ detectMode: fc.integer({ min: 0, max: 2 }) }),
      ),
    }),
  },
);
const courses = fc.array(fc.record({ afterMs: fc.nat({ max: 8000 }), happening }), { maxLength: 120 });

function start(zeroMs = 0): Blocklist {
  const blocklist = new Blocklist({ ...defaults, failureThreshold: 3, detectFailThreshold: 2 });
  const states = addresses.map((each) => statusOf('ACTIVE', { address: each }));
  blocklist.setServers(states, { atMs: zeroMs, wallAtMs: WALL_AT_0 });
  return blocklist;
}

function tell(blocklist: Blocklist, event: Happening, at: Instant): BlocklistTransition[] {
  switch (event.what) {
    case 'fail':
      return blocklist.failure(failureOf(0, { ...event, ...at }));
    case 'probe':
      return blocklist.probe(probeOf(0, event.ok, { address: event.address, ...at }));
    case 'retry':
      blocklist.retryStarted(event.address, at);
      return [];
    case 'succeed':
      return blocklist.success(event.address, at, 1);
    case 'release':
      return blocklist.release(event.address, null, { actor: 'ann', reason: 'why not' }, at);
    case 'views':
      return blocklist.setServers(
        addresses.map((each, index) => statusOf(event.states[index] ?? 'ACTIVE', { address: each })),
        at,
      );
    case 'set':
      return blocklist.setParameters({ ...blocklist.parameters, ...event.changes }, at);
  }
}

/** Goes through a course with the given clocks; `onStep` sees each step's outcome. */
function follow(
  course: readonly Moment[],
  blocklist: Blocklist,
  clocks: { readonly zeroMs?: number; readonly wallAtMs?: (atMs: number, step: number) => number } = {},
  onStep: (transitions: BlocklistTransition[], at: Instant) => void = () => undefined,
): BlocklistTransition[] {
  const { zeroMs = 0, wallAtMs = (atMs) => WALL_AT_0 + atMs } = clocks;
  let atMs = zeroMs;
  return course.flatMap((moment, step) => {
    atMs += moment.afterMs;
    const at = { atMs, wallAtMs: wallAtMs(atMs, step) };
    const transitions = tell(blocklist, moment.happening, at);
    onStep(transitions, at);
    return transitions;
  });
}

const inShort = ({ address: server, list, change, listedForMs, atMs }: BlocklistTransition, zeroMs: number) => ({
  server,
  list,
  change,
  listedForMs,
  afterMs: atMs - zeroMs,
});

describe('whatever happens', () => {
  it('the verdicts are what the transitions add up to, and no transition repeats the one before', () => {
    fc.assert(
      fc.property(courses, (course) => {
        const blocklist = start();
        const folded = new Map<string, Set<BlocklistName>>(addresses.map((each) => [each, new Set()]));
        follow(course, blocklist, {}, (transitions) => {
          for (const { address: server, list, change } of transitions) {
            const lists = folded.get(server) ?? new Set();
            expect(lists.has(list)).toBe(change === 'released');
            if (change === 'listed') lists.add(list);
            else lists.delete(list);
          }
          for (const { address: server, lists } of blocklist.verdicts()) {
            expect(new Set(lists)).toEqual(folded.get(server));
          }
        });
      }),
    );
  });

  it('B14 B15 there is always a candidate, and a listed one only as a due retry or when no other is free', () => {
    fc.assert(
      fc.property(courses, fc.shuffledSubarray(candidates, { minLength: 1 }), (course, among) => {
        const blocklist = start();
        const view = new BlocklistView();
        follow(course, blocklist, {}, (_transitions, at) => {
          view.update(blocklist.verdicts(), blocklist.parameters.enabled);
          const choice = view.choose(among, at.atMs);
          const isListed = (each: { address: string }) => view.listsOf(each.address).length > 0;
          const order = choice?.order ?? among;
          expect(order.length).toBeGreaterThan(0);
          expect(new Set(order).size).toBe(order.length);
          if (among.every(isListed)) {
            expect(choice?.forced).toBe(true);
            expect(new Set(order)).toEqual(new Set(among));
          } else {
            const usual = order.filter(({ address: server }) => server !== choice?.retry);
            expect(usual).toEqual(among.filter((each) => !isListed(each)));
          }
          if (choice?.retry) {
            const due = blocklist.verdicts().find(({ address: server }) => server === choice.retry);
            expect(due?.lists).toEqual(['alive']);
            expect(due?.retryAtMs).toBeLessThanOrEqual(at.atMs);
            expect(view.choose(among, at.atMs)?.retry).not.toBe(choice.retry);
          }
        });
      }),
    );
  });

  it('clock never needed to be wall time: jumps of the wall clock, and another zero of the monotonic one, change nothing', () => {
    const jumps = fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(courses, jumps, fc.nat({ max: 1e9 }), (course, jump, zeroMs) => {
        const plain = follow(course, start());
        const jumping = follow(course, start(zeroMs), {
          zeroMs,
          wallAtMs: (atMs, step) => WALL_AT_0 + atMs + (jump[step % jump.length] ?? 0),
        });
        expect(jumping.map((each) => inShort(each, zeroMs))).toEqual(plain.map((each) => inShort(each, 0)));
      }),
    );
  });

  it('C17 B14 another process that goes on in the middle, from JSON, does what the first one would have done', () => {
    fc.assert(
      fc.property(courses, courses, (before, after) => {
        const blocklist = start();
        follow(before, blocklist);
        const zeroMs = before.reduce((sum, { afterMs }) => sum + afterMs, 0);
        const now = { atMs: zeroMs, wallAtMs: WALL_AT_0 + zeroMs };
        const other = new Blocklist(blocklist.parameters);
        other.goOn(JSON.parse(JSON.stringify(blocklist.kept(now))) as ReturnType<Blocklist['kept']>);
        const seenOf = (lists: Blocklist): unknown[] => {
          const known = (at: Instant) => [lists.verdicts(), addresses.map((server) => lists.details(server, at))];
          const seen: unknown[] = [lists.listed(), ...known(now)];
          follow(after, lists, { zeroMs }, (transitions, at) => seen.push(transitions, ...known(at)));
          return seen;
        };
        expect(seenOf(other)).toEqual(seenOf(blocklist));
      }),
    );
  });

  it('B11 B18 counts and listings are those of a naive model', () => {
    const plain = courses.map((course) =>
      course.filter(({ happening: { what } }) => what === 'fail' || what === 'succeed' || what === 'set'),
    );
    fc.assert(
      fc.property(plain, (course) => {
        const blocklist = start();
        const model = new NaiveModel(blocklist.parameters);
        let step = 0;
        follow(course, blocklist, {}, (_transitions, at) => {
          const moment = course[step++];
          if (moment !== undefined) model.tell(moment.happening, at.atMs);
          for (const row of blocklist.rows(at)) {
            expect([row.address, row.failuresInWindow, row.isAliveListed]).toEqual([
              row.address,
              model.count(row.address, at.atMs),
              model.listedAtMs.has(row.address),
            ]);
          }
        });
      }),
    );
  });
});

/** The alive list in the requirements' words, with a plain list of failures. */
class NaiveModel {
  readonly listedAtMs = new Map<string, number>();
  #failures: { readonly address: string; readonly atMs: number }[] = [];
  #parameters: CongestionParameters;

  constructor(parameters: CongestionParameters) {
    this.#parameters = parameters;
  }

  count(server: string, nowMs: number): number {
    const { failWindowMs } = this.#parameters;
    return this.#failures.filter((each) => each.address === server && nowMs - each.atMs <= failWindowMs).length;
  }

  tell(event: Happening, atMs: number): void {
    if (event.what === 'fail') this.#fail(event.address, event.kind, atMs);
    if (event.what === 'succeed') this.#succeed(event.address, atMs);
    if (event.what === 'set') this.#set(event.changes, atMs);
  }

  #fail(server: string, kind: FailureKind, atMs: number): void {
    this.#failures.push({ address: server, atMs });
    const isEnough = kind === 'connect-timeout' || this.count(server, atMs) >= this.#parameters.failureThreshold;
    if (isEnough) this.#enter(server, atMs);
  }

  #succeed(server: string, atMs: number): void {
    const listedAtMs = this.listedAtMs.get(server);
    if (listedAtMs === undefined || atMs - listedAtMs < this.#parameters.minKeepMs) return;
    this.listedAtMs.delete(server);
    this.#failures = this.#failures.filter((each) => each.address !== server);
  }

  #set(changes: Partial<CongestionParameters>, atMs: number): void {
    const before = this.#parameters;
    this.#parameters = { ...before, ...changes };
    const { failureThreshold, failWindowMs } = this.#parameters;
    if (failWindowMs !== before.failWindowMs) this.#failures = [];
    if (failWindowMs !== before.failWindowMs || failureThreshold > before.failureThreshold) this.listedAtMs.clear();
    if (failureThreshold <= 0) this.listedAtMs.clear();
    if (failureThreshold >= before.failureThreshold) return;
    for (const server of addresses) if (this.count(server, atMs) >= failureThreshold) this.#enter(server, atMs);
  }

  #enter(server: string, atMs: number): void {
    if (this.#parameters.failureThreshold > 0 && !this.listedAtMs.has(server)) this.listedAtMs.set(server, atMs);
  }
}
