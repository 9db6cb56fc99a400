import { forward } from '@/lib/bff/forward.ts';

/** The API's document for the console's own page of it. */
export const GET = forward('openapi');
