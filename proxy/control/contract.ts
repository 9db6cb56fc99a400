/**
 * The control API as zod schemas: the console and the coordinator both import this file and nothing else of each
 * other. Times are ISO 8601 UTC strings; counters that can pass 2^53 are decimal strings.
 */
export * from './contract/blocklist.ts';
export * from './contract/compare.ts';
export * from './contract/demo.ts';
export * from './contract/history.ts';
export * from './contract/live-events.ts';
export * from './contract/locations.ts';
export * from './contract/parameters.ts';
export * from './contract/people.ts';
export * from './contract/problem.ts';
export * from './contract/proposals.ts';
export * from './contract/routes.ts';
export * from './contract/routing.ts';
export * from './contract/sessions.ts';
export * from './contract/tokens.ts';
export * from './contract/topology.ts';
export * from './contract/traffic.ts';
export * from './contract/upgrade.ts';
export * from './contract/users.ts';
