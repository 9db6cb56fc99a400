/** Property tests draw the same values in every run: what is red here is red everywhere. Run by vitest before each file. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_201 });
