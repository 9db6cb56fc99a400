import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** Letters and digits that cannot be taken for each other. */
const passwordAlphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Hash of nothing anybody knows. */
let decoy: Promise<string> | undefined;

/** Four groups of five characters, some 99 bits. */
export function oneTimePassword(): string {
  const group = () => Array.from({ length: 5 }, () => passwordAlphabet[randomInt(passwordAlphabet.length)]).join('');
  return Array.from({ length: 4 }, group).join('-');
}

/** What is kept of a password: argon2id in its own text form (19 MiB, 2 passes: the library's defaults). */
export function hashOf(password: string): Promise<string> {
  return hash(password);
}

/** @param passwordHash null: there is no such user, which is found out after the same time. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hash(oneTimePassword());
  const isRight = await verify(passwordHash ?? (await decoy), password);
  return isRight && passwordHash !== null;
}
