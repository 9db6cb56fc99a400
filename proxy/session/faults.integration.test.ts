import { afterAll } from 'vitest';
import { behindProxy, kernelBackend, mariaDbBackend } from '../testing/backends.ts';
import { describeWith } from '../testing/part.ts';
import { faultSuite } from './suites/fault.suite.ts';
import { faultTableSuite } from './suites/fault-table.suite.ts';

const parameters = { observer_query_timeout_delta: '1s' };
const kernels = await behindProxy(await kernelBackend(), parameters);
const mariaDb = await behindProxy(await mariaDbBackend(), parameters);
afterAll(async () => {
  await kernels.close();
  await mariaDb.close();
});

describeWith(kernels, 'two genuine kernels that fail', faultSuite);
describeWith(kernels, 'two genuine kernels that fail: every cell of crash and freeze', faultTableSuite);
describeWith(mariaDb, 'two MariaDB servers that fail', faultSuite);
