/** The TLS contexts of new connections: follows the parameters and the files they name. */
import type { SecureContext } from 'node:tls';
import type { ConfigView } from '../config/config-view.ts';
import { tlsAttributes, tlsFiles } from '../config/tls-settings.ts';
import { OdpError } from '../errors/odp-error.ts';
import type { Logger } from '../log/logger.ts';
import { fileStamp, loadTls } from '../net/tls-material.ts';
import type { SessionTls } from '../session/session-context.ts';

/** How often the files are looked at: they may be links to what is replaced as a whole, which no watching tells. */
const LOOK_INTERVAL_MS = 1000;

export class TlsKeeper implements SessionTls {
  readonly #config: ConfigView;
  readonly #home: string;
  readonly #log: Pick<Logger, 'info' | 'warn'>;
  /** The newest good one. */
  #context: SecureContext | null = null;
  /** What was read last, good or not: files, their stamps, and the lowest version. */
  #seen = '';
  #required = false;
  #updates: Promise<void> = Promise.resolve();

  /** @param home folder that relative paths begin at */
  constructor(config: ConfigView, home: string, log: Pick<Logger, 'info' | 'warn'>) {
    this.#config = config;
    this.#home = home;
    this.#log = log;
  }

  get forClients(): SecureContext | null {
    return this.#config.bool('enable_client_ssl') ? this.#context : null;
  }

  get forServers(): SecureContext | null {
    return this.#config.bool('enable_server_ssl') ? this.#context : null;
  }

  get required(): boolean {
    return this.#required && this.#config.bool('enable_client_ssl');
  }

  /** Looks at the files again and again. */
  watch(): void {
    setInterval(() => void this.update(), LOOK_INTERVAL_MS).unref();
  }

  /** Takes over changed parameters and changed files; one call after the other. Never rejects. */
  update(): Promise<void> {
    this.#updates = this.#updates.then(() => this.#update());
    return this.#updates;
  }

  async #update(): Promise<void> {
    const { required, minVersion } = tlsAttributes(this.#config);
    this.#required = required;
    const files = tlsFiles(this.#config, this.#home);
    const seen = files === null ? '' : JSON.stringify([files, minVersion, await fileStamp(files)]);
    if (seen === this.#seen) return;
    this.#seen = seen;
    if (files === null) {
      this.#context = null;
      return;
    }
    try {
      const { context, subject, validTo } = await loadTls(files, minVersion);
      this.#context = context;
      this.#log.info({ certificate: files.certificate, subject, validTo }, 'TLS certificate in force');
    } catch (error) {
      if (!(error instanceof OdpError)) throw error;
      const kept = this.#context === null ? 'TLS is not offered' : 'the one before stays in force';
      this.#log.warn({ reason: error.message }, `the TLS certificate cannot be used: ${kept}`);
    }
  }
}
