import { afterAll } from 'vitest';
import { behindProxy, demoBackend } from '../testing/backends.ts';
import { describeWith } from '../testing/part.ts';
import { loginSuite } from './suites/login.suite.ts';
import { preparedSuite } from './suites/prepared.suite.ts';
import { transactionSuite } from './suites/transaction.suite.ts';
import { wireSuite } from './suites/wire.suite.ts';

// C5 is the default mode; C9 has tests of its own.
const demo = await behindProxy(await demoBackend(), { enable_transaction_internal_routing: 'False' });
afterAll(() => demo.close());

describeWith(demo, 'demo cluster: transactions', transactionSuite);
describeWith(demo, 'demo cluster: prepared statements', preparedSuite);
describeWith(demo, 'demo cluster: wire', wireSuite);
describeWith(demo, 'demo cluster: log-in and kill', loginSuite);
