import * as z from 'zod';

const envSchema = z.object({
  /** Path of the Unix socket on which the proxy serves its control API. */
  ODP_CONTROL_SOCKET: z.string().min(1),
  /** Address to listen on. Not `HOSTNAME`: shells and containers set that to the machine's name. */
  ODP_CONSOLE_HOST: z.string().min(1).default('127.0.0.1'),
  /** Port to listen on; 0 takes a free one (and the server then writes the real one back here). */
  ODP_CONSOLE_PORT: z.coerce.number().int().min(0).max(65_535).default(8080),
  /** The origin that browsers see when a reverse proxy stands in front, e.g. `https://odp.example.com`. */
  ODP_CONSOLE_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .transform((url) => new URL(url).origin)
    .optional(),
});

/** The console's settings, all of them from the environment. */
export type ConsoleEnv = z.infer<typeof envSchema>;

let parsed: ConsoleEnv | undefined;

/**
 * The console's settings, parsed at first use (a build needs none of them) and kept.
 * @throws Error that names each bad or missing variable.
 */
export function consoleEnv(): ConsoleEnv {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/** Parse a set of variables; an empty text counts as not set. Throws an Error that names each bad variable. */
export function parseEnv(source: Record<string, string | undefined>): ConsoleEnv {
  const present = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const result = envSchema.safeParse(present);
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`console settings: ${problems.join('; ')}`);
}
