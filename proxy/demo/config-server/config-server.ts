/**
 * A small ConfigServer for the demo and for tests: it answers from plain files in a folder, read with every question, so
 * that an edit counts at once. Nothing is checked: what is broken in a file is broken in the answer, to see what a proxy
 * makes of it.
 *
 * `NAME.json` is the cluster NAME: its content is the `Data` of the answer to `ObRootServiceInfo` – an object, or an
 * array of a primary and its standbys. `NAME.idc.json` beside it is that of `ObIDCRegionInfo`.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { errorText, OdpError } from '../../errors/odp-error.ts';

export interface DemoConfigServerOptions {
  readonly directory: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** 0: any free one. */
  readonly port: number;
}

export interface DemoConfigServer {
  readonly port: number;
  /** What a proxy takes as `obproxy_config_server_url`. @param form the document, or the one with templates */
  url(form?: 'GetObProxyConfig' | 'GetObRootServiceInfoUrlTemplate'): string;
  close(): Promise<void>;
}

const PATH = '/services';
const CLUSTER_FILE = /^(.+?)(?<!\.idc)\.json$/;

/** @throws Error of the system when the port cannot be had */
export async function startDemoConfigServer(options: DemoConfigServerOptions): Promise<DemoConfigServer> {
  const { directory, host = '127.0.0.1' } = options;
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://config-server');
    const base = `http://${request.headers.host ?? host}${PATH}`;
    answer(asked, base, directory, response).catch((error: unknown) => {
      sendFailure(response, 500, errorText(error));
    });
  });
  await listen(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: (form = 'GetObProxyConfig') => `http://${host}:${port}${PATH}?Action=${form}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(asked: URL, base: string, directory: string, response: ServerResponse): Promise<void> {
  const parameters = asked.searchParams;
  const action = parameters.get('Action') ?? '';
  const cluster = parameters.get('ObCluster') ?? parameters.get('ObRegion') ?? '';
  if (asked.pathname !== PATH) return sendFailure(response, 404, `questions go to ${PATH}`);
  if (action === 'GetObProxyConfig' || action === 'GetObRootServiceInfoUrlTemplate') {
    const clusters = await readClusters(directory);
    const version = versionOf(clusters);
    if (parameters.get('VersionOnly') === 'true') return sendData(response, JSON.stringify({ Version: version }));
    const names = [...clusters.keys()];
    const document = action === 'GetObProxyConfig' ? listDocument(names, base) : templateDocument(names, base);
    return sendData(response, JSON.stringify({ Version: version, ...document }));
  }
  if (action !== 'ObRootServiceInfo' && action !== 'ObIDCRegionInfo') {
    return sendFailure(response, 400, `the action '${action}' is not known`);
  }
  const content = await readCluster(directory, cluster, action === 'ObIDCRegionInfo' ? '.idc.json' : '.json');
  if (content === null) return sendFailure(response, 404, `nothing is known of '${cluster}'`);
  return sendData(response, content);
}

function listDocument(names: readonly string[], base: string): object {
  return {
    ObRootServiceInfoUrlList: names.map((name) => ({
      ObRegion: name,
      ObRootServiceInfoUrl: `${base}?Action=ObRootServiceInfo&ObRegion=${encodeURIComponent(name)}`,
    })),
  };
}

function templateDocument(names: readonly string[], base: string): object {
  const template = (name: string): string => `${base}?Action=ObRootServiceInfo&${name}=\${${name}}`;
  return {
    ObRootServiceInfoUrlTemplate: template('ObRegion'),
    ObRootServiceInfoUrlTemplateV2: template('ObCluster'),
    ObClusterList: names,
  };
}

/** Contents by name, in the order of the names. */
async function readClusters(directory: string): Promise<Map<string, string>> {
  const names = (await readdir(directory)).flatMap((file) => CLUSTER_FILE.exec(file)?.[1] ?? []).sort();
  const contents = await Promise.all(names.map((name) => readFile(join(directory, `${name}.json`), 'utf8')));
  return new Map(names.map((name, index) => [name, contents[index] ?? '']));
}

async function readCluster(directory: string, cluster: string, end: string): Promise<string | null> {
  if (cluster === '' || /[/\\\0]/.test(cluster)) return null;
  return await readFile(join(directory, `${cluster}${end}`), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/** Grows with every edit, so that proxies ask for the lists of servers as well. */
function versionOf(clusters: ReadonlyMap<string, string>): string {
  return createHash('sha256')
    .update(JSON.stringify([...clusters]))
    .digest('hex')
    .slice(0, 16);
}

function sendData(response: ServerResponse, data: string): void {
  const body = `{"Message":"successful","Success":true,"Code":200,"Data":${data}}`;
  response.writeHead(200, { 'content-type': 'application/json' }).end(body);
}

function sendFailure(response: ServerResponse, code: number, message: string): void {
  const body = JSON.stringify({ Message: message, Success: false, Code: code, Data: null });
  response.writeHead(code, { 'content-type': 'application/json' }).end(body);
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      reject(
        new OdpError('INVALID_ARGUMENT', { detail: `${host}:${port} cannot be listened on: ${errorText(error)}` }),
      );
    });
    server.listen(port, host, () => resolve());
  });
}
