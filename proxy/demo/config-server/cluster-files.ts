import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoCluster } from '../demo-cluster.ts';

/** IDCs that no zone of the demo cluster has: a proxy that stands in one of them knows its region by this list only. */
const IDC_LIST = [
  { idc: 'idc1', region: 'SHANGHAI' },
  { idc: 'idc2', region: 'SHANGHAI' },
  { idc: 'idc3', region: 'HANGZHOU' },
  { idc: 'office', region: 'HANGZHOU' },
];

/** Writes a demo cluster's files for the ConfigServer. Files that are there already stay as they are, unless `anew`. */
export async function writeClusterFiles(
  directory: string,
  cluster: Pick<DemoCluster, 'clusterName' | 'servers'>,
  id: number,
  anew = false,
): Promise<void> {
  const { clusterName, servers } = cluster;
  const server = (address: string, ip: string, index: number) => ({
    address: `${ip}:2882`,
    role: index === 0 ? 'LEADER' : 'FOLLOWER',
    sql_port: Number(address.split(':')[1]),
  });
  const list = {
    ObCluster: clusterName,
    ObClusterId: id,
    Type: 'PRIMARY',
    RsList: servers.slice(0, 3).map(({ address, ip }, index) => server(address, ip, index)),
    ReadonlyRsList: servers.slice(3).map(({ address, ip }) => server(address, ip, 1)),
  };
  await mkdir(directory, { recursive: true });
  const write = async (file: string, content: object): Promise<void> => {
    const path = join(directory, file);
    if (anew || !(await exists(path))) await writeFile(path, `${JSON.stringify(content, null, 2)}\n`);
  };
  await write(`${clusterName}.json`, list);
  await write(`${clusterName}.idc.json`, { ObCluster: clusterName, ObClusterId: id, IDCList: IDC_LIST });
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
