import { createSecureContext } from 'node:tls';
import { afterAll } from 'vitest';
import { demoBackend, mariaDbBackend } from '../testing/backends.ts';
import { makeCertificate } from '../testing/certificates.ts';
import { describeWith } from '../testing/part.ts';
import { handOverSuite, tlsHandOverSuite } from './suites/hand-over.suite.ts';

const databases = await mariaDbBackend();
const demo = await demoBackend();
const authority = makeCertificate('authority');
const { certificate, key } = makeCertificate('server', authority);
const demoInTls = await demoBackend({ cert: certificate, key });
afterAll(async () => {
  await demoInTls.close();
  await databases.close();
  await demo.close();
});

describeWith(databases, 'two MariaDB servers: sessions between two generations', handOverSuite);
describeWith(demo, 'the demo cluster, plain: sessions between two generations', (backend) =>
  handOverSuite(backend, { enable_ob_protocol_v2: 'False' }),
);
describeWith(demo, 'the demo cluster, protocol 2.0: sessions between two generations', (backend) =>
  handOverSuite(backend, { enable_ob_protocol_v2: 'True', enable_transaction_internal_routing: 'True' }),
);
describeWith(demo, 'the demo cluster, compressed protocol 2.0: sessions between two generations', (backend) =>
  handOverSuite(backend, { enable_ob_protocol_v2: 'True', compression_algorithm: 'zlib:6' }),
);
describeWith(demoInTls, 'the demo cluster, over TLS: sessions between two generations', (backend) =>
  tlsHandOverSuite(backend, createSecureContext({ ca: authority.certificate })),
);
