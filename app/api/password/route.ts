import { forward } from '@/lib/bff/forward.ts';
import { keepToken } from '@/lib/bff/session.ts';

/** A changed password ends all sessions; the answer opens a new one, as a log-in does. */
export const POST = forward('changePassword', keepToken);
