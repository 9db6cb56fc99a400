/**
 * What a load balancer tells of the client behind it (case B12): a PROXY header in front of the log-in. The greeting does
 * not wait for it – a sender tells at once, and clients that come without a header have waited for nothing.
 */
import { isInNetworks } from '../config/networks.ts';
import { OdpError } from '../errors/odp-error.ts';
import { type ProxiedEnds, readProxyHeader } from '../net/proxy-header.ts';
import type { SessionContext } from './session-context.ts';

interface ProxiedSession {
  readonly id: number;
  /** Who has connected: the load balancer, until it has told more. */
  readonly host: string;
  /** From now on the client is there, and has connected to that place. */
  cameFrom(ends: ProxiedEnds): void;
}

export class ProxiedClient {
  readonly #session: ProxiedSession;
  readonly #context: SessionContext;
  #pending: Buffer | null = null;

  constructor(session: ProxiedSession, context: SessionContext) {
    this.#session = session;
    this.#context = context;
  }

  /**
   * Takes the first bytes of a connection. @returns those of the log-in, as soon as it is clear where it begins; else null
   * @throws OdpError BAD_HANDSHAKE for a header that is none, or that nobody expects from there
   */
  take(chunk: Buffer, length: number): Buffer | null {
    const came = chunk.subarray(0, length);
    const bytes = this.#pending === null ? came : Buffer.concat([this.#pending, came]);
    const header = readProxyHeader(bytes);
    if (header.kind === 'none') return bytes;
    if (header.kind === 'begun') {
      this.#pending = Buffer.from(bytes);
      return null;
    }
    const { id, host } = this.#session;
    const { config, log } = this.#context;
    if (!isInNetworks(config.list('proxy_protocol_networks'), host)) {
      throw new OdpError('BAD_HANDSHAKE', { detail: `a PROXY header from ${host}, not in proxy_protocol_networks` });
    }
    if (header.ends !== null) {
      log.debug({ session: id, from: host, ...header.ends }, 'a PROXY header tells where the client is');
      this.#session.cameFrom(header.ends);
    }
    return bytes.subarray(header.length);
  }
}
