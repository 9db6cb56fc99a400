/** Part of `npm run docs`: docs/benchmarks.md and its chart, from the figures that are kept. */
import { writeBenchmarkDocs } from '../figures.ts';

await writeBenchmarkDocs();
