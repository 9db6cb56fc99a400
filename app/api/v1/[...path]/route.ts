import { answerApi } from '@/lib/bff/api-door.ts';

/** All of the API for scripts: the contract says which paths there are and what each takes. */
export { answerApi as DELETE, answerApi as GET, answerApi as PATCH, answerApi as POST, answerApi as PUT };
