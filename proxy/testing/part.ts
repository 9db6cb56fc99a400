/**
 * Real programs that tests run against. A test file starts the part it needs at its top level:
 *
 *     const kernel = await startKernel();
 *     afterAll(() => kernel.close());
 *     describeWith(kernel, 'login at a genuine kernel', ({ port }) => { … });
 *
 * On a machine where the part cannot be had its tests are counted as skipped, with the reason in their name; a part
 * that is there but does not start is a failure.
 */
import { describe } from 'vitest';

export interface UnavailablePart {
  readonly available: false;
  readonly reason: string;
  close(): Promise<void>;
}

export interface AvailablePart {
  readonly available: true;
  close(): Promise<void>;
}

/** What a start function answers when the program is not on this machine. */
export function unavailable(reason: string): UnavailablePart {
  return { available: false, reason, close: async () => undefined };
}

/** `describe` with the part at hand; its tests are skipped, and counted so, when the part is not available. */
export function describeWith<Part extends AvailablePart>(
  part: Part | UnavailablePart,
  name: string,
  body: (part: Part) => void,
): void {
  if (part.available) describe(name, () => body(part));
  // The body is still collected, so that every test in it is counted; none of them runs.
  else describe.skip(`${name} (skipped: ${part.reason})`, () => body(inert as Part));
}

/** Stands for a missing part while the tests that will be skipped are collected: any property is another of its kind. */
const inert: unknown = new Proxy(() => undefined, {
  get: (_target, key) => (key === Symbol.toPrimitive ? () => '' : inert),
  apply: () => inert,
});
