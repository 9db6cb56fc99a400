import { afterAll } from 'vitest';
import { behindProxy, kernelBackend } from '../testing/backends.ts';
import { describeWith } from '../testing/part.ts';
import { bulkSuite } from './suites/bulk.suite.ts';
import { differentialSuite } from './suites/differential.suite.ts';
import { changedReplySuite, framingSuite } from './suites/framing.suite.ts';
import { loginSuite } from './suites/login.suite.ts';
import { databasePreparedSuite, preparedSuite } from './suites/prepared.suite.ts';
import { oceanBaseStateSuite, stateSuite } from './suites/state.suite.ts';
import { databaseTransactionSuite, transactionSuite } from './suites/transaction.suite.ts';
import { wireSuite } from './suites/wire.suite.ts';

const kernels = await behindProxy(await kernelBackend());
afterAll(() => kernels.close());

describeWith(kernels, 'two genuine kernels: session state', stateSuite);
describeWith(kernels, 'two genuine kernels: session state that only they have', oceanBaseStateSuite);
describeWith(kernels, 'two genuine kernels: transactions', transactionSuite);
describeWith(kernels, 'two genuine kernels: transactions of a whole database', databaseTransactionSuite);
describeWith(kernels, 'two genuine kernels: prepared statements', preparedSuite);
describeWith(kernels, 'two genuine kernels: prepared statements with odd values', databasePreparedSuite);
describeWith(kernels, 'two genuine kernels: wire', wireSuite);
describeWith(kernels, 'two genuine kernels: log-in and kill', loginSuite);
describeWith(kernels, 'two genuine kernels: bulk', bulkSuite);
describeWith(kernels, 'two genuine kernels: compared with one', differentialSuite);

describeWith(kernels, 'two genuine kernels: protocol 2.0', (px) => framingSuite(px, 'frames'));
describeWith(kernels, 'two genuine kernels: protocol 2.0, replies that arrive changed', changedReplySuite);
