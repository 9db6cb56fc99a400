/** Listings and releases in words, for SQL clients and people on call. */
import type { StoredEvidence, StoredParameters } from './blocklist-evidence.ts';
import type { StoredTransition } from './blocklist-row.ts';

/** Names of the configuration parameters behind the fields of `StoredParameters`. */
const parameterNames: Readonly<Record<keyof StoredParameters, string>> = {
  enabled: 'enable_congestion',
  failureThreshold: 'congestion_failure_threshold',
  failWindowMs: 'congestion_fail_window',
  retryIntervalMs: 'congestion_retry_interval',
  minKeepMs: 'min_keep_congestion_interval',
  minConnectTimeoutMs: 'min_congested_connect_timeout',
  detectFailThreshold: 'server_detect_fail_threshold',
  detectMode: 'server_detect_mode',
};

const UNREADABLE = 'kept by another version of the proxy: cannot be read here';

/** Why it happened, in one sentence. */
export function reasonText({
  evidence,
  change,
  parameters,
}: Pick<StoredTransition, 'evidence' | 'change' | 'parameters'>) {
  if (evidence === null) return UNREADABLE;
  switch (evidence.kind) {
    case 'view':
      return `the cluster says ${evidence.state}, zone ${evidence.zoneState}: ${evidence.reason}`;
    case 'probes':
      return probesText(evidence.probes, change === 'listed');
    case 'failures':
      return failuresText(evidence.failures, parameters);
    case 'success':
      return `a request worked there (session ${evidence.sessionId})`;
    case 'parameters':
      return `changed: ${evidence.changed.map(parameterName).join(', ')}`;
    case 'hand':
      return `by hand (${evidence.actor}): ${evidence.reason}`;
    case 'removed':
      return 'the server has left the cluster';
    case 'restart':
      return 'another process of the proxy has begun to serve, whose lists do not have it';
  }
}

/** `name=value, name=value …` as ALTER PROXYCONFIG would take them. */
export function parametersText(parameters: StoredParameters | null): string {
  if (parameters === null) return UNREADABLE;
  return Object.entries(parameters)
    .map(([field, value]) => `${parameterName(field)}=${field.endsWith('Ms') ? durationText(Number(value)) : value}`)
    .join(', ');
}

/** Seconds, with as many digits as it takes; milliseconds below one second. */
export function durationText(ms: number): string {
  const rounded = Math.round(ms);
  return rounded < 1_000 ? `${rounded}ms` : `${rounded / 1_000}s`;
}

function parameterName(field: string): string {
  return Object.entries(parameterNames).find(([key]) => key === field)?.[1] ?? field;
}

function probesText(probes: Extract<StoredEvidence, { kind: 'probes' }>['probes'], isListing: boolean): string {
  const last = probes.at(-1);
  const outcome = last === undefined || last.detail === '' ? '' : `: ${last.detail}`;
  if (isListing) return `${probes.length} probes in a row failed, the last${outcome}`;
  return `a probe was answered within ${durationText(last?.tookMs ?? 0)}${outcome}`;
}

function failuresText(
  failures: Extract<StoredEvidence, { kind: 'failures' }>['failures'],
  parameters: StoredParameters | null,
): string {
  const counts = new Map<string, number>();
  for (const { kind, errno } of failures) {
    const name = errno === 0 ? kind : `${kind} ${errno}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const kinds = [...counts].map(([name, count]) => `${count} × ${name}`).join(', ');
  const span = parameters === null ? '' : ` within ${durationText(parameters.failWindowMs)}`;
  const last = failures.at(-1)?.detail ?? '';
  const noun = failures.length === 1 ? 'failure' : 'failures';
  return `${failures.length} ${noun}${span}: ${kinds}${last === '' ? '' : `; the last: ${last}`}`;
}
