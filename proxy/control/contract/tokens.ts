/** Tokens with which scripts use the API. */
import * as z from 'zod';
import { permissionSchema, roleSchema } from './people.ts';

/** A token lives no longer than this (ms): one that is forgotten must not work for ever. */
export const maxTokenLifeMs = 366 * 86_400_000;

const reasonSchema = z.string().trim().min(1).max(500);

/** An API token, without its secret. */
export const tokenSchema = z.object({
  id: z.number().int(),
  /** Whose it is: what it does is done in that person's name. */
  owner: z.string(),
  name: z.string(),
  /** The role that it has at most; null: `rights` says it. */
  role: roleSchema.nullable(),
  /** What it may do at most, by itself or by `role`. */
  rights: z.array(permissionSchema),
  /** What it may do now: `rights` as far as its owner has them. */
  allowed: z.array(permissionSchema),
  /** What it is for. */
  reason: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** To the minute; null: never. */
  lastUsedAt: z.iso.datetime().nullable(),
  /** Address of that use; may be empty. */
  lastUsedFrom: z.string(),
  /** Only a live one works. */
  state: z.enum(['live', 'expired', 'owner-disabled']),
});
export type Token = z.infer<typeof tokenSchema>;

export const tokensQuerySchema = z.object({
  /** `all` needs the right tokens.manage. */
  whose: z.enum(['own', 'all']).default('own'),
});
export const tokensResponseSchema = z.object({
  /** The proxy's clock: what times are to be compared with. */
  at: z.iso.datetime(),
  /** By owner and name. */
  tokens: z.array(tokenSchema),
  /** What the one who asks can give to a token. */
  canGive: z.object({
    roles: z.array(roleSchema),
    rights: z.array(z.object({ right: permissionSchema, about: z.string() })),
  }),
});

export const makeTokenRequestSchema = z
  .object({
    /** Shown in the history beside its owner; of a person's tokens no two have the same. */
    name: z.string().trim().min(1).max(64),
    /** Null: `rights` says what it may do. */
    role: roleSchema.nullable().default(null),
    rights: z.array(permissionSchema).default([]),
    /** Within 366 days. */
    expiresAt: z.iso.datetime(),
    reason: reasonSchema,
  })
  .refine(({ role, rights }) => (role === null) !== (rights.length === 0), {
    path: ['rights'],
    error: 'either a role or at least one right',
  });
export type MakeToken = z.infer<typeof makeTokenRequestSchema>;
export const makeTokenResponseSchema = z.object({
  /** To be sent as `Authorization: Bearer`. Told this once, and kept nowhere. */
  secret: z.string(),
  token: tokenSchema,
});

export const tokenParamsSchema = z.object({ id: z.coerce.number().int().positive() });
export const revokeTokenRequestSchema = z.object({ reason: reasonSchema });
