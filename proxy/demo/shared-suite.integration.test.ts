import { afterAll } from 'vitest';
import { startKernel } from '../testing/kernel.ts';
import { describeWith } from '../testing/part.ts';
import { sharedSuite } from './shared-suite.ts';

const kernel = await startKernel();
afterAll(() => kernel.close());

describeWith(kernel, 'genuine kernel', ({ port }) => {
  sharedSuite('genuine kernel', () => ({ host: '127.0.0.1', port, user: 'root@sys' }));
});
