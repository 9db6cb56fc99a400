/** The browser's way to the console's own API routes. */
import type { z } from 'zod';
import { type Problem, problemSchema } from '../../proxy/control/contract.ts';

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

/** What went wrong, as a sentence for people. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

async function send(path: string, init: RequestInit): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, cache: 'no-store' });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'The console does not answer. Check the connection and try again.');
  }
  const text = await response.text();
  const body = parseBody(text);
  if (response.ok) return body;
  const problem = problemSchema.safeParse(body);
  throw problem.success
    ? new ApiError(response.status, problem.data.detail || problem.data.title, problem.data)
    : new ApiError(response.status, `The console answered with status ${response.status}.`);
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
