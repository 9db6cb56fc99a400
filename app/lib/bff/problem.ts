import type { Problem } from '../../../proxy/control/contract.ts';

/** Refusals that the console makes itself, before the proxy is asked; same shape as the proxy's own (RFC 9457). */
const problems = {
  CROSS_SITE: [403, 'Refused', 'The request came from another site.'],
  NO_SESSION: [401, 'Not signed in', 'There is no session. Sign in first.'],
  NO_TOKEN: [401, 'No API token', 'Send an API token: Authorization: Bearer odp_…'],
  NO_SUCH_ROUTE: [404, 'Not found', 'The API has no such path. GET /api/v1/openapi.json lists all.'],
  WRONG_METHOD: [405, 'Method not allowed', 'The path takes another method.'],
  NOT_JSON: [415, 'Wrong content type', 'The body must be JSON (content type application/json).'],
  BAD_JSON: [400, 'Malformed body', 'The body is not valid JSON.'],
  BODY_TOO_LARGE: [413, 'Body too large', 'The body is larger than 256 KiB.'],
  CONTROL_UNREACHABLE: [503, 'Proxy not reachable', 'The proxy does not answer. It may be starting or stopping.'],
  CONTROL_MALFORMED: [502, 'Unexpected answer', 'The proxy gave an answer that this console does not understand.'],
} as const satisfies Record<string, readonly [number, string, string]>;

export type ProblemCode = keyof typeof problems;

/** An answer that says no, as problem+json, never cached. */
export function problemResponse(code: ProblemCode): Response {
  const [status, title, detail] = problems[code];
  const body: Problem = { type: 'about:blank', title, status, code, detail, requestId: crypto.randomUUID() };
  return Response.json(body, {
    status,
    headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' },
  });
}
