import { forward } from '@/lib/bff/forward.ts';

/** Changes nothing; a POST because the question has a body. */
export const POST = forward('routingExplain');
