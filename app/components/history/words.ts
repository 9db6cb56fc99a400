import type { HistoryRow } from '../../../proxy/control/contract.ts';

/** What happened, in words. */
export const actionWords: Record<HistoryRow['action'], string> = {
  'parameter.change': 'Parameter changed',
  login: 'Signed in',
  'login.failed': 'Sign-in failed',
  logout: 'Signed out',
  'password.change': 'Password changed',
  'history.export': 'History exported',
  'blocklist.release': 'Server taken off a blocklist',
  'location.refresh': 'Location fetched anew',
  'session.kill': 'Session killed',
  'upgrade.step': 'Upgrade',
};

/** Which door it came through, in words. */
export const sourceWords: Record<HistoryRow['source'], string> = {
  console: 'Console',
  sql: 'SQL',
  start: 'Start-up',
  system: 'System',
};
