import { consoleEnv } from '../env.ts';

/** The cookie's name. Browsers share cookies between the ports of one host, so two consoles need two names. */
export function sessionCookieName(): string {
  return `odp_session_${consoleEnv().ODP_CONSOLE_PORT}`;
}

/** The `Set-Cookie` text that opens a session. Secure when the console is reached over TLS. */
export function openSessionCookie(token: string, expiresAt: string): string {
  return `${sessionCookieName()}=${token}; Expires=${new Date(expiresAt).toUTCString()}; ${attributes()}`;
}

/** The `Set-Cookie` text that ends a session. */
export function closeSessionCookie(): string {
  return `${sessionCookieName()}=; Max-Age=0; ${attributes()}`;
}

function attributes(): string {
  const secure = consoleEnv().ODP_CONSOLE_ORIGIN?.startsWith('https:') ? '; Secure' : '';
  return `Path=/; HttpOnly; SameSite=Strict${secure}`;
}
