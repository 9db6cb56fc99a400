import { forward } from '@/lib/bff/forward.ts';

export const GET = forward('parameters');
export const POST = forward('changeParameters');
