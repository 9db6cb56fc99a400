import { forward } from '@/lib/bff/forward.ts';

export const GET = forward('tokens');
export const POST = forward('makeToken');
