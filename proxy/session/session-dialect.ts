import { defaultDialect, type SqlDialect } from '../sql/classify.ts';
import type { SessionVariables } from './session-variables.ts';

/** One object for all sessions that read alike: what is remembered of a text is compared by it. There are few kinds. */
const known: SqlDialect[] = [defaultDialect];

/** How a session's texts are to be read, from its character set and sql_mode. */
export function dialectOf(variables: Pick<SessionVariables, 'value'>): SqlDialect {
  const charset = charsetOf(variables.value('character_set_client'));
  const mode = (variables.value('sql_mode') ?? '').toUpperCase();
  const ansiQuotes = /\bANSI(_QUOTES)?\b/.test(mode);
  const noBackslashEscapes = mode.includes('NO_BACKSLASH_ESCAPES');
  for (const dialect of known) {
    const { charset: otherCharset, ansiQuotes: otherQuotes, noBackslashEscapes: otherEscapes } = dialect;
    if (otherCharset === charset && otherQuotes === ansiQuotes && otherEscapes === noBackslashEscapes) return dialect;
  }
  const dialect: SqlDialect = { charset, ansiQuotes, noBackslashEscapes };
  known.push(dialect);
  return dialect;
}

/** Only the sets whose second bytes can look like quotes or backslashes matter; all else reads like utf8mb4. */
function charsetOf(name: string | undefined): SqlDialect['charset'] {
  switch (name?.toLowerCase()) {
    case 'gbk':
      return 'gbk';
    case 'gb18030':
      return 'gb18030';
    case 'big5':
      return 'big5';
    case 'latin1':
      return 'latin1';
    default:
      return defaultDialect.charset;
  }
}

/** The dialect of one session, worked out anew when its variables have changed. */
export class SessionDialect {
  readonly #variables: Pick<SessionVariables, 'value' | 'version'>;
  #dialect: SqlDialect | null = null;
  #version = -1;

  constructor(variables: Pick<SessionVariables, 'value' | 'version'>) {
    this.#variables = variables;
  }

  get current(): SqlDialect {
    if (this.#dialect !== null && this.#version === this.#variables.version) return this.#dialect;
    this.#dialect = dialectOf(this.#variables);
    this.#version = this.#variables.version;
    return this.#dialect;
  }

  /** The variables have begun anew, and their versions with them. */
  begin(): void {
    this.#version = -1;
  }
}
