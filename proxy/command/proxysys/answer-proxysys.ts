/**
 * The proxysys tenant as a well-behaved database without databases (case B97): what is no internal command gets a
 * fitting result, OK, or a clear 5010; never an answer to something else.
 */
import { OdpError } from '../../errors/odp-error.ts';
import type { CommandReply } from '../../session/internal-commands.ts';
import { classifyStatement } from '../../sql/classify.ts';
import { answerTable } from '../config-table/answer-table.ts';
import { readTableStatement } from '../config-table/table-statement.ts';
import { limitReply, okReply } from '../result.ts';
import type { Caller, CommandServices } from '../services.ts';
import { TokenStream } from '../token-stream.ts';
import { answerSelect } from './select.ts';
import { answerShow } from './show.ts';

/** @throws OdpError what the statement on `proxy_config` meets, EMPTY_QUERY, BAD_INTERNAL_COMMAND, UNKNOWN_SYSTEM_VARIABLE */
export async function answerProxysys(
  statement: string,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> {
  const { kind, isMulti } = classifyStatement(Buffer.from(statement));
  if (kind === 'empty') throw new OdpError('EMPTY_QUERY');
  if (isMulti) throw refused('takes one statement at a time');
  const onTable = readTableStatement(statement);
  if (onTable !== null) return limitReply(await answerTable(onTable, caller, services), services.answerLimitBytes);
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
