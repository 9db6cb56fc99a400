import { forward } from '@/lib/bff/forward.ts';

export const GET = forward('users');
export const POST = forward('createUser');
