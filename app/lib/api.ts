/** The browser's way to the console's own API routes. */
import type { z } from 'zod';
import type { Catalog } from '@/messages/catalog.ts';
import { type Problem, problemSchema } from '../../proxy/control/contract.ts';
import type { Text } from './text.ts';

/** An answer other than 2xx, with what the server said about it; status 0 when there was no answer at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly problem: Problem | undefined;

  constructor(status: number, message: string, problem?: Problem) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}

/** GET `/api…` as JSON of the given shape. Throws ApiError. */
export async function getJson<T extends z.ZodType>(path: string, schema: T, signal?: AbortSignal): Promise<z.infer<T>> {
  return schema.parse(await send(path, signal === undefined ? {} : { signal }));
}

/** POST a JSON body and read the answer (null when it has none). Throws ApiError. */
export function postJson(path: string, body: unknown): Promise<unknown> {
  return send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** What went wrong, as a sentence for people: in the proxy's words if it has said any, which are English. */
export function errorText(error: unknown, t: Text<Catalog['common']>): string {
  if (isWordless(error))
    return error.status === 0 ? t('consoleSilent') : t('answeredWith', { status: `${error.status}` });
  return error instanceof Error ? error.message : t('wentWrong');
}

/** The language of `errorText`, where it is not the reader's. */
export function errorLang(error: unknown): 'en' | undefined {
  return error instanceof Error && !isWordless(error) ? 'en' : undefined;
}

/** No answer, or one that does not say what is wrong: of these the console tells. */
function isWordless(error: unknown): error is ApiError {
  return error instanceof ApiError && error.problem === undefined;
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, cache: 'no-store' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'no answer');
  }
  const text = await response.text();
  const body = parseBody(text);
  if (response.ok) return body;
  const problem = problemSchema.safeParse(body);
  throw problem.success
    ? new ApiError(response.status, problem.data.detail || problem.data.title, problem.data)
    : new ApiError(response.status, `status ${response.status}`);
}

/** JSON, null for an empty body, undefined for anything else. */
function parseBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
