import { defineConfig } from 'prisma/config';

/** For Prisma's command line only (`prisma generate`, `prisma migrate deploy`); the proxy applies migrations itself. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: 'file:./data/odp.db' },
});
