import { expect, it } from 'vitest';
import type { StoredEvidence } from './blocklist-evidence.ts';
import { durationText, parametersText, reasonText } from './describe-transition.ts';

const probe = { ok: false, wallAtMs: 0, tookMs: 5_000, detail: 'no result within 5000 ms' };
const failure = { kind: 'connect-timeout', wallAtMs: 0, tookMs: 120, errno: 0, detail: '', sessionId: 1, digest: '' };

it.each<[StoredEvidence | null, 'listed' | 'released', string]>([
  [
    { kind: 'view', state: 'INACTIVE', zoneState: 'ACTIVE', reason: 'status inactive' },
    'listed',
    'the cluster says INACTIVE, zone ACTIVE: status inactive',
  ],
  [
    { kind: 'probes', probes: [probe, probe, probe, probe] },
    'listed',
    '4 probes in a row failed, the last: no result within 5000 ms',
  ],
  [
    { kind: 'probes', probes: [{ ...probe, ok: true, tookMs: 12.4, detail: '' }] },
    'released',
    'a probe was answered within 12ms',
  ],
  [{ kind: 'failures', failures: [failure] }, 'listed', '1 failure: 1 × connect-timeout'],
  [{ kind: 'success', sessionId: 7 }, 'released', 'a request worked there (session 7)'],
  [
    { kind: 'parameters', changed: ['failureThreshold', 'somethingNew'] },
    'released',
    'changed: congestion_failure_threshold, somethingNew',
  ],
  [{ kind: 'hand', actor: 'admin', reason: 'repaired' }, 'released', 'by hand (admin): repaired'],
  [{ kind: 'removed' }, 'released', 'the server has left the cluster'],
  [{ kind: 'restart' }, 'released', 'another process of the proxy has begun to serve, whose lists do not have it'],
  [null, 'listed', 'kept by another version of the proxy: cannot be read here'],
])('%j, %s', (evidence, change, text) => expect(reasonText({ evidence, change, parameters: null })).toBe(text));

it('tells times as the parameters are written', () => {
  expect([0.4, 100, 999.6, 1_500, 120_000, 90_061_001].map(durationText)).toEqual([
    '0ms',
    '100ms',
    '1s',
    '1.5s',
    '120s',
    '90061.001s',
  ]);
  expect(parametersText(null)).toContain('another version');
});
