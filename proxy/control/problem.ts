import { z } from 'zod';
import { StaleEdits } from '../config/stale-edits.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { Problem } from './contract.ts';

/** Errors about one parameter: the console shows them beside that field. */
const fieldErrors = new Set(['INVALID_PARAMETER', 'UNKNOWN_PARAMETER', 'PARAMETER_NOT_ALTERABLE', 'STALE_REVISION']);

/** The RFC 9457 body of anything thrown. What is not an OdpError is told without its insides. */
export function problemOf(error: unknown, requestId: string): Problem {
  if (error instanceof z.ZodError) return badRequest(error, requestId);
  const odpError =
    error instanceof OdpError
      ? error
      : new OdpError('INTERNAL', { detail: `unexpected failure, see the proxy's log for request ${requestId}` });
  const { code, message, details, spec } = odpError;
  const errors = odpError instanceof StaleEdits ? odpError.all : [odpError];
  const isAboutField = fieldErrors.has(code) && typeof details.name === 'string';
  return {
    type: 'about:blank',
    title: titleOf(code),
    status: spec.httpStatus,
    code,
    detail: message,
    requestId,
    ...(isAboutField ? { invalid: errors.map(fieldOf) } : {}),
  };
}

function fieldOf({ details, message }: OdpError): { field: string; reason: string } {
  return { field: String(details.name), reason: String(details.detail ?? message) };
}

/** A bad request that names the field: for checks that a schema cannot make. */
export class FieldError extends z.ZodError {
  constructor(field: string, reason: string) {
    super([{ code: 'custom', path: [field], message: reason, input: undefined }]);
  }
}

/** A schema's error as one of the table, in one line. */
export function badRequestError(error: z.ZodError): OdpError {
  const detail = invalidFields(error).map(({ field, reason }) => (field === '' ? reason : `${field}: ${reason}`));
  return new OdpError('BAD_REQUEST', { detail: detail.join('; ') });
}

function invalidFields(error: z.ZodError): { field: string; reason: string }[] {
  return error.issues.map((issue) => ({ field: issue.path.join('.'), reason: issue.message }));
}

function badRequest(error: z.ZodError, requestId: string): Problem {
  const invalid = invalidFields(error);
  const { spec, message } = badRequestError(error);
  return {
    type: 'about:blank',
    title: titleOf('BAD_REQUEST'),
    status: spec.httpStatus,
    code: 'BAD_REQUEST',
    detail: message,
    requestId,
    invalid,
  };
}

function titleOf(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
