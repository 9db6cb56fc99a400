/** People and their rights. */
import * as z from 'zod';

export const roleSchema = z.enum(['viewer', 'operator', 'dba', 'auditor', 'administrator']);
export type Role = z.infer<typeof roleSchema>;

export const permissionSchema = z.enum([
  'topology.read',
  'parameters.read',
  'parameters.write',
  'parameters.approve',
  'history.read',
  'history.export',
  'blocklist.read',
  'blocklist.release',
  'routing.explain',
  'locations.read',
  'locations.refresh',
  'sessions.read',
  'sessions.statements',
  'sessions.kill',
  'proxy.upgrade',
  'demo.faults',
  'users.read',
  'users.manage',
  'tokens.own',
  'tokens.manage',
]);
export type Permission = z.infer<typeof permissionSchema>;

export const userSchema = z.object({
  name: z.string(),
  role: roleSchema,
  permissions: z.array(permissionSchema),
  /** True until the first-run one-time password has been replaced. */
  mustChangePassword: z.boolean(),
  /** The API token that asks; null: a log-in. `permissions` are what it may. */
  token: z.object({ name: z.string(), expiresAt: z.iso.datetime() }).nullable(),
});
export type User = z.infer<typeof userSchema>;

export const loginRequestSchema = z.object({ name: z.string().min(1).max(64), password: z.string().min(1).max(256) });
export const loginResponseSchema = z.object({ token: z.string(), expiresAt: z.iso.datetime(), user: userSchema });
/** Answered with loginResponseSchema: the change ends every log-in of the user, so that the caller gets a new token. */
export const changePasswordRequestSchema = z.object({
  current: z.string().min(1).max(256),
  next: z.string().min(10).max(256),
});
