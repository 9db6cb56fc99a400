/** `npm run docs` begins with it: after a change of prisma/schema.prisma nothing compiles before. */
import { makeDatabaseClient } from './set-up/steps.mjs';

await makeDatabaseClient(console.log);
