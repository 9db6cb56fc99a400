import { describe, expect, it } from 'vitest';
import type { HistoryRow } from '../../proxy/control/contract.ts';
import { anEvent, at, t } from './overview-samples.ts';
import { groupLook, groupMarks, markActions, marksOf } from './timeline-marks.ts';

function aRow(id: number, action: HistoryRow['action'], parts: Partial<HistoryRow> = {}): HistoryRow {
  return {
    id,
    at,
    action,
    actor: 'ann',
    token: '',
    role: '',
    source: 'console',
    origin: '',
    parameter: '',
    scope: '',
    oldValue: null,
    newValue: null,
    outcome: 'done',
    failure: '',
    workers: null,
    reason: '',
    requestId: `r${id}`,
    hash: '',
    ...parts,
  };
}

describe('marks', () => {
  it('tell what happened, who did it, why, and where the row is', () => {
    const change = { parameter: 'congestion_fail_window', oldValue: '120s', newValue: '60s', reason: 'load test' };
    const later = '2026-03-01T03:13:00.000Z';
    const marks = marksOf([anEvent(4)], [aRow(9, 'parameter.change', { ...change, at: later })], t);
    expect(marks).toMatchObject([
      {
        id: 'h9',
        lane: 'configuration',
        title: 'congestion_fail_window: 120s → 60s',
        who: 'ann',
        why: 'load test',
        href: '/history?q=request%3Ar9',
      },
      {
        id: 'b4',
        lane: 'blocklist',
        look: { word: 'Listed', shape: 'octagon', tone: 'bad' },
        zone: 'obdemo/zone2',
        href: '/blocklist?cluster=obdemo&server=127.0.0.12%3A2881',
      },
    ]);
  });

  it('of every action that is asked for have a lane and a title', () => {
    for (const action of markActions) {
      const reason = 'zone z1: ACTIVE → MERGE';
      const [mark] = marksOf([], [aRow(1, action, { parameter: 'p', oldValue: 'a', newValue: 'b', reason })], t);
      expect(mark?.title, action).toBeTruthy();
      expect(mark?.look.word, action).toBeTruthy();
    }
    expect(marksOf([], [aRow(1, 'login')], t)).toEqual([]);
  });

  it('say which titles are the proxy’s own words (issue 9)', () => {
    const rows = [
      aRow(1, 'demo.fault', { reason: 'zone z1 is cut off' }),
      aRow(2, 'proxy.start', { newValue: '4.3.6' }),
    ];
    const langs = marksOf([anEvent(4)], rows, t).map(({ id, titleLang }) => [id, titleLang]);
    expect(Object.fromEntries(langs)).toEqual({ b4: undefined, h1: 'en', h2: undefined });
  });

  it('of what was refused or failed say so, whoever did it by hand is named', () => {
    const [row] = marksOf([], [aRow(1, 'worker.die', { outcome: 'failed', oldValue: 'worker 1', failure: 'oom' })], t);
    expect(row).toMatchObject({ look: { word: 'Died', tone: 'bad' }, why: 'oom' });
    const evidence = { kind: 'hand', actor: 'bob', reason: 'mended' } as const;
    const [event] = marksOf([anEvent(1, { change: 'released', evidence })], [], t);
    expect(event).toMatchObject({ who: 'bob', look: { word: 'Released', tone: 'ok', shape: 'disc' } });
  });
});

describe('marks on an axis', () => {
  const fromMs = Date.parse(at);
  const marksAt = (...seconds: number[]) =>
    marksOf(
      seconds.map((second, id) => anEvent(id, { at: new Date(fromMs + second * 1_000).toISOString() })),
      [],
      t,
    );

  it('that are too near are one, which looks like its worst', () => {
    const marks = marksAt(50, 49, 10);
    const groups = groupMarks(marks, fromMs, fromMs + 100_000, 0.05);
    expect(groups.map(({ share, marks: own }) => [share, own.length])).toEqual([
      [0.5, 2],
      [0.1, 1],
    ]);
    const [released] = marksOf([anEvent(9, { change: 'released' })], [], t);
    const [listed] = marks;
    if (released === undefined || listed === undefined) throw new Error('no marks');
    expect(groupLook({ marks: [released, listed], share: 0 }).tone).toBe('bad');
  });

  it('stay inside, and what is outside is left out', () => {
    const groups = groupMarks(marksAt(101, 100, 0, -1), fromMs, fromMs + 100_000, 0.1);
    expect(groups.map(({ share }) => share)).toEqual([0.95, 0.05]);
  });

  it('of 500 servers that fall at once are one mark', () => {
    const groups = groupMarks(marksAt(...Array.from({ length: 500 }, () => 42)), fromMs, fromMs + 100_000, 0.03);
    expect(groups).toHaveLength(1);
    expect(groups[0]?.marks).toHaveLength(500);
  });
});
