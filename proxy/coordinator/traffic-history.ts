/**
 * What the zones were given to do, and how much of it failed, over the last hours. In rings of fixed size: a cluster of
 * 500 servers takes no more memory than one of three, and whoever lets zones come and go fills no more than `MAX_ZONES`.
 */
import type { Traffic } from '../control/contract.ts';
import type { TrafficQuery, TrafficService } from '../control/traffic-service.ts';
import type { WorkerReport } from '../worker/calls.ts';

/** Counts are kept for each piece of time of this length. */
export const STEP_MS = 5_000;
/** Pieces kept: four hours. */
export const SLOTS = 2_880;
/** Zones counted apart, over all clusters; what others do is counted together. A zone takes 23 KB. */
export const MAX_ZONES = 64;
/** Points of an answer at most. */
const POINTS = 180;
/** Workers report once a second; a piece of time is told when what happened in it must have come in. */
const REPORT_MS = 1_000;
const LATE_MS = 500;

interface Series {
  /** Empty for the one that counts what the others have no room for. */
  readonly cluster: string;
  readonly zone: string;
  readonly statements: Uint32Array;
  readonly errors: Uint32Array;
  /** Piece of time in which something was counted last. */
  lastSlot: number;
}

export class TrafficHistory implements TrafficService {
  readonly #now: () => number;
  readonly #zoneOf: (cluster: string, address: string) => string;
  readonly #series = new Map<string, Series>();
  /** Counting began here: nothing is known of what was before. */
  readonly #firstSlot: number;
  #newestSlot: number;
  /** Of the last report of each worker. */
  readonly #reportedAtMs = new Map<number, number>();

  /**
   * @param now wall clock, milliseconds
   * @param zoneOf empty: not known
   */
  constructor(now: () => number, zoneOf: (cluster: string, address: string) => string) {
    this.#now = now;
    this.#zoneOf = zoneOf;
    this.#firstSlot = slotOf(now());
    this.#newestSlot = this.#firstSlot;
  }

  /** A worker has reported. @param before its last report; that of a new worker has no counts */
  add(worker: number, before: WorkerReport, report: WorkerReport): void {
    const nowMs = this.#now();
    this.#advance(slotOf(nowMs));
    const sinceMs = Math.max(this.#reportedAtMs.get(worker) ?? 0, nowMs - REPORT_MS);
    this.#reportedAtMs.set(worker, nowMs);
    // The part of the time reported that lies in the piece before: else even traffic would seem to come in waves.
    const borderMs = this.#newestSlot * STEP_MS;
    const olderPart =
      this.#newestSlot === this.#firstSlot || sinceMs >= borderMs || nowMs <= sinceMs
        ? 0
        : Math.min(1, (borderMs - sinceMs) / (nowMs - sinceMs));
    for (const [cluster, { servers }] of Object.entries(report.clusters)) {
      const known = before.clusters[cluster]?.servers;
      for (const [address, { requests, errors }] of Object.entries(servers)) {
        const statements = growth(known?.[address]?.requests, requests);
        const failed = growth(known?.[address]?.errors, errors);
        if (statements === 0 && failed === 0) continue;
        const series = this.#seriesOf(cluster, this.#zoneOf(cluster, address));
        this.#count(series, series.statements, statements, olderPart);
        this.#count(series, series.errors, failed, olderPart);
      }
    }
  }

  window({ minutes, to }: TrafficQuery): Traffic {
    const nowMs = this.#now();
    this.#advance(slotOf(nowMs));
    const slotsEach = Math.max(1, Math.ceil((minutes * 60_000) / POINTS / STEP_MS));
    const complete = Math.min(slotOf(nowMs - REPORT_MS - LATE_MS), this.#newestSlot);
    const wanted = to === undefined ? complete : Math.min(complete, slotOf(Date.parse(to)));
    // Points lie at multiples of their length, so that they are the same ones whenever they are asked for.
    const end = Math.floor(wanted / slotsEach) * slotsEach;
    const points = Math.ceil((minutes * 60_000) / STEP_MS / slotsEach);
    const begin = end - points * slotsEach;
    const counts = (ring: Uint32Array): (number | null)[] =>
      Array.from({ length: points }, (_, point) => this.#sum(ring, begin + point * slotsEach, slotsEach));
    return {
      at: new Date(nowMs).toISOString(),
      from: new Date(begin * STEP_MS).toISOString(),
      stepMs: slotsEach * STEP_MS,
      since: new Date(this.#firstSlot * STEP_MS).toISOString(),
      zones: [...this.#series.values()]
        .sort((one, other) => orderOf(one).localeCompare(orderOf(other)))
        .map(({ cluster, zone, statements, errors }) => ({
          cluster,
          zone,
          statements: counts(statements),
          errors: counts(errors),
        })),
    };
  }

  /** Null: not known, since counting began later or it is too long ago. */
  #sum(ring: Uint32Array, from: number, slots: number): number | null {
    if (from < this.#firstSlot || from <= this.#newestSlot - SLOTS) return null;
    let sum = 0;
    for (let slot = from; slot < from + slots; slot++) sum += ring[slot % SLOTS] ?? 0;
    return sum;
  }

  #count(series: Series, ring: Uint32Array, count: number, olderPart: number): void {
    if (count === 0) return;
    const older = Math.round(count * olderPart);
    add(ring, this.#newestSlot - 1, older);
    add(ring, this.#newestSlot, count - older);
    series.lastSlot = this.#newestSlot;
  }

  /** A clock that is set back counts on in the piece of time that is the newest. */
  #advance(slot: number): void {
    if (slot <= this.#newestSlot) return;
    const passed = Math.min(slot - this.#newestSlot, SLOTS);
    for (const { statements, errors } of this.#series.values()) {
      for (let index = slot - passed + 1; index <= slot; index++) {
        statements[index % SLOTS] = 0;
        errors[index % SLOTS] = 0;
      }
    }
    this.#newestSlot = slot;
  }

  #seriesOf(cluster: string, zone: string): Series {
    const key = keyOf(cluster, zone);
    const known = this.#series.get(key);
    if (known !== undefined) return known;
    if (this.#series.size >= MAX_ZONES) this.#forgetSilent();
    const isRoom = this.#series.size < MAX_ZONES;
    const rest = isRoom ? undefined : this.#series.get(keyOf('', ''));
    if (rest !== undefined) return rest;
    const series = {
      ...(isRoom ? { cluster, zone } : { cluster: '', zone: '' }),
      statements: new Uint32Array(SLOTS),
      errors: new Uint32Array(SLOTS),
      lastSlot: this.#newestSlot,
    };
    this.#series.set(keyOf(series.cluster, series.zone), series);
    return series;
  }

  /** Zones of which nothing is left in the rings give up their room. */
  #forgetSilent(): void {
    for (const [key, { lastSlot }] of this.#series) {
      if (lastSlot <= this.#newestSlot - SLOTS) this.#series.delete(key);
    }
  }
}

const slotOf = (atMs: number): number => Math.floor(atMs / STEP_MS);
const keyOf = (cluster: string, zone: string): string => JSON.stringify([cluster, zone]);
/** What is counted together comes last. */
const orderOf = ({ cluster, zone }: Series): string => (cluster === '' ? '\uffff' : `${cluster} ${zone}`);

/** A count that is smaller than before began anew. */
function growth(before: number | undefined, now: number): number {
  return before === undefined || now < before ? now : now - before;
}

function add(ring: Uint32Array, slot: number, count: number): void {
  ring[slot % SLOTS] = (ring[slot % SLOTS] ?? 0) + count;
}
