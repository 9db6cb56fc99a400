import { forward } from '@/lib/bff/forward.ts';

/** Answers once the proxy does: 200 with its state. Open to everybody. */
export const GET = forward('health');
