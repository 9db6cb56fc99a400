/** The one door of the command room: a statement in, the reply out, or null when the proxy has nothing to say to it. */
import { errorText, OdpError } from '../errors/odp-error.ts';
import type { CommandReply } from '../session/internal-commands.ts';
import { executeCommand } from './execute.ts';
import { noteRefusedKill } from './handlers/kill.ts';
import type { InternalCommand } from './internal-command.ts';
import { parseInternalCommand } from './parse.ts';
import { answerProxysys } from './proxysys/answer-proxysys.ts';
import { errorReply, limitReply } from './result.ts';
import { commandVerdict } from './rights.ts';
import type { Caller, CommandServices } from './services.ts';

/**
 * Null: forward the statement to a server. For the proxysys tenant it is never null. The promise never rejects: errors
 * come as replies.
 */
export function answerStatement(
  statement: string,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> | null {
  const command = parseInternalCommand(statement);
  if (command !== null) return answerCommand(command, caller, services);
  switch (caller.identity) {
    case 'proxysys':
      return asReply(async () => answerProxysys(statement, caller, services));
    case 'inspector':
      return Promise.resolve(errorReply(refusal('inspector@proxysys')));
    default:
      return null;
  }
}

function answerCommand(
  command: InternalCommand,
  caller: Caller,
  services: CommandServices,
): Promise<CommandReply> | null {
  switch (commandVerdict(caller, command)) {
    case 'forward':
      return null;
    case 'refuse':
      return asReply(async () => {
        const error = refusal(`${caller.user}@${caller.tenant}`);
        if (command.type === 'kill-proxysession') await noteRefusedKill(command.id, error, caller, services);
        throw error;
      });
    case 'run':
      return asReply(async () => {
        const reply = await executeCommand(command, caller, services);
        // The reference exempts SHOW PROCESSLIST from the cap.
        return command.type === 'show-processlist' ? reply : limitReply(reply, services.answerLimitBytes);
      });
  }
}

function refusal(user: string): OdpError {
  return new OdpError('BAD_INTERNAL_COMMAND', { detail: `${user} may not run this command` });
}

async function asReply(run: () => Promise<CommandReply>): Promise<CommandReply> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OdpError) return errorReply(error);
    return errorReply(new OdpError('INTERNAL', { detail: errorText(error) }, { cause: error }));
  }
}
