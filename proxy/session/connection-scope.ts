import type { ConfigScope } from '../config/leveled-config.ts';

/** Whose values count for what came over a connection; where it came to is asked only when that matters. */
export class ConnectionScope implements ConfigScope {
  readonly clusterName: string;
  readonly tenant: string;
  readonly #port: { readonly vip: ConfigScope['vip'] };

  constructor(port: { readonly vip: ConfigScope['vip'] }, clusterName: string, tenant: string) {
    this.#port = port;
    this.clusterName = clusterName;
    this.tenant = tenant;
  }

  get vip(): ConfigScope['vip'] {
    return this.#port.vip;
  }
}
