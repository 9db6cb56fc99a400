/** What pages and route handlers do with a session, on the server. */
import type { IncomingMessage } from 'node:http';
import { cookies, headers } from 'next/headers';
import type { z } from 'zod';
import { loginResponseSchema, type RouteName, type User, userSchema } from '../../../proxy/control/contract.ts';
import { clientAddressHeader } from '../../server/client-address.ts';
import { ControlUnreachable, callControl, readJson } from './control.ts';
import { passOn } from './forward.ts';
import { problemResponse } from './problem.ts';
import { closeSessionCookie, openSessionCookie, sessionCookieName } from './session-cookie.ts';

/** Who is signed in, or null; `unreachable` when the proxy does not answer, which is no reason to sign anyone out. */
export async function currentUser(): Promise<User | null | 'unreachable'> {
  if (!(await cookies()).has(sessionCookieName())) return null;
  const answer = await askControl('me');
  if (answer === 'unreachable') return 'unreachable';
  if (answer.statusCode !== 200) {
    answer.resume();
    return answer.statusCode === 401 || answer.statusCode === 403 ? null : 'unreachable';
  }
  return userSchema.parse(await readJson(answer));
}

/** What a page shows at first; undefined when the proxy gives none (the page then asks again from the browser). */
export async function readControl<T extends z.ZodType>(
  name: RouteName,
  schema: T,
  search = '',
): Promise<z.infer<T> | undefined> {
  const answer = await askControl(name, search);
  if (answer === 'unreachable') return undefined;
  if (answer.statusCode !== 200) {
    answer.resume();
    return undefined;
  }
  return schema.parse(await readJson(answer));
}

/** Ends a log-in: the token goes into the cookie and nowhere else (scripts in the page never see it). */
export async function keepToken(answer: IncomingMessage): Promise<Response> {
  if (answer.statusCode !== 200) return passOn(answer);
  const parsed = loginResponseSchema.safeParse(await readJson(answer));
  if (!parsed.success) return problemResponse('CONTROL_MALFORMED');
  const { token, expiresAt, user } = parsed.data;
  return Response.json(
    { user, expiresAt },
    { headers: { 'cache-control': 'no-store', 'set-cookie': openSessionCookie(token, expiresAt) } },
  );
}

/** Ends a log-out: the cookie goes whatever the proxy said. */
export async function dropToken(answer: IncomingMessage): Promise<Response> {
  const response = await passOn(answer);
  response.headers.set('set-cookie', closeSessionCookie());
  return response;
}

async function askControl(name: RouteName, search = ''): Promise<IncomingMessage | 'unreachable'> {
  const token = (await cookies()).get(sessionCookieName())?.value ?? null;
  const origin = (await headers()).get(clientAddressHeader) ?? 'unknown';
  try {
    return await callControl(name, { token, origin, search });
  } catch (error) {
    if (error instanceof ControlUnreachable) return 'unreachable';
    throw error;
  }
}
