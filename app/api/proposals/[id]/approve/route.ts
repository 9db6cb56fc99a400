import { forward } from '@/lib/bff/forward.ts';

export const POST = forward('approveProposal');
