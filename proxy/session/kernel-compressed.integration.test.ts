import { afterAll, beforeAll } from 'vitest';
import { behindProxy, kernelBackend, type ProxiedBackend } from '../testing/backends.ts';
import { describeWith } from '../testing/part.ts';
import { framingSuite } from './suites/framing.suite.ts';
import { preparedSuite } from './suites/prepared.suite.ts';
import { transactionSuite } from './suites/transaction.suite.ts';
import { wireSuite } from './suites/wire.suite.ts';

const kernels = await behindProxy(await kernelBackend());
afterAll(() => kernels.close());

/** What is switched holds for server sessions that are opened from then on. */
function switched(px: ProxiedBackend): void {
  beforeAll(async () => {
    const admin = await px.proxy.admin();
    await admin.query("ALTER PROXYCONFIG SET compression_algorithm = 'zlib:1'");
    await admin.end();
  });
  framingSuite(px, 'zlib');
}

describeWith(kernels, 'two genuine kernels, compressed protocol 2.0: framing', switched);
describeWith(kernels, 'two genuine kernels, compressed protocol 2.0: transactions', transactionSuite);
describeWith(kernels, 'two genuine kernels, compressed protocol 2.0: prepared statements', preparedSuite);
describeWith(kernels, 'two genuine kernels, compressed protocol 2.0: wire', wireSuite);
