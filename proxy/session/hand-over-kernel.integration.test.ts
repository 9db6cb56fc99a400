import { afterAll } from 'vitest';
import { kernelBackend } from '../testing/backends.ts';
import { describeWith } from '../testing/part.ts';
import { handOverSuite } from './suites/hand-over.suite.ts';

const kernels = await kernelBackend();
afterAll(() => kernels.close());

describeWith(kernels, 'two genuine kernels, protocol 2.0: sessions between two generations', handOverSuite);
describeWith(kernels, 'two genuine kernels, compressed protocol 2.0: sessions between two generations', (backend) =>
  handOverSuite(backend, { compression_algorithm: 'zlib:1' }),
);
describeWith(kernels, 'two genuine kernels, plain: sessions between two generations', (backend) =>
  handOverSuite(backend, { enable_ob_protocol_v2: 'False' }),
);
