import { type ErrorCode, type ErrorSpec, errorTable } from './table.ts';

/** An error of the table with its blanks filled. `message` is the text that either door shows. */
export class OdpError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(code: ErrorCode, details: Readonly<Record<string, string | number>> = {}, options?: ErrorOptions) {
    super(fillText(errorTable[code].text, details), options);
    this.name = 'OdpError';
    this.code = code;
    this.details = details;
  }

  get spec(): ErrorSpec {
    return errorTable[this.code];
  }
}

function fillText(text: string, details: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (mark, name: string) => (name in details ? String(details[name]) : mark));
}

/** The text of anything thrown, for logs and `{detail}` blanks. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
