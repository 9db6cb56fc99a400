import { forward } from '@/lib/bff/forward.ts';
import { keepToken } from '@/lib/bff/session.ts';

export const POST = forward('login', keepToken);
