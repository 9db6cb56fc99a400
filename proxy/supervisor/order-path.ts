import { join } from 'node:path';

/** Where the running product takes orders of the command line. Not longer than the control socket's name. */
export const orderSocketPath = (home: string): string => join(home, 'run', 'order.sock');
