/**
 * The proxysys tenant as a well-behaved database without databases (case B97): what is no internal command gets a
 * fitting result, OK, or a clear 5010; never an answer to something else.
 */
import { OdpError } from '../../errors/odp-error.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { classifyStatement } from '../../sql/classify.ts';
import { okReply } from '../result.ts';
import type { Caller, CommandServices } from '../services.ts';
import { TokenStream } from '../token-stream.ts';
import { answerSelect } from './select.ts';
import { answerShow } from './show.ts';

/** @throws OdpError EMPTY_QUERY, BAD_INTERNAL_COMMAND, UNKNOWN_SYSTEM_VARIABLE */
export function answerProxysys(statement: string, caller: Caller, services: CommandServices): CommandReply {
  const { kind, isMulti } = classifyStatement(Buffer.from(statement));
  if (kind === 'empty') throw new OdpError('EMPTY_QUERY');
  if (isMulti) throw refused('takes one statement at a time');
  const tokens = new TokenStream(statement);
  switch (kind) {
    case 'set':
    case 'begin':
    case 'commit':
    case 'rollback':
      return okReply;
    case 'use':
      throw refused('has no databases to use');
    case 'select':
      if (!tokens.acceptWord('SELECT')) throw refused('has no tables');
      return answerSelect(tokens, caller, services);
    case 'show':
      tokens.expectWord('SHOW');
      return answerShow(tokens, services);
    default: {
      const verb = tokens.current?.text.slice(0, 64) ?? '';
      throw refused(`answers internal commands only, not '${verb} …'`);
    }
  }
}

function refused(what: string): OdpError {
  return new OdpError('BAD_INTERNAL_COMMAND', { detail: `root@proxysys ${what}` });
}
