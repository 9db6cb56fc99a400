/**
 * The words that mean something to the classifier. Everything else is just a name to it. A word is recognised by
 * its bytes, without making a string of it.
 */
export const KEYWORD = numbers({
  // statement verbs
  SELECT: 1,
  INSERT: 2,
  REPLACE: 3,
  UPDATE: 4,
  DELETE: 5,
  MERGE: 6,
  WITH: 7,
  VALUES: 8,
  TABLE: 9,
  BEGIN: 10,
  START: 11,
  COMMIT: 12,
  ROLLBACK: 13,
  SAVEPOINT: 14,
  RELEASE: 15,
  SET: 16,
  USE: 17,
  SHOW: 18,
  DESC: 19,
  DESCRIBE: 20,
  EXPLAIN: 21,
  HELP: 22,
  CALL: 23,
  PREPARE: 24,
  EXECUTE: 25,
  DEALLOCATE: 26,
  XA: 27,
  LOAD: 28,
  CREATE: 29,
  DROP: 30,
  ALTER: 31,
  TRUNCATE: 32,
  RENAME: 33,
  GRANT: 34,
  REVOKE: 35,
  ANALYZE: 36,
  PURGE: 37,
  FLASHBACK: 38,
  COMMENT: 39,
  AUDIT: 40,
  NOAUDIT: 41,
  LOCK: 42,
  UNLOCK: 43,
  KILL: 44,
  FLUSH: 45,
  GET: 46,
  PING: 47,
  DECLARE: 48,
  // clauses
  FROM: 60,
  JOIN: 61,
  STRAIGHT_JOIN: 62,
  WHERE: 63,
  GROUP: 64,
  ORDER: 65,
  HAVING: 66,
  LIMIT: 67,
  UNION: 68,
  EXCEPT: 69,
  MINUS: 70,
  INTERSECT: 71,
  WINDOW: 72,
  INTO: 73,
  USING: 74,
  FOR: 75,
  SHARE: 76,
  IN: 77,
  AS: 78,
  DUAL: 79,
  LATERAL: 80,
  RECURSIVE: 81,
  OUTFILE: 82,
  DUMPFILE: 83,
  LOW_PRIORITY: 84,
  HIGH_PRIORITY: 85,
  DELAYED: 86,
  QUICK: 87,
  IGNORE: 88,
  OVERWRITE: 89,
  ALL: 90,
  FIRST: 91,
  OJ: 92,
  // what follows a verb
  WORK: 100,
  TRANSACTION: 101,
  READ: 102,
  ONLY: 103,
  TO: 104,
  AND: 105,
  NO: 106,
  CHAIN: 107,
  END: 108,
  DATA: 109,
  XML: 110,
  LOCAL: 111,
  INFILE: 112,
  TABLES: 113,
  INSTANCE: 114,
  TEMPORARY: 115,
  PROCEDURE: 116,
  FUNCTION: 117,
  TRIGGER: 118,
  EVENT: 119,
  PACKAGE: 120,
  TYPE: 121,
  VIEW: 122,
  INDEX: 123,
  DATABASE: 124,
  SCHEMA: 125,
  USER: 126,
  WARNINGS: 127,
  ERRORS: 128,
  COUNT: 129,
  TRACE: 130,
  PROFILE: 131,
  PROFILES: 132,
  DIAGNOSTICS: 133,
  ROUTE: 134,
  PROCESSLIST: 135,
  GLOBALSESSION: 136,
  WARNLOG: 137,
  SQLAUDIT: 138,
  SESSION: 139,
  GLOBAL: 140,
  EXTENDED: 141,
  PARTITIONS: 142,
  FORMAT: 143,
  BASIC: 144,
  OUTLINE: 145,
  EXTENDED_NOADDR: 146,
  PLANREGRESS: 147,
  PRETTY: 148,
  PRETTY_COLOR: 149,
  // functions and variables that depend on the statement before, on the session's server or on a lock
  FOUND_ROWS: 160,
  ROW_COUNT: 161,
  LAST_INSERT_ID: 162,
  LAST_TRACE_ID: 163,
  GET_LOCK: 164,
  RELEASE_LOCK: 165,
  RELEASE_ALL_LOCKS: 166,
  PROXY_VERSION: 167,
  PROXY_STATUS: 168,
  WARNING_COUNT: 169,
  ERROR_COUNT: 170,
  IDENTITY: 171,
  FULL: 172,
});

// Plain numbers, not literal types: a lexer's `keyword` changes under the compiler's nose with every next().
function numbers<Word extends string>(table: Readonly<Record<Word, number>>): Readonly<Record<Word, number>> {
  return table;
}

/** Bytes folded to upper case (ASCII only), for comparing words. */
export const upperCase = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte,
);

const slots = 1024;
const ids = new Uint8Array(slots);
const words: Uint8Array[] = Array.from({ length: slots }, () => new Uint8Array(0));
const longest = Math.max(...Object.keys(KEYWORD).map((word) => word.length));

for (const [word, id] of Object.entries<number>(KEYWORD)) {
  const bytes = Buffer.from(word);
  let slot = hashWord(bytes, 0, bytes.length);
  while (ids[slot] !== 0) slot = (slot + 1) % slots;
  ids[slot] = id;
  words[slot] = bytes;
}

function hashWord(text: Uint8Array, start: number, end: number): number {
  let hash = end - start;
  for (let at = start; at < end; at += 1) {
    hash = (Math.imul(hash, 31) + (upperCase[text[at] as number] as number)) | 0;
  }
  return (hash ^ (hash >>> 10)) & (slots - 1);
}

/** The number in {@link KEYWORD} of the word in `[start, end)`, whatever its case; 0 when it is no keyword. */
export function keywordOf(text: Uint8Array, start: number, end: number): number {
  if (end - start > longest) return 0;
  let slot = hashWord(text, start, end);
  while (ids[slot] !== 0) {
    const word = words[slot] as Uint8Array;
    if (word.length === end - start && equalsWord(word, text, start)) return ids[slot] as number;
    slot = (slot + 1) % slots;
  }
  return 0;
}

function equalsWord(word: Uint8Array, text: Uint8Array, start: number): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (upperCase[text[start + index] as number] !== word[index]) return false;
  }
  return true;
}
