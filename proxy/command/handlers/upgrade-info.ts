import type { CommandReply } from '../../session/internal-commands.ts';
import type { UpgradeView } from '../../upgrade/view.ts';
import { columns, rowsReply } from '../result.ts';
import type { CommandServices } from '../services.ts';

const infoColumns = columns('name', 'info');

/** SHOW PROXYINFO BINARY: the build, a fact a line. */
export async function showProxyInfoBinary(services: CommandServices): Promise<CommandReply> {
  const { md5, revision, builtAt } = await services.build();
  const lines = [
    `odp-${services.proxyVersion}`,
    `version:${services.proxyVersion}`,
    `MD5:${md5}`,
    `REVISION:${revision}`,
    `BUILD_TIME:${builtAt}`,
    `BUILD_FLAGS:node ${process.version} ${process.platform}-${process.arch}`,
    `SOCKETS:${services.sockets}`,
  ];
  return rowsReply(infoColumns, [['binary info', lines.join('\n')]]);
}

/** SHOW PROXYINFO UPGRADE: how things stand, a fact a line. */
export async function showProxyInfoUpgrade(services: CommandServices): Promise<CommandReply> {
  return rowsReply(infoColumns, [['hot upgrade info', factsOf(await services.upgrade()).join('\n')]]);
}

function factsOf({ phase, parentStatus, childStatus, generations, run, failureRetries }: UpgradeView): string[] {
  const lines = [`phase:${phase}`, `parent_status:${parentStatus}`, `sub_status:${childStatus}`];
  for (const { id, role, version, pid, workers, clientSessions, directory } of generations) {
    lines.push(
      `generation ${id}:${role}, version ${version}, pid ${pid}, ${workers} workers, ${clientSessions} sessions, ${directory}`,
    );
  }
  if (run === null) return [...lines, `retries_left:${failureRetries}`];
  lines.push(
    `${run.kind} ${run.number}:${run.outcome ?? 'running'}, by ${run.by} at ${run.startedAt}, ${run.directory}`,
    `failures:${run.failures}`,
    `retries_left:${run.retriesLeft}`,
    `moved:${run.moved}`,
    `waiting:${run.waitingTotal}`,
  );
  for (const { id, user, reason, waitedMs } of run.waiting) {
    lines.push(`waits for session ${id} of ${user}:${reason}, ${waitedMs} ms`);
  }
  return [...lines, ...run.steps.map(({ at, text, by }) => `step ${at}:${text} (${by})`)];
}
