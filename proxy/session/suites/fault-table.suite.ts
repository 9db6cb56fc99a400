import type { RowDataPacket } from 'mysql2/promise';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type ProxiedBackend, testDatabase } from '../../testing/backends.ts';
import { errorLine, type RawClient, type RawPacket, textRows } from '../../testing/raw-client.ts';
import { STATUS } from '../../wire/constants.ts';
import { parseOk } from '../../wire/ok-packet.ts';
import { framePackets } from '../../wire/writer.ts';
import { type Prepared, runStep } from '../testing/differential/run-sequence.ts';
import type { Step } from '../testing/differential/step.ts';
import { type FaultBed, faultBed } from '../testing/fault-bed.ts';
import { type Activity, activities, type FaultName, faultTable, type Outcome } from '../testing/fault-table.ts';

/** `ob_query_timeout` of the sessions, microseconds; the proxy waits `observer_query_timeout_delta` = 1 s longer. */
const QUERY_TIMEOUT_US = 300_000;
/** A large result takes its time, also when nothing is wrong. */
const LONG_TIMEOUT = '/*+ query_timeout(3000000) */';
const COM_QUERY = 3;

/** What a client got in the end. */
type Seen =
  | { readonly kind: 'answer'; readonly packets: readonly RawPacket[] }
  | { readonly kind: 'error'; readonly line: string }
  | { readonly kind: 'closed' };

/** Goes on where the fault came, and tells what came of it. */
type Finish = () => Promise<RawPacket[]>;

/** Every cell of the table for the faults that the bed can make (C6, C7, C13–C16). */
export function faultTableSuite(px: ProxiedBackend): void {
  const names = (Object.keys(faultTable) as FaultName[]).filter(
    (name) => px.backend.faults !== null || name === 'crash' || name === 'freeze',
  );
  let bed: FaultBed;
  beforeAll(() => {
    bed = faultBed(px);
  });
  afterEach(async () => {
    await bed.recover();
    const direct = await px.backend.direct(0);
    await direct.query(`DELETE FROM ${testDatabase}.${px.tables[0]} WHERE id > 3`);
    await direct.query(`UPDATE ${testDatabase}.${px.tables[0]} SET v = 'one' WHERE id = 1`);
    await direct.end();
  });

  describe.each(names)('%s', (name) => {
    const requirements = name === 'leader switch' ? 'C7 C13' : name === 'query time-out' ? 'C15' : 'C6 C14 C16';
    it.each(Object.keys(activities) as Activity[])(`${requirements} ${name}: %s`, async (activity) => {
      const run = new CellRun(px, await px.raw(), bed);
      await run.prepareSession(activity);
      const finish = await run.begin(activity);
      await bed.faults[name]?.();
      const seen = await see(finish);
      run.client.resumeReading();
      await run.expectSeen(faultTable[name][activity], activity, seen);
      await bed.recover();
      // A statement has failed, and its transaction goes on.
      if (activity === 'transaction' && faultTable[name][activity] === 'passed') await run.rollBack();
      await run.expectUsable(seen);
      await run.expectEffect(activity, seen);
      run.client.destroy();
    });
  });
}

async function see(finish: Finish): Promise<Seen> {
  try {
    const packets = await finish();
    const error = packets.find(({ payload }) => payload[0] === 0xff);
    return error === undefined ? { kind: 'answer', packets } : { kind: 'error', line: errorLine(error.payload) };
  } catch (error) {
    if (error instanceof Error && error.message.startsWith('the connection ended')) return { kind: 'closed' };
    throw error;
  }
}

class CellRun {
  readonly client: RawClient;
  readonly #px: ProxiedBackend;
  readonly #bed: FaultBed;
  readonly #first: string;
  readonly #prepared = new Map<string, Prepared>();

  constructor(px: ProxiedBackend, client: RawClient, bed: FaultBed) {
    this.#px = px;
    this.client = client;
    this.#bed = bed;
    this.#first = px.tables[0];
  }

  /** State that has to be there again in the end: a variable, and a statement prepared at the server that will fail. */
  async prepareSession(activity: Activity): Promise<void> {
    const { name, value } = this.#px.backend.setting;
    if (activity !== 'result' && this.#px.backend.isOceanBase) {
      await this.#query(`SET ob_query_timeout = ${QUERY_TIMEOUT_US}`);
    }
    await this.#query(`SET ${name} = ${JSON.stringify(value)}`);
    await this.#step({ kind: 'prepare', name: 'kept', sql: `SELECT v FROM ${this.#first} WHERE id = ?` });
    await this.#step({ kind: 'execute', name: 'kept', values: [2] });
    await this.#query(`SELECT v FROM ${this.#px.tables[1]} WHERE id = 2`);
    await this.#query(`SELECT v FROM ${this.#first} WHERE id = 2`);
  }

  /** Brings the client to where the fault is to come. */
  async begin(activity: Activity): Promise<Finish> {
    const first = this.#first;
    const read = `SELECT v FROM ${first} WHERE id = 2`;
    const change = `UPDATE ${first} SET v = CONCAT(v, '+') WHERE id = 1`;
    switch (activity) {
      case 'idle':
        return () => this.client.query(read);
      case 'transaction':
        await this.#query('BEGIN');
        await this.#query(change);
        return () => this.client.query(`SELECT v FROM ${first} WHERE id = 1`);
      case 'write':
        return this.#held({ kind: 'query', sql: change });
      case 'read':
        return this.#held({ kind: 'query', sql: read });
      case 'prepare':
        return this.#held({ kind: 'prepare', name: 'new', sql: `SELECT id, v FROM ${first} WHERE id > ?` });
      case 'result':
        return this.#beginResult();
      case 'cursor':
        await this.#step({ kind: 'prepare', name: 'rows', sql: `SELECT id FROM ${first} ORDER BY id` });
        await this.#step({ kind: 'cursor', name: 'rows', values: [], rows: 1 });
        return () => this.#run({ kind: 'fetch', name: 'rows', rows: 10 });
      case 'load':
        return this.#beginLoad();
    }
  }

  /** Sends a request that the server takes and does not begin before the fault has come. */
  async #held(step: Step): Promise<Finish> {
    this.#bed.hold();
    const answer = this.#run(step);
    // Who waits for it comes later.
    answer.catch(() => undefined);
    await this.#bed.untilHeld();
    return () => {
      this.#bed.letGo();
      return answer;
    };
  }

  /** More than all the buffers on the way hold: the server is in the middle of it when its client stops to read. */
  async #beginResult(): Promise<Finish> {
    const joined = ['b', 'c', 'd', 'e', 'f', 'g'].map((alias) => `, ${this.#first} ${alias}`).join('');
    this.client.command(COM_QUERY, `SELECT ${LONG_TIMEOUT} a.id, REPEAT('x', 20000) FROM ${this.#first} a${joined}`);
    const begun = [await this.client.packet(), await this.client.packet()];
    this.client.pauseReading();
    return async () => {
      this.client.resumeReading();
      for (let marks = 0; marks < 2; ) {
        const packet = await this.client.packet();
        begun.splice(0, begun.length, packet);
        if (packet.payload[0] === 0xff) break;
        if (packet.payload[0] === 0xfe && packet.payload.length < 9) marks++;
      }
      return begun;
    };
  }

  async #beginLoad(): Promise<Finish> {
    this.client.command(COM_QUERY, `LOAD DATA LOCAL INFILE 'rows' INTO TABLE ${this.#first} (id, v)`);
    const asked = await this.client.packet();
    if (asked.payload[0] !== 0xfb) throw new Error(`no request for the file: ${asked.payload.toString('latin1')}`);
    await this.client.flush(framePackets(Buffer.from('50\tfifty\n'), asked.sequence + 1));
    return async () => {
      this.client.write(framePackets(Buffer.from('51\tfifty-one\n'), asked.sequence + 2));
      this.client.write(framePackets(Buffer.alloc(0), asked.sequence + 3));
      return [await this.client.packet()];
    };
  }

  async expectSeen(outcome: Outcome, activity: Activity, seen: Seen): Promise<void> {
    const ended = activity === 'transaction' ? /transaction has ended/ : /./;
    switch (outcome) {
      case 'served':
        expect(seen).toMatchObject({ kind: 'answer' });
        break;
      case 'passed':
        expect(seen).toEqual({ kind: 'error', line: expect.stringMatching(/^4012 /) });
        break;
      case 'lost':
        expect(seen).toEqual({ kind: 'error', line: expect.stringMatching(/^10014 /) });
        break;
      case 'late':
        expect(seen).toEqual({ kind: 'error', line: expect.stringMatching(/^10015 /) });
        break;
      case 'cut short':
        if (seen.kind !== 'closed') {
          expect(seen).toEqual({ kind: 'error', line: expect.stringMatching(/^1001[45] /) });
        }
        break;
    }
    if (seen.kind === 'error' && outcome !== 'passed') expect(seen.line).toMatch(ended);
    if (activity === 'transaction' && outcome === 'served') await this.#query('COMMIT');
  }

  async rollBack(): Promise<void> {
    await this.#query('ROLLBACK');
  }

  /** The connection goes on, outside a transaction, with all its state, at the other server and at the one that failed. */
  async expectUsable(seen: Seen): Promise<void> {
    if (seen.kind === 'closed') return this.client.closed;
    const { name, value } = this.#px.backend.setting;
    for (const table of [this.#px.tables[1], this.#first]) {
      const rows = await this.#query(`SELECT v, @@${name} FROM ${table} WHERE id = 2`);
      expect(textRows(rows)).toEqual([['two', String(value)]]);
      expect((rows.at(-1)?.payload.readUInt16LE(3) ?? STATUS.IN_TRANS) & STATUS.IN_TRANS).toBe(0);
    }
    const executed = await this.#step({ kind: 'execute', name: 'kept', values: [3] });
    expect(executed.some(({ payload }) => payload.includes('three'))).toBe(true);
    expect(parseOk((await this.#query('DO 0'))[0]?.payload ?? Buffer.alloc(0), false).status & STATUS.IN_TRANS).toBe(0);
  }

  /** A change has been made once, or not at all; a client that was told of success finds it. */
  async expectEffect(activity: Activity, seen: Seen): Promise<void> {
    const direct = await this.#px.backend.direct(0);
    const [rows] = await direct.query<RowDataPacket[]>(`SELECT v FROM ${testDatabase}.${this.#first} WHERE id = 1`);
    const [loaded] = await direct.query<RowDataPacket[]>(`SELECT id FROM ${testDatabase}.${this.#first} WHERE id > 3`);
    await direct.end();
    const isServed = seen.kind === 'answer';
    const changes = activity === 'write' || activity === 'transaction';
    if (!changes) expect(rows).toEqual([{ v: 'one' }]);
    else if (isServed) expect(rows).toEqual([{ v: 'one+' }]);
    else if (activity === 'transaction') expect(rows).toEqual([{ v: 'one' }]);
    else expect(['one', 'one+']).toContain(rows[0]?.v);
    if (activity !== 'load') expect(loaded).toEqual([]);
    else if (isServed) expect(loaded).toHaveLength(2);
    else expect([0, 2]).toContain(loaded.length);
  }

  async #query(sql: string): Promise<RawPacket[]> {
    return this.#step({ kind: 'query', sql });
  }

  /** A step that has to work. */
  async #step(step: Step): Promise<RawPacket[]> {
    const packets = await this.#run(step);
    const error = packets.find(({ payload }) => payload[0] === 0xff);
    if (error !== undefined) throw new Error(`${JSON.stringify(step)}: ${errorLine(error.payload)}`);
    return packets;
  }

  #run(step: Step): Promise<RawPacket[]> {
    return runStep(this.client, step, this.#prepared, (sql) => sql);
  }
}
