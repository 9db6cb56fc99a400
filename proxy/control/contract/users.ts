/** Administration of console users, and their log-ins. */
import * as z from 'zod';
import { permissionSchema, roleSchema } from './people.ts';

/** What stands in the way of a log-in, the weightiest first; `one-time`: a one-time password waits to be replaced. */
export const accountStateSchema = z.enum(['disabled', 'locked', 'one-time', 'active']);
export type AccountState = z.infer<typeof accountStateSchema>;

const seenSchema = z.object({ at: z.iso.datetime(), from: z.string() });

export const accountSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  role: roleSchema,
  state: accountStateSchema,
  createdAt: z.iso.datetime(),
  /** To be sent with a change: one that is based on an older one is refused. */
  revision: z.number().int(),
  /** Null: never yet. */
  lastLogin: seenSchema.nullable(),
  /** Open ones. */
  logIns: z.number().int(),
  /** Wrong passwords that count towards a lock. */
  failures: z.number().int(),
  /** The last wrong one, counted or not; null: none yet. */
  lastFailure: seenSchema.nullable(),
  /** Null: it is not locked. */
  lockedUntil: z.iso.datetime().nullable(),
  /** The one who asks. */
  isSelf: z.boolean(),
});
export type Account = z.infer<typeof accountSchema>;

export const usersResponseSchema = z.object({
  /** The proxy's clock: what times are to be compared with. */
  at: z.iso.datetime(),
  users: z.array(accountSchema),
  /** What each role may do, fewest rights first. */
  roles: z.array(z.object({ role: roleSchema, about: z.string(), permissions: z.array(permissionSchema) })),
  rights: z.array(z.object({ permission: permissionSchema, about: z.string() })),
});
export type UsersResponse = z.infer<typeof usersResponseSchema>;

const reasonSchema = z.string().trim().min(1).max(500);

export const createUserSchema = z.object({
  /** Small letters only: two names must not be taken for each other. */
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9][a-z0-9._@+-]*$/, 'Small letters, digits and . _ @ + -, beginning with a letter or digit.'),
  role: roleSchema,
  reason: reasonSchema,
});
export type CreateUser = z.infer<typeof createUserSchema>;

export const userParamsSchema = z.object({ id: z.coerce.number().int().min(1) });
export const userChangeSchema = z.object({ revision: z.number().int().min(0), reason: reasonSchema });
export type UserChange = z.infer<typeof userChangeSchema>;
export const userRoleSchema = userChangeSchema.extend({ role: roleSchema });
export type UserRole = z.infer<typeof userRoleSchema>;

/** The user as they are now. */
export const changedUserSchema = z.object({
  user: accountSchema,
  /** To be shown once and passed on: only its hash is kept. Null: the change makes none. */
  oneTimePassword: z.string().nullable(),
});
export type ChangedUser = z.infer<typeof changedUserSchema>;

export const logInSchema = z.object({
  id: z.string(),
  openedAt: z.iso.datetime(),
  /** To the minute. */
  lastSeenAt: z.iso.datetime(),
  /** Ends then, whatever the activity. */
  expiresAt: z.iso.datetime(),
  /** Address it was opened from; empty: it is not known. */
  origin: z.string(),
  /** User-Agent; empty: it is not known. */
  agent: z.string(),
  /** The one that is asked from. */
  isCurrent: z.boolean(),
});
export type LogIn = z.infer<typeof logInSchema>;
/** Newest first. */
export const logInsResponseSchema = z.object({ at: z.iso.datetime(), logIns: z.array(logInSchema) });
export type LogInsResponse = z.infer<typeof logInsResponseSchema>;

/** Null: all of them but the one that is asked from. */
const whichLogInSchema = z.string().max(64).nullable();
export const endOwnLogInsSchema = z.object({ logIn: whichLogInSchema });
export const endLogInsSchema = z.object({ logIn: whichLogInSchema, reason: reasonSchema });
export type EndLogIns = z.infer<typeof endLogInsSchema>;
/** How many were ended: those that had ended by themselves are not among them. */
export const endedLogInsSchema = z.object({ ended: z.number().int() });
