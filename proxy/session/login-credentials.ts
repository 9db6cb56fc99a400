/** What is kept of a client's log-in so that later server sessions can be logged in with it (C2). No password is in it. */
import type { ConfigScope } from '../config/leveled-config.ts';
import { xorBytes } from '../wire/auth.ts';
import { CAP, NATIVE_PASSWORD } from '../wire/constants.ts';
import type { ConnectAttribute, Greeting, LoginPacket, WrittenAttribute } from '../wire/handshake.ts';
import type { SessionContext } from './session-context.ts';

export interface LoginCredentials {
  /** `user@tenant`: what an OBServer is told. */
  readonly serverUser: string;
  /** Whose parameter values count. */
  readonly scope: ConfigScope;
  readonly authAnswer: Buffer;
  readonly authPlugin: string;
  /** The scramble that this proxy gave the client. */
  readonly scramble: Buffer;
  readonly capabilities: number;
  readonly maxPacketBytes: number;
  readonly collation: number;
  /** Database asked for at log-in; empty: none. */
  readonly database: string;
  /** Those that servers are told, too. */
  readonly clientAttributes: readonly ConnectAttribute[];
  readonly clientHost: string;
  readonly clientPort: number;
  /** Connection id of the client session. */
  readonly sessionId: number;
  /** `client_session_id_version` when it was given out. */
  readonly idVersion: number;
  readonly cluster: string;
  readonly connectedAtMs: number;
}

/** Bytes that stay as long as the session: taken from Node's pool they would hold all of its 8 KiB with them. */
export const keptBytes = (bytes: Uint8Array): Buffer => {
  const kept = Buffer.allocUnsafeSlow(bytes.length);
  kept.set(bytes);
  return kept;
};

/** Of what a client tells of itself, what servers are told. */
export const keptAttributes = (attributes: readonly ConnectAttribute[]): readonly ConnectAttribute[] =>
  attributes
    .filter(([name]) => name.startsWith('__ob_client'))
    .map(([name, value]): ConnectAttribute => [name, keptBytes(value)]);

/** Features that are the client's choice and that the proxy carries through; all else is decided here. */
const CARRIED_CAPABILITIES =
  CAP.LONG_PASSWORD |
  CAP.FOUND_ROWS |
  CAP.LONG_FLAG |
  CAP.NO_SCHEMA |
  CAP.ODBC |
  CAP.LOCAL_FILES |
  CAP.IGNORE_SPACE |
  CAP.INTERACTIVE |
  CAP.IGNORE_SIGPIPE |
  CAP.TRANSACTIONS |
  CAP.MULTI_STATEMENTS |
  CAP.MULTI_RESULTS |
  CAP.PS_MULTI_RESULTS |
  CAP.DEPRECATE_EOF;

const OWN_CAPABILITIES =
  CAP.PROTOCOL_41 |
  CAP.SECURE_CONNECTION |
  CAP.PLUGIN_AUTH |
  CAP.PLUGIN_AUTH_LENENC |
  CAP.CONNECT_ATTRS |
  CAP.SESSION_TRACK |
  CAP.MULTI_RESULTS |
  CAP.TRANSACTIONS |
  CAP.LONG_FLAG;

/** Capabilities offered to clients; the end-mark style follows what servers offer, so that replies pass unchanged. */
export const CLIENT_CAPABILITIES =
  (CARRIED_CAPABILITIES & ~CAP.DEPRECATE_EOF) |
  CAP.CONNECT_WITH_DB |
  CAP.PROTOCOL_41 |
  CAP.RESERVED |
  CAP.SECURE_CONNECTION |
  CAP.PLUGIN_AUTH |
  CAP.PLUGIN_AUTH_LENENC |
  CAP.CONNECT_ATTRS |
  CAP.SESSION_TRACK;

/**
 * The log-in packet for one server. Capabilities are negotiated with that server alone (case B10).
 * @param offered OceanBase features, `OB_CAPABILITY` bits
 */
export function loginResponse(
  credentials: LoginCredentials,
  greeting: Greeting,
  withDatabase: boolean,
  context: SessionContext,
  offered: bigint,
): LoginPacket {
  const wanted = (credentials.capabilities & CARRIED_CAPABILITIES) | OWN_CAPABILITIES;
  const database = withDatabase ? credentials.database : '';
  const capabilities = (wanted & greeting.capabilities) | (database ? CAP.CONNECT_WITH_DB : 0);
  return {
    capabilities: capabilities >>> 0,
    maxPacketBytes: credentials.maxPacketBytes,
    collation: credentials.collation,
    user: credentials.serverUser,
    authAnswer: credentials.authAnswer,
    database,
    authPlugin: credentials.authPlugin || NATIVE_PASSWORD,
    attributes: loginAttributes(credentials, greeting, context, offered),
  };
}

function loginAttributes(
  credentials: LoginCredentials,
  greeting: Greeting,
  context: SessionContext,
  offered: bigint,
): WrittenAttribute[] {
  const sessionId = String(credentials.sessionId);
  const attributes: WrittenAttribute[] = [
    ...credentials.clientAttributes,
    ['__mysql_client_type', '__ob_proxy'],
    ['__connection_id', sessionId],
    ['__proxy_connection_id', sessionId],
    ['__global_vars_version', '0'],
    ['__proxy_capability_flag', String(offered)],
  ];
  if (context.config.bool('enable_cluster_checkout')) attributes.push(['__cluster_name', credentials.cluster]);
  if (credentials.authAnswer.length > 0) {
    attributes.push(['__proxy_scramble', xorBytes(credentials.scramble, greeting.scramble)]);
  }
  if (context.config.bool('enable_client_ip_checkout')) attributes.push(['__client_ip', credentials.clientHost]);
  const idc = context.levels.view(credentials.scope).text('proxy_idc_name');
  attributes.push(
    ['__proxy_version', context.proxyVersion],
    ['__client_addr_port', String(credentials.clientPort)],
    ['__client_session_id', sessionId],
    ['__client_connect_time', String(credentials.connectedAtMs * 1000)],
  );
  if (idc) attributes.push(['__proxy_idc_name', idc]);
  return attributes;
}
