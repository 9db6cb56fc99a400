import { expect, it } from 'vitest';
import { type MetadataRow, ServerError } from './metadata-connection.ts';
import type { ClusterTopology } from './topology.ts';
import { variableFlags } from './variable-flags.ts';

const ask = (query: () => MetadataRow[]) =>
  variableFlags({
    query: async () => query(),
    topology: () => ({ servers: [{ address: 'a', state: 'ACTIVE' }] }) as unknown as ClusterTopology,
    nowMs: () => 0,
    lifetimeMs: 1,
  }).get();

it('flags of system variables come by name; a server that is no OceanBase has none', async () => {
  const rows = [
    { name: 'autocommit', flags: '131' },
    { name: 'license', flags: '5' },
    { name: null, flags: '1' },
  ];
  expect(await ask(() => rows)).toEqual(
    new Map([
      ['autocommit', 131],
      ['license', 5],
    ]),
  );
  const absent = ask(() => {
    throw new ServerError(1146, 'no such table');
  });
  expect(await absent).toBeNull();
});
