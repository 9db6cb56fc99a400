import { forward, passEventsOn } from '@/lib/bff/forward.ts';

/** Server-sent events, passed through as they come. */
export const GET = forward('events', passEventsOn);
