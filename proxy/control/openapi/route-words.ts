import type { ErrorCode } from '../../errors/table.ts';
import type { browserRoutes, RouteName } from '../contract.ts';

/** Routes that scripts have under `/api/v1`. */
export type ApiRouteName = Exclude<RouteName, keyof typeof browserRoutes>;

/** What the OpenAPI document says of a route that its schemas do not. */
interface RouteWords {
  /** What it belongs to. */
  readonly tag: string;
  /** One line: what it does. */
  readonly summary: string;
  /** What else one must know. */
  readonly more?: string;
  /** What it may be refused with, beside what every route may. */
  readonly errors?: readonly ErrorCode[];
  /** Content type of an answer that is not one JSON value. */
  readonly media?: string;
}

const userErrors = ['NOT_FOUND', 'USER_CHANGED', 'USER_NOT_CHANGED', 'STORE_FAILED'] as const;
const revision = 'Send the revision that you have seen: a change based on an older one is refused.';

/** A new route needs its words here, or a place among `browserRoutes`. */
export const routeWords: Readonly<Record<ApiRouteName, RouteWords>> = {
  health: { tag: 'Proxy', summary: 'Whether the proxy answers', more: 'The one route that needs no token.' },
  openapi: { tag: 'Proxy', summary: 'This document' },
  me: { tag: 'Tokens', summary: 'Whose token this is, what it may do now, and when it expires' },
  overview: { tag: 'Proxy', summary: 'The proxy, its workers, clusters, zones and servers as they are now' },
  traffic: { tag: 'Proxy', summary: 'Statements and errors by zone over the last hours' },
  events: {
    tag: 'Proxy',
    summary: 'What happens, as it happens',
    more: 'Server-sent events: each has a type as its event name, and one JSON object. First comes `hello`, then `overview`; after 5 s of silence `ping`. Only what the token may see is sent. It ends when the token is revoked, or its owner gets another role.',
    media: 'text/event-stream',
  },
  parameters: {
    tag: 'Configuration',
    summary: 'All parameters: value, type, unit, range, default, who changed them last',
  },
  changeParameters: {
    tag: 'Configuration',
    summary: 'Change parameters: all that are named, or none',
    more: 'Send for each the revision that you have seen (0: it was never changed): when somebody else has changed it since, the whole request is refused. With `revertAfterMs` the change goes back by itself, with `undoes` the history says which entry it takes back. The answer tells in which workers it is in force.',
    errors: ['UNKNOWN_PARAMETER', 'INVALID_PARAMETER', 'PARAMETER_NOT_ALTERABLE', 'STALE_REVISION', 'STORE_FAILED'],
  },
  changeOverride: {
    tag: 'Configuration',
    summary: 'Set a parameter for a part of the sessions: a cluster, a tenant or an address; or take that away',
    errors: ['UNKNOWN_PARAMETER', 'INVALID_PARAMETER', 'PARAMETER_NOT_ALTERABLE', 'STALE_REVISION', 'STORE_FAILED'],
  },
  configFile: {
    tag: 'Configuration',
    summary: 'The configuration as a file, without secrets',
    more: 'To bring one in, compare `now` with the file (a dry run: the differences, each with the revision to base a change on, and why it would be refused), and send the differences as a change.',
    errors: ['STORE_FAILED'],
  },
  compareConfig: {
    tag: 'Configuration',
    summary: 'Compare two configurations: now, defaults, a time, an entry of the history, what undoes one, a file',
    more: 'Changes nothing: taking one over is a change like any other.',
  },
  scheduledReverts: { tag: 'Configuration', summary: 'Changes that go back by themselves, the next first' },
  cancelRevert: {
    tag: 'Configuration',
    summary: 'Have a change stay that was to go back by itself',
    errors: ['NOT_FOUND', 'STORE_FAILED'],
  },
  proposals: {
    tag: 'Configuration',
    summary: 'Changes that wait for a second person, and what became of the last ones',
    more: 'They are approved on the console: the second pair of eyes is a person.',
  },
  proposal: { tag: 'Configuration', summary: 'One of them', errors: ['NOT_FOUND'] },
  refuseProposal: {
    tag: 'Configuration',
    summary: 'Refuse a change that somebody else has proposed',
    errors: ['NOT_FOUND', 'PROPOSAL_CLOSED', 'PROPOSAL_PERSON', 'STORE_FAILED'],
  },
  withdrawProposal: {
    tag: 'Configuration',
    summary: 'Withdraw a change that you have proposed',
    errors: ['NOT_FOUND', 'PROPOSAL_CLOSED', 'PROPOSAL_PERSON', 'STORE_FAILED'],
  },
  history: {
    tag: 'History',
    summary: 'Who did what and when, newest first, a page at a time',
    more: 'Every filter that is given must fit. For the next page send `nextBefore` as `before`: rows that are added meanwhile move nothing.',
  },
  historyCsv: {
    tag: 'History',
    summary: 'The history as CSV, exactly what the filter finds',
    more: 'RFC 4180 in UTF-8 with a byte order mark; cells that a spreadsheet would run as a formula begin with an apostrophe.',
    errors: ['STORE_FAILED'],
    media: 'text/csv',
  },
  historyJson: {
    tag: 'History',
    summary: 'The history as one JSON array, exactly what the filter finds',
    errors: ['STORE_FAILED'],
  },
  historyChain: { tag: 'History', summary: 'Whether the chain of the history holds, by the last check' },
  historyVerify: { tag: 'History', summary: 'Check the chain of the history again' },
  blocklist: { tag: 'Blocklists', summary: 'The servers of all clusters: which lists each is on, since when, and why' },
  blocklistEvents: {
    tag: 'Blocklists',
    summary: 'Servers that came on a list or off it, newest first, a page at a time, each with what proves it',
  },
  blocklistAt: { tag: 'Blocklists', summary: 'Who was listed at a moment' },
  blocklistRelease: {
    tag: 'Blocklists',
    summary: 'Take a server off a list, or off all',
    more: 'It comes back when there is a reason again.',
    errors: ['NOT_FOUND', 'STORE_FAILED'],
  },
  blocklistWhatIf: {
    tag: 'Blocklists',
    summary: 'Whom the lists would have held over the last hours, had the parameters been others',
    more: 'Changes nothing. Recorded failures are replayed.',
    errors: ['NOT_FOUND', 'INVALID_PARAMETER', 'TOO_MUCH_TO_REPLAY'],
  },
  routingExplain: {
    tag: 'Routing',
    summary: 'Where a statement would go and why',
    more: 'For a session that there is, or for one as you describe it. Nothing is run.',
    errors: ['NOT_FOUND', 'CLUSTER_NOT_EXIST', 'INVALID_PARAMETER'],
  },
  routingChoices: { tag: 'Routing', summary: 'Clusters, tenants and sessions that a question can name' },
  locations: { tag: 'Locations', summary: 'Where the proxy believes tables and partitions to be, a page at a time' },
  locationRefresh: {
    tag: 'Locations',
    summary: 'Fetch a location anew',
    errors: ['STORE_FAILED'],
  },
  clientSessions: {
    tag: 'Sessions',
    summary: 'Sessions of clients, a window of the list',
    more: 'Values in statements are shown only with the right `sessions.statements`.',
  },
  clientSession: {
    tag: 'Sessions',
    summary: 'One session: servers, variables, last statements',
    errors: ['NOT_FOUND'],
  },
  clientSessionKill: {
    tag: 'Sessions',
    summary: 'End a session, or only what it is running',
    errors: ['NOT_FOUND', 'STORE_FAILED'],
  },
  upgrade: { tag: 'Upgrade', summary: 'Generations of the proxy, and the upgrade that is under way or was the last' },
  upgradeStart: {
    tag: 'Upgrade',
    summary: 'Begin an upgrade or a restart without cutting a session',
    errors: ['UPGRADE_RUNNING', 'UPGRADE_NOT_POSSIBLE'],
  },
  upgradeCommit: { tag: 'Upgrade', summary: 'Keep the new generation', errors: ['UPGRADE_NOT_POSSIBLE'] },
  upgradeRollback: { tag: 'Upgrade', summary: 'Go back to the old generation', errors: ['UPGRADE_NOT_POSSIBLE'] },
  users: { tag: 'Users', summary: 'Users of the console, the roles and the rights that there are' },
  createUser: {
    tag: 'Users',
    summary: 'Add a user; the answer has the one-time password',
    errors: ['USER_EXISTS', 'STORE_FAILED'],
  },
  changeUserRole: { tag: 'Users', summary: "Change a user's role", more: revision, errors: userErrors },
  disableUser: {
    tag: 'Users',
    summary: 'Disable a user: log-ins end, and tokens do not work any more',
    more: revision,
    errors: userErrors,
  },
  enableUser: { tag: 'Users', summary: 'Enable a user that is disabled', more: revision, errors: userErrors },
  resetUser: {
    tag: 'Users',
    summary: 'Give a user a new one-time password',
    more: `${revision} Until it is replaced, the user's tokens do not work.`,
    errors: userErrors,
  },
  unlockUser: {
    tag: 'Users',
    summary: 'Let a user in that wrong passwords have locked out',
    more: revision,
    errors: userErrors,
  },
  userLogIns: { tag: 'Users', summary: 'Where a user is logged in', errors: ['NOT_FOUND'] },
  endUserLogIns: { tag: 'Users', summary: 'End log-ins of a user', errors: ['NOT_FOUND', 'STORE_FAILED'] },
  tokens: { tag: 'Tokens', summary: "API tokens: one's own, or everybody's", errors: [] },
  revokeToken: {
    tag: 'Tokens',
    summary: 'Revoke a token, this one too',
    more: "Other people's need the right `tokens.manage`.",
    errors: ['NOT_FOUND', 'STORE_FAILED'],
  },
  demo: {
    tag: 'Demo',
    summary: 'The embedded demo cluster: what is wrong with it, its sample load',
    errors: ['NO_DEMO'],
  },
  demoFault: {
    tag: 'Demo',
    summary: 'Do something to the embedded demo cluster',
    errors: ['NO_DEMO', 'NOT_FOUND', 'DEMO_FAILED', 'STORE_FAILED'],
  },
  demoLoad: {
    tag: 'Demo',
    summary: 'Begin or end the sample load of the embedded demo cluster',
    errors: ['NO_DEMO', 'DEMO_FAILED', 'STORE_FAILED'],
  },
};
