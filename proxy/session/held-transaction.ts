/**
 * The beginning of a transaction is answered at once and sent with the first statement behind it, whose table decides
 * the server. Ended before that, the transaction never reaches one.
 */
import type { StatementInfo } from '../sql/statement-info.ts';
import { COM, STATUS } from '../wire/constants.ts';
import type { ClientSession } from './client-session.ts';
import type { ClientRequest } from './request.ts';

/** So many statements are kept behind a BEGIN; with the next one a server is chosen. */
const MAX_HELD_SETS = 32;

const XID_PART = `(?:x?'[^'\\\\]*'|0x[0-9a-f]+)`;
/** XA START in the form that can only be refused for what the server knows: no JOIN, no RESUME, nothing misspelt. */
const PLAIN_XA_START = new RegExp(
  `^\\s*xa\\s+(?:start|begin)\\s+${XID_PART}(?:\\s*,\\s*${XID_PART}(?:\\s*,\\s*\\d+)?)?\\s*;?\\s*$`,
  'i',
);

const ASSIGNMENT = `@[a-z0-9_$.]{1,64}\\s*:?=\\s*(?:-?\\d{1,18}(?:\\.\\d{1,9})?|null|true|false|'[ -&(-[\\]-~]*')`;
/** SET of user variables to literals: no server refuses it, and it says nothing that the client would have to be told. */
const PLAIN_SET = new RegExp(`^\\s*set\\s+${ASSIGNMENT}(?:\\s*,\\s*${ASSIGNMENT})*\\s*;?\\s*$`, 'i');

/** @returns whether the statement has been answered */
export function holdOrEndTransaction(session: ClientSession, text: Buffer, info: StatementInfo): boolean {
  if (info.isMulti) return false;
  switch (info.kind) {
    case 'begin':
      return holdBegin(session, text, info);
    case 'xa':
      return holdXaStart(session, text, info);
    case 'set':
      return holdSet(session, text);
    case 'commit':
    case 'rollback':
      return endHeld(session, info);
    default:
      return false;
  }
}

function mayHold({ servers, heldBegin }: ClientSession): boolean {
  const isFree = servers.bound === null && servers.pinned === null && !servers.stayOnLast;
  return isFree && (heldBegin === null || !isXa(heldBegin));
}

function hold(session: ClientSession, text: Buffer): void {
  session.heldBegin = Buffer.concat([Buffer.from([COM.QUERY]), text]);
  session.transactionBeganAtMs = performance.now();
  session.status |= STATUS.IN_TRANS;
}

function holdBegin(session: ClientSession, text: Buffer, info: StatementInfo): boolean {
  // A consistent snapshot is taken when the statement runs, so that one cannot wait.
  if (!mayHold(session) || /snapshot/i.test(text.toString('latin1'))) return false;
  hold(session, text);
  // OceanBase doesn't tell (seen at a genuine kernel).
  if (info.readOnlyTransaction && !session.isOceanBase) session.status |= STATUS.IN_TRANS_READONLY;
  session.sendOk();
  return true;
}

/** `enable_xa_route`. What a server has against the XID is told with the first statement (case B65). */
function holdXaStart(session: ClientSession, text: Buffer, info: StatementInfo): boolean {
  if (!info.startsTransaction || session.heldBegin !== null || !mayHold(session)) return false;
  if (!session.config.bool('enable_xa_route') || !PLAIN_XA_START.test(text.toString('latin1'))) return false;
  hold(session, text);
  session.sendOk();
  return true;
}

/** A SET right behind a held BEGIN must not decide the transaction's server (case B63). */
function holdSet(session: ClientSession, text: Buffer): boolean {
  const { heldSets } = session;
  if (session.heldBegin === null || heldSets.length >= MAX_HELD_SETS || text.length > 1024) return false;
  if (!PLAIN_SET.test(text.toString('latin1'))) return false;
  heldSets.push(Buffer.concat([Buffer.from([COM.QUERY]), text]));
  session.sendOk();
  return true;
}

function endHeld(session: ClientSession, info: StatementInfo): boolean {
  // Behind a SET, or in an XA transaction, it is a server's to answer.
  if (session.heldBegin === null || session.heldSets.length > 0 || isXa(session.heldBegin)) return false;
  if (!info.startsTransaction) dropHeld(session);
  session.sendOk();
  return true;
}

/** The transaction that has not reached a server never will. */
export function dropHeld(session: ClientSession): void {
  session.heldBegin = null;
  session.status &= ~(STATUS.IN_TRANS | STATUS.IN_TRANS_READONLY);
}

/**
 * A server does not begin the transaction. What follows must not run outside of it: it is refused as well, until the
 * client has ended what it takes for a transaction.
 */
export function beginRefused(session: ClientSession, request: ClientRequest | null): void {
  const kind = request?.info?.kind;
  if (kind === 'xa' || kind === 'commit' || kind === 'rollback') dropHeld(session);
}

/** Whether what is held is an XA START. */
export const isXa = (begin: Buffer): boolean => /^\s*xa/i.test(begin.toString('latin1', 1));
