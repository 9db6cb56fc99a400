import { blocklist } from './blocklist.ts';
import { common } from './common.ts';
import { compare } from './compare.ts';
import { history } from './history.ts';
import { lab } from './lab.ts';
import { locations } from './locations.ts';
import { overview } from './overview.ts';
import { parameters } from './parameters.ts';
import { proposals } from './proposals.ts';
import { routing } from './routing.ts';
import { sessions } from './sessions.ts';
import { shell } from './shell.ts';
import { signIn } from './sign-in.ts';
import { tokens } from './tokens.ts';
import { upgrade } from './upgrade.ts';
import { users } from './users.ts';

/** All texts of the console by area. For the server alone: the browser gets one language, and only what its page needs. */
export const catalog = {
  blocklist,
  common,
  compare,
  history,
  lab,
  locations,
  overview,
  parameters,
  proposals,
  routing,
  sessions,
  shell,
  signIn,
  tokens,
  upgrade,
  users,
};

export type Catalog = typeof catalog;
export type AreaName = keyof Catalog;
