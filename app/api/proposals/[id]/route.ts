import { forward } from '@/lib/bff/forward.ts';

export const GET = forward('proposal');
