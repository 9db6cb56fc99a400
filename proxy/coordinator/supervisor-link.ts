/** What a generation and the supervisor tell each other over the process channel. */
import type { GenerationReport, Refusal, Step, UpgradeOrder } from '../upgrade/types.ts';
import type { UpgradeView } from '../upgrade/view.ts';

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
  /** Its number: 1 is the first since the supervisor was started. */
  readonly generation: number;
  /** It tests itself, and waits to be told to accept: another generation serves. */
  readonly trial: boolean;
}

/** A step of an upgrade, to be kept in the history. */
export interface UpgradeRecord {
  /** Never the same again: a record that is told twice is kept once. */
  readonly key: string;
  readonly run: number;
  readonly step: Step;
  readonly reason: string;
}

/** Supervisor → generation. `listening` carries the bound TCP handle. */
export type ToGeneration =
  | GenerationStart
  | { readonly type: 'listening'; readonly host: string; readonly port: number }
  | ({ readonly type: 'demo' } & DemoServers)
  | { readonly type: 'refused'; readonly wanted: 'listen' | 'demo-wanted'; readonly message: string }
  | { readonly type: 'accept' | 'stop-accepting' | 'stop-hand-over' | 'stop' }
  /** Sockets on which the other generation's workers take sessions. */
  | { readonly type: 'hand-over'; readonly paths: readonly string[] }
  | { readonly type: 'close-rest'; readonly reason: string }
  | { readonly type: 'upgrade-state'; readonly view: UpgradeView }
  | { readonly type: 'record'; readonly record: UpgradeRecord }
  | { readonly type: 'order-answer'; readonly id: number; readonly refusal: Refusal | null }
  /** From another generation, as it was sent. */
  | { readonly type: 'peer'; readonly from: number; readonly message: unknown };

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
  | { readonly type: 'failed'; readonly message: string }
  /** It takes new clients, and sessions of another generation at these sockets. */
  | { readonly type: 'accepting'; readonly paths: readonly string[] }
  | { readonly type: 'stopped' }
  | { readonly type: 'report'; readonly report: GenerationReport }
  | { readonly type: 'order'; readonly id: number; readonly order: UpgradeOrder }
  | { readonly type: 'recorded'; readonly key: string }
  /** For another generation, as it is. */
  | { readonly type: 'peer'; readonly to: number; readonly message: unknown }
  /** `proxy_local_cmd` 1: the whole product ends. */
  | { readonly type: 'exit' };
