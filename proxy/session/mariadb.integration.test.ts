import { afterAll } from 'vitest';
import { behindProxy, mariaDbBackend } from '../testing/backends.ts';
import { describeWith } from '../testing/part.ts';
import { bulkSuite } from './suites/bulk.suite.ts';
import { differentialSuite } from './suites/differential.suite.ts';
import { mariaDbFieldCases } from './suites/field-cases.suite.ts';
import { loginSuite } from './suites/login.suite.ts';
import { databasePreparedSuite, preparedSuite } from './suites/prepared.suite.ts';
import { mariaDbStateSuite, stateSuite } from './suites/state.suite.ts';
import { databaseTransactionSuite, transactionSuite } from './suites/transaction.suite.ts';
import { wireSuite } from './suites/wire.suite.ts';

const servers = await behindProxy(await mariaDbBackend(['--max-connections=1000']));
afterAll(() => servers.close());

describeWith(servers, 'two MariaDB servers: session state', stateSuite);
describeWith(servers, 'two MariaDB servers: session state that only they have', mariaDbStateSuite);
describeWith(servers, 'two MariaDB servers: spellings and corners', mariaDbFieldCases);
describeWith(servers, 'two MariaDB servers: transactions', transactionSuite);
describeWith(servers, 'two MariaDB servers: transactions of a whole database', databaseTransactionSuite);
describeWith(servers, 'two MariaDB servers: prepared statements', preparedSuite);
describeWith(servers, 'two MariaDB servers: prepared statements with odd values', databasePreparedSuite);
describeWith(servers, 'two MariaDB servers: wire', wireSuite);
describeWith(servers, 'two MariaDB servers: log-in and kill', loginSuite);
describeWith(servers, 'two MariaDB servers: bulk', bulkSuite);
describeWith(servers, 'two MariaDB servers: compared with one', differentialSuite);
