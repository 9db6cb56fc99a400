import type { NextRequest } from 'next/server';
import { routes } from '../../../proxy/control/contract.ts';
import { findApiRoute } from './find-api-route.ts';
import { passEventsOn, passOn, sendOn } from './forward.ts';
import { problemResponse } from './problem.ts';

/**
 * The API for scripts: `/api/v1` and a route of the contract. The one thing that lets somebody in is an API token in the
 * Authorization header, which no other site can have a browser send; cookies are not looked at. No other origin is
 * allowed to read an answer, so that a token has no business in a page. Rights, shapes and history are the proxy's.
 */
export async function answerApi(request: NextRequest): Promise<Response> {
  const found = findApiRoute(request.method, request.nextUrl.pathname);
  if (found.name === null) {
    if (found.methods.length === 0) return problemResponse('NO_SUCH_ROUTE');
    const refusal = problemResponse('WRONG_METHOD');
    refusal.headers.set('allow', found.methods.join(', '));
    return refusal;
  }
  const { name, parameters } = found;
  const token = /^Bearer (odp_\w{1,100})$/i.exec(request.headers.get('authorization') ?? '')?.[1] ?? null;
  if (token === null && routes[name].permission !== 'public') {
    const refusal = problemResponse('NO_TOKEN');
    refusal.headers.set('www-authenticate', 'Bearer');
    return refusal;
  }
  return await sendOn(name, request, { token, parameters }, name === 'events' ? passEventsOn : passOn);
}
