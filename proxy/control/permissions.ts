import { type Permission, permissionSchema, type Role } from './contract.ts';

/** What each right lets someone do: what FORBIDDEN tells those who lack it. */
export const permissionDescriptions: Readonly<Record<Permission, string>> = {
  'topology.read': 'See clusters, zones, servers and the state of the proxy',
  'parameters.read': 'See the configuration',
  'parameters.write': 'Change the configuration',
  'parameters.approve': 'Approve or refuse what somebody else proposes to change in the configuration',
  'history.read': 'See who changed what and when',
  'history.export': 'Download the history',
  'blocklist.read': 'See which servers are on a blocklist and why, and try other parameters on the past',
  'blocklist.release': 'Take a server off a blocklist by hand',
  'routing.explain': 'See where a statement would go and why, for any session and its settings',
  'locations.read': 'See which places of tables and partitions the proxy remembers',
  'locations.refresh': 'Have the place of a table or partition fetched anew',
  'sessions.read': 'See the sessions of clients, with their statements without the values in them',
  'sessions.statements': 'See the values in the statements of clients, and their user variables',
  'sessions.kill': 'End sessions of clients, or what they are running',
  'proxy.upgrade': 'Upgrade and restart the proxy: whatever program the directory named for it holds is run',
  'demo.faults': 'Break the demo cluster and mend it, and put a sample load on it',
  'users.read': 'See who may use the console, with which role, and where each is logged in',
  'users.manage': 'Add users, change their roles, disable, unlock and reset them, and end their log-ins',
  'tokens.own': "See, make and revoke API tokens of one's own",
  'tokens.manage': "See and revoke everybody's API tokens",
};

/** What a role is for. */
export const roleDescriptions: Readonly<Record<Role, string>> = {
  viewer: 'Sees everything but the values in statements',
  operator: 'On call: ends sessions, releases servers, changes no setting',
  dba: 'As operator, and changes the configuration',
  auditor: 'Sees and downloads the history, sees users and their log-ins, changes nothing',
  administrator: 'Everything, also upgrades and users',
};

const viewer: readonly Permission[] = [
  'topology.read',
  'parameters.read',
  'history.read',
  'blocklist.read',
  'routing.explain',
  'locations.read',
  'sessions.read',
  'tokens.own',
];
/** On call: acts on what is wrong now, and changes no setting. */
const operator: readonly Permission[] = [
  ...viewer,
  'history.export',
  'blocklist.release',
  'locations.refresh',
  'sessions.statements',
  'sessions.kill',
  'demo.faults',
];

/** The rights of each role: the server enforces them, the console hides by them. */
export const rolePermissions: Readonly<Record<Role, readonly Permission[]>> = {
  viewer,
  operator,
  dba: [...operator, 'parameters.write', 'parameters.approve'],
  // Changes nothing, and sees no values of other people's statements.
  auditor: [...viewer, 'history.export', 'users.read'],
  // Alone: whoever names a directory has its program run with the proxy's account, and whoever makes users can be anybody.
  administrator: permissionSchema.options,
};
