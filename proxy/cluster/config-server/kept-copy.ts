/** The last good answers of a ConfigServer on disk, for a start at which it cannot be reached. */
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseServerAddress } from '../../config/server-address.ts';
import { errorText, OdpError } from '../../errors/odp-error.ts';
import type { KnownClusters } from './known-clusters.ts';

/** Grows when the shape changes; a copy of another shape is not used. */
const FORMAT = 1;

const fileSchema = z.object({
  format: z.literal(FORMAT),
  url: z.string(),
  savedAt: z.iso.datetime(),
  version: z.string(),
  clusters: z.array(
    z.object({
      name: z.string().min(1),
      rsUrl: z.string(),
      members: z.array(
        z.object({
          id: z.number().int(),
          isPrimary: z.boolean(),
          servers: z.array(
            z.object({
              address: z.string(),
              role: z.string(),
              replicaType: z.enum(['FULL', 'READONLY']),
            }),
          ),
          idcRegions: z.array(z.object({ idc: z.string(), region: z.string() })),
        }),
      ),
    }),
  ),
});

/** What was kept, and when. */
interface KeptClusters {
  readonly savedAtMs: number;
  readonly clusters: KnownClusters;
}

/** Where the answers are kept. */
export interface KeptCopy {
  /** Null: nothing has been kept of this ConfigServer. Rejects with CONFIG_SERVER_COPY when what is there is unusable. */
  load(url: string): Promise<KeptClusters | null>;
  save(url: string, clusters: KnownClusters, atMs: number): Promise<void>;
}

/** A file that is replaced as a whole: a crash leaves the old copy or the new one. */
export function keptCopyAt(file: string): KeptCopy {
  return {
    load: async (url) => {
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw unusable(file, errorText(error));
      });
      return text === null ? null : fromText(text, url, file);
    },
    save: async (url, clusters, atMs) => {
      const next = `${file}.new`;
      await mkdir(dirname(file), { recursive: true });
      const handle = await open(next, 'w', 0o600);
      try {
        await handle.writeFile(toText(url, clusters, atMs));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(next, file);
    },
  };
}

function toText(url: string, { version, clusters }: KnownClusters, atMs: number): string {
  const content: z.infer<typeof fileSchema> = {
    format: FORMAT,
    url,
    savedAt: new Date(atMs).toISOString(),
    version,
    clusters: clusters.map(({ name, rsUrl, members }) => ({
      name,
      rsUrl,
      members: members.map(({ id, isPrimary, rootServers, idcRegions }) => ({
        id,
        isPrimary,
        servers: rootServers.map(({ address, role, replicaType }) => ({
          address: address.text,
          role,
          replicaType: replicaType || 'FULL',
        })),
        idcRegions: [...idcRegions],
      })),
    })),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

function fromText(text: string, url: string, file: string): KeptClusters | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw unusable(file, errorText(error));
  }
  const result = fileSchema.safeParse(json);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw unusable(file, `${issue?.path.join('.')}: ${issue?.message}`);
  }
  // Another ConfigServer's clusters are none of this one's.
  if (result.data.url !== url) return null;
  return {
    savedAtMs: Date.parse(result.data.savedAt),
    clusters: {
      version: result.data.version,
      clusters: result.data.clusters.map(({ name, rsUrl, members }) => ({
        name,
        rsUrl,
        error: null,
        listedAtMs: null,
        listFetches: 0,
        members: members.map(({ id, isPrimary, servers, idcRegions }) => ({
          id,
          isPrimary,
          rootServers: servers.flatMap(({ address, role, replicaType }) => {
            const parsed = parseServerAddress(address);
            return parsed === null ? [] : [{ address: parsed, role, replicaType }];
          }),
          idcRegions,
          idcsAtMs: null,
          idcFetches: 0,
        })),
      })),
    },
  };
}

function unusable(file: string, detail: string): OdpError {
  return new OdpError('CONFIG_SERVER_COPY', { file, detail });
}
