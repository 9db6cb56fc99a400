import type { HistoryRow } from '../../../proxy/control/contract.ts';

/** What happened, in words. */
export const actionWords: Record<HistoryRow['action'], string> = {
  'parameter.change': 'Parameter changed',
  'parameter.apply': 'Change put in force',
  'configuration.export': 'Configuration exported',
  'revert.cancel': 'Scheduled revert cancelled',
  'revert.leave': 'Not reverted, left alone',
  'proposal.create': 'Change proposed',
  'proposal.approve': 'Proposal approved',
  'proposal.refuse': 'Proposal refused',
  'proposal.withdraw': 'Proposal withdrawn',
  'proposal.expire': 'Proposal expired',
  'proposal.bypass': 'Set without a second person',
  login: 'Signed in',
  'login.failed': 'Sign-in failed',
  'login.locked': 'Sign-in locked',
  logout: 'Signed out',
  'access.refused': 'Refused',
  'password.change': 'Password changed',
  'user.create': 'User created',
  'user.reset': 'Password reset',
  'user.role': 'Role changed',
  'user.disable': 'User disabled',
  'user.enable': 'User enabled',
  'user.lock': 'Account locked',
  'user.unlock': 'Account unlocked',
  'login.end': 'Log-in ended',
  'history.export': 'History exported',
  'token.create': 'API token made',
  'token.revoke': 'API token revoked',
  'token.refused': 'API token refused',
  'blocklist.release': 'Server taken off a blocklist',
  'location.refresh': 'Location fetched anew',
  'session.kill': 'Session killed',
  'upgrade.step': 'Upgrade',
  'resource.delete': 'Cluster given up',
  'configserver.change': 'ConfigServer changed',
  'demo.fault': 'Demo cluster broken or mended',
  'demo.load': 'Sample load of the demo',
  'cluster.change': 'Cluster changed',
  'proxy.start': 'Proxy started',
  'worker.die': 'Worker died',
};

/** What came of it, in words. */
export const outcomeWords: Record<HistoryRow['outcome'], string> = {
  done: 'Done',
  persisted: 'Persisted',
  applied: 'Applied',
  refused: 'Refused',
  failed: 'Failed',
};

/** What came of a row, with the workers that a change is in force in. */
export function outcomeText({ outcome, workers }: Pick<HistoryRow, 'outcome' | 'workers'>): string {
  if (workers === null) return outcomeWords[outcome];
  return `${outcomeWords[outcome]}, ${appliedText(workers)}`;
}

/** In how many workers a change is in force. */
export function appliedText({ applied, total }: NonNullable<HistoryRow['workers']>): string {
  return `applied in ${applied} of ${total} ${total === 1 ? 'worker' : 'workers'}`;
}

/** Which door it came through, in words. */
export const sourceWords: Record<HistoryRow['source'], string> = {
  console: 'Console',
  api: 'API',
  sql: 'SQL',
  start: 'Start-up',
  system: 'System',
  configserver: 'ConfigServer',
  upgrade: 'Upgrade',
};
