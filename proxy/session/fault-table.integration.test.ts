import { afterAll } from 'vitest';
import { behindProxy, demoBackend } from '../testing/backends.ts';
import { describeWith } from '../testing/part.ts';
import { faultTableSuite } from './suites/fault-table.suite.ts';

const demo = await behindProxy(await demoBackend(), { observer_query_timeout_delta: '1s' });
afterAll(() => demo.close());

describeWith(demo, 'the demo cluster fails', faultTableSuite);
