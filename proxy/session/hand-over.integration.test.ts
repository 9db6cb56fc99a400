import { afterAll } from 'vitest';
import { demoBackend, mariaDbBackend } from '../testing/backends.ts';
import { describeWith } from '../testing/part.ts';
import { handOverSuite } from './suites/hand-over.suite.ts';

const databases = await mariaDbBackend();
const demo = await demoBackend();
afterAll(async () => {
  await databases.close();
  await demo.close();
});

describeWith(databases, 'two MariaDB servers: sessions between two generations', handOverSuite);
describeWith(demo, 'the demo cluster, plain: sessions between two generations', (backend) =>
  handOverSuite(backend, { enable_ob_protocol_v2: 'False' }),
);
describeWith(demo, 'the demo cluster, protocol 2.0: sessions between two generations', (backend) =>
  handOverSuite(backend, { enable_ob_protocol_v2: 'True' }),
);
describeWith(demo, 'the demo cluster, compressed protocol 2.0: sessions between two generations', (backend) =>
  handOverSuite(backend, { enable_ob_protocol_v2: 'True', compression_algorithm: 'zlib:6' }),
);
