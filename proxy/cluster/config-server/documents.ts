/**
 * What a ConfigServer answers, read and checked: whatever is not as it should be is an error that says what and where.
 * Fields that are not known are left alone. No I/O.
 */
import { z } from 'zod';
import { toServerAddress } from '../../config/server-address.ts';
import { OdpError } from '../../errors/odp-error.ts';
import type { RootServer } from '../cluster-directory.ts';
import type { IdcRegion } from '../topology.ts';
import { fillTemplate } from './urls.ts';

/** The document: which clusters there are. */
export interface ClusterList {
  readonly version: string;
  readonly clusters: readonly { readonly name: string; readonly rsUrl: string }[];
}

/** One of the clusters of a name: a primary and its standbys have the same. */
export interface ListedCluster {
  /** 0: not told. */
  readonly id: number;
  readonly isPrimary: boolean;
  readonly rootServers: readonly RootServer[];
}

const envelope = z.object({
  Code: z.number().refine((code) => Math.trunc(code / 100) === 2, 'is not a success'),
  Success: z.literal(true),
  Message: z.literal('successful'),
  Data: z.unknown(),
});
const version = z.union([z.string(), z.number()]).transform(String);
const name = z.string().min(1).max(128);
const versionDocument = z.object({ Version: version });
const clusterEntry = z
  .object({ ObCluster: name.optional(), ObRegion: name.optional(), ObRootServiceInfoUrl: z.string().min(1) })
  .refine(({ ObCluster, ObRegion }) => (ObCluster ?? ObRegion) !== undefined, 'has neither ObCluster nor ObRegion')
  .transform((entry) => ({ name: entry.ObCluster ?? entry.ObRegion ?? '', rsUrl: entry.ObRootServiceInfoUrl }));
const listDocument = versionDocument.extend({ ObRootServiceInfoUrlList: z.array(clusterEntry) });
/** The names stand in `ObClusterList`; older servers call that list `ObRegion`. */
const templateDocument = versionDocument.extend({
  ObRootServiceInfoUrlTemplate: z.string().optional(),
  ObRootServiceInfoUrlTemplateV2: z.string().optional(),
  ObClusterList: z.array(name).optional(),
  ObRegion: z.array(name).optional(),
});
const serverEntry = z.object({ address: z.string(), sql_port: z.number(), role: z.string().optional() });
const clusterDocument = z.object({
  ObCluster: z.string().optional(),
  ObRegion: z.string().optional(),
  ObClusterAlias: z.string().optional(),
  ObClusterId: z.number().int().min(0).optional(),
  ObRegionId: z.number().int().min(0).optional(),
  Type: z.string().optional(),
  RsList: z.array(serverEntry),
  ReadonlyRsList: z.array(serverEntry).optional(),
});
const idcDocument = z.object({ IDCList: z.array(z.object({ idc: z.string().min(1), region: z.string() })) });

/** @throws OdpError CONFIG_SERVER_ANSWER; so do all below */
export function readVersion(text: string, url: string): string {
  return read(versionDocument, text, url).Version;
}

/** GetObProxyConfig, or the template form. An empty list counts as a fault: no ConfigServer serves nobody. */
export function readClusterList(text: string, url: string): ClusterList {
  const data = dataOf(text, url);
  const isTemplate = typeof data === 'object' && data !== null && 'ObRootServiceInfoUrlTemplate' in data;
  const isList = typeof data === 'object' && data !== null && 'ObRootServiceInfoUrlList' in data;
  const list = isTemplate && !isList ? fromTemplate(data, url) : fromList(data, url);
  if (list.clusters.length === 0) throw fault(url, 'it names no cluster');
  const names = list.clusters.map((cluster) => cluster.name);
  const twice = names.find((one, index) => names.indexOf(one) !== index);
  if (twice !== undefined) throw fault(url, `it names the cluster '${twice}' twice`);
  return list;
}

/** The clusters of one name: an object, or an array of a primary and its standbys. */
export function readServerLists(text: string, url: string, cluster: string): ListedCluster[] {
  const data = dataOf(text, url);
  const documents = check(z.array(clusterDocument), Array.isArray(data) ? data : [data], url);
  const lists = documents.map((document) => {
    const told = [document.ObCluster, document.ObRegion, document.ObClusterAlias].filter((one) => one !== undefined);
    if (told.length > 0 && !told.includes(cluster)) {
      throw fault(url, `it tells of the cluster '${told[0]}', not of '${cluster}'`);
    }
    return {
      id: document.ObClusterId ?? document.ObRegionId ?? 0,
      isPrimary: document.Type === undefined || document.Type.toUpperCase() === 'PRIMARY',
      rootServers: [...serversOf(document.RsList, 'FULL'), ...serversOf(document.ReadonlyRsList ?? [], 'READONLY')],
    };
  });
  const usable = lists.filter(({ rootServers }) => rootServers.length > 0);
  if (usable.length === 0) throw fault(url, 'it names no server with a usable address and sql_port');
  return usable;
}

export function readIdcRegions(text: string, url: string): IdcRegion[] {
  return read(idcDocument, text, url).IDCList.map(({ idc, region }) => ({ idc, region }));
}

function fromList(data: unknown, url: string): ClusterList {
  const document = check(listDocument, data, url);
  return { version: document.Version, clusters: document.ObRootServiceInfoUrlList };
}

function fromTemplate(data: unknown, url: string): ClusterList {
  const document = check(templateDocument, data, url);
  const template = document.ObRootServiceInfoUrlTemplateV2 || document.ObRootServiceInfoUrlTemplate || '';
  const clusters = (document.ObClusterList ?? document.ObRegion ?? []).map((cluster) => {
    const rsUrl = fillTemplate(template, cluster);
    if (rsUrl === null) throw fault(url, `the template '${template}' has neither \${ObRegion} nor \${ObCluster}`);
    return { name: cluster, rsUrl };
  });
  return { version: document.Version, clusters };
}

/** `address` holds the internal port, which is not used here. Entries without a usable address are left out, as in the reference. */
function serversOf(entries: readonly z.infer<typeof serverEntry>[], replicaType: 'FULL' | 'READONLY'): RootServer[] {
  return entries.flatMap(({ address, sql_port, role }) => {
    const host = address.startsWith('[') ? address.slice(1).split(']')[0] : address.replace(/:\d*$/, '');
    const server = toServerAddress(host ?? '', sql_port);
    return server === null ? [] : [{ address: server, role: (role ?? '').toUpperCase(), replicaType }];
  });
}

function read<Output>(schema: z.ZodType<Output>, text: string, url: string): Output {
  return check(schema, dataOf(text, url), url);
}

function dataOf(text: string, url: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw fault(url, `it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return check(envelope, json, url).Data;
}

function check<Output>(schema: z.ZodType<Output>, value: unknown, url: string): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw fault(url, `${issue?.path.join('.') || 'the answer'}: ${issue?.message ?? 'not as expected'}`);
}

function fault(url: string, detail: string): OdpError {
  return new OdpError('CONFIG_SERVER_ANSWER', { url, detail });
}
