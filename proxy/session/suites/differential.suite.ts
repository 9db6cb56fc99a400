import type { Connection } from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ProxiedBackend, testDatabase } from '../../testing/backends.ts';
import { RawClient } from '../../testing/raw-client.ts';
import { generatedSequences } from '../testing/differential/generated.ts';
import { handPicked } from '../testing/differential/hand-picked.ts';
import { runSequence, type StepRecord } from '../testing/differential/run-sequence.ts';
import type { Sequence } from '../testing/differential/step.ts';

const GENERATED = 260;
/** So many are compared in any case. */
const LEAST = 300;
const IN_ONE_TEST = 20;

/**
 * C1, C4: a client behind the proxy sees, packet by packet, what it would see from one server: results, types, status
 * flags, warning counts, insert ids, errors. Each sequence is run past the proxy on one server, and through it with
 * tables that lead at two; neither holds the other's changes, so that each statement must have met the right one.
 */
export function differentialSuite(px: ProxiedBackend): void {
  const isWanted = ({ onlyOceanBase }: Sequence): boolean => px.backend.isOceanBase || !onlyOceanBase;
  const sequences = [...handPicked.filter(isWanted), ...generatedSequences(GENERATED, isWanted)];
  const admins: Connection[] = [];

  beforeAll(async () => {
    for (const server of [0, 1]) {
      const admin = await px.backend.direct(server);
      admins.push(admin);
      for (const table of px.tables) {
        await admin.query(`ALTER TABLE ${testDatabase}.${table} MODIFY id bigint NOT NULL AUTO_INCREMENT`);
      }
    }
  });
  afterAll(async () => {
    // The last sequence has left its changes behind.
    await refill({ countsAnew: false });
    for (const admin of admins) await admin.end();
  });

  const refill = async ({ countsAnew }: Pick<Sequence, 'countsAnew'>): Promise<void> => {
    for (const admin of admins) {
      for (const table of px.tables) {
        const name = `${testDatabase}.${table}`;
        await admin.query(countsAnew ? `TRUNCATE TABLE ${name}` : `DELETE FROM ${name}`);
        await admin.query(`INSERT INTO ${name} VALUES (1, 'one'), (2, 'two'), (3, 'three')`);
      }
    }
  };

  const runBy = async (client: RawClient, sequence: Sequence): Promise<StepRecord[]> => {
    await refill(sequence);
    try {
      return await runSequence(client, sequence, px.tables);
    } finally {
      client.destroy();
    }
  };

  const direct = async (): Promise<RawClient> => {
    const client = await RawClient.connect(px.backend.servers[0]?.port ?? 0);
    await client.login({ user: px.backend.user, password: px.backend.password, database: testDatabase });
    return client;
  };

  it(`there are at least ${LEAST} sequences, each with a name of its own`, () => {
    expect(new Set(sequences.map(({ name }) => name)).size).toBeGreaterThanOrEqual(LEAST);
  });

  describe('C1 C4 C11 C12 the same packets as from one server', () => {
    for (let from = 0; from < sequences.length; from += IN_ONE_TEST) {
      const some = sequences.slice(from, from + IN_ONE_TEST);
      it(`${some[0]?.name} … ${some.at(-1)?.name}`, async () => {
        for (const sequence of some) {
          const expected = await runBy(await direct(), sequence);
          const actual = await runBy(await px.raw(), sequence);
          expect(actual, sequence.name).toEqual(expected);
        }
      });
    }
  });
}
