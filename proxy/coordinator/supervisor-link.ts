/** What a generation and the supervisor tell each other over the process channel. */
export interface DemoServers {
  readonly clusterName: string;
  /** Account, as `user@tenant`, that sees the demo's data in the database `trade`. */
  readonly demoUser: string;
  readonly servers: readonly { readonly address: string; readonly zone: string }[];
}

export interface GenerationStart {
  readonly type: 'start';
  readonly home: string;
  readonly parameters: readonly { readonly name: string; readonly value: string }[];
  readonly demo: 'embedded' | 'kernel' | null;
  readonly resetAdmin: boolean;
}

/** Supervisor → generation. `listening` carries the bound TCP handle. */
export type ToGeneration =
  | GenerationStart
  | { readonly type: 'listening'; readonly host: string; readonly port: number }
  | ({ readonly type: 'demo' } & DemoServers)
  | { readonly type: 'refused'; readonly wanted: 'listen' | 'demo-wanted'; readonly message: string }
  | { readonly type: 'stop' };

export interface GenerationReady {
  readonly type: 'ready';
  readonly host: string;
  readonly port: number;
  readonly controlSocket: string;
  /** The one of log-in names that give none; empty: none is known yet. */
  readonly clusterName: string;
  readonly clusterCount: number;
  readonly demo: boolean;
  /** Account that sees the demo's data; empty without a demo. */
  readonly demoUser: string;
  /** The first-run administrator's password; null when there was an administrator already. */
  readonly oneTimePassword: string | null;
}

/** Generation → supervisor. */
export type ToSupervisor =
  | { readonly type: 'listen'; readonly host: string; readonly ipv6Only: boolean; readonly port: number }
  | { readonly type: 'demo-wanted'; readonly kind: 'embedded' | 'kernel' }
  | GenerationReady
  | { readonly type: 'failed'; readonly message: string };
