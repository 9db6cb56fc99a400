import { forward } from '@/lib/bff/forward.ts';
import { dropToken } from '@/lib/bff/session.ts';

export const POST = forward('logout', dropToken);
