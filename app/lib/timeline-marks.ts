/** What happened, as marks on lanes along one axis of time. */
import type { BlocklistEvent, HistoryRow } from '../../proxy/control/contract.ts';
import type { StateLook } from './server-state.ts';
import type { OverviewText } from './verdict.ts';

export const lanes = ['blocklist', 'configuration', 'upgrade', 'cluster', 'kill'] as const;
type Lane = (typeof lanes)[number];

export interface Mark {
  /** `b` and the id of a blocklist event, or `h` and that of a row of the history: the same in every browser. */
  readonly id: string;
  readonly lane: Lane;
  readonly atMs: number;
  readonly at: string;
  readonly look: StateLook;
  readonly title: string;
  /** Of a title that is the proxy's own words, which are English. */
  readonly titleLang: 'en' | undefined;
  /** Who did it; empty: nobody did. */
  readonly who: string;
  readonly why: string;
  /** Where the row itself is. */
  readonly href: string;
  /** `cluster/zone` that it is about; empty: not about one zone. */
  readonly zone: string;
}

/** Actions of the history that are marks. Releases by hand come with the blocklist events. */
export const markActions = [
  'parameter.change',
  'revert.cancel',
  'revert.leave',
  'upgrade.step',
  'proxy.start',
  'worker.die',
  'cluster.change',
  'configserver.change',
  'resource.delete',
  'session.kill',
  'demo.fault',
] as const satisfies readonly HistoryRow['action'][];
type MarkAction = (typeof markActions)[number];

const laneOf: Record<MarkAction, Lane> = {
  'parameter.change': 'configuration',
  'revert.cancel': 'configuration',
  'revert.leave': 'configuration',
  'upgrade.step': 'upgrade',
  'proxy.start': 'upgrade',
  'worker.die': 'upgrade',
  'cluster.change': 'cluster',
  'configserver.change': 'cluster',
  'resource.delete': 'cluster',
  'demo.fault': 'cluster',
  'session.kill': 'kill',
};

/** Their titles are what the history says of them. */
const ownWords: readonly HistoryRow['action'][] = [
  'upgrade.step',
  'cluster.change',
  'configserver.change',
  'demo.fault',
];

/** Newest first. */
export function marksOf(events: readonly BlocklistEvent[], rows: readonly HistoryRow[], t: OverviewText): Mark[] {
  return [...events.map((event) => markOfEvent(event, t)), ...rows.flatMap((row) => markOfRow(row, t))].sort(
    (one, other) => other.atMs - one.atMs || (one.id < other.id ? 1 : -1),
  );
}

function markOfEvent(event: BlocklistEvent, t: OverviewText): Mark {
  const isListed = event.change === 'listed';
  const { evidence } = event;
  return {
    id: `b${event.id}`,
    lane: 'blocklist',
    atMs: Date.parse(event.at),
    at: event.at,
    look: isListed
      ? { word: t('mark.listed'), tone: 'bad', shape: 'octagon' }
      : { word: t('mark.released'), tone: 'ok', shape: 'disc' },
    titleLang: undefined,
    title: t(isListed ? 'onList' : 'offList', { server: event.server, list: event.list }),
    who: evidence?.kind === 'hand' ? evidence.actor : '',
    why: event.reason,
    href: `/blocklist?cluster=${encodeURIComponent(event.cluster)}&server=${encodeURIComponent(event.server)}`,
    zone: `${event.cluster}/${event.zone}`,
  };
}

function markOfRow(row: HistoryRow, t: OverviewText): Mark[] {
  const lane = laneOf[row.action as MarkAction];
  if (lane === undefined) return [];
  const isBad = row.outcome === 'failed' || row.outcome === 'refused';
  return [
    {
      id: `h${row.id}`,
      lane,
      atMs: Date.parse(row.at),
      at: row.at,
      look: lookOf(row, isBad, t),
      title: titleOf(row, t),
      titleLang: ownWords.includes(row.action) ? 'en' : undefined,
      who: row.actor,
      why: [row.reason, row.failure].filter((text) => text !== '').join('; '),
      href: `/history?q=${encodeURIComponent(`request:${row.requestId}`)}`,
      zone: '',
    },
  ];
}

function lookOf({ action }: HistoryRow, isBad: boolean, t: OverviewText): StateLook {
  if (isBad) return { word: t(action === 'worker.die' ? 'mark.died' : 'mark.failed'), tone: 'bad', shape: 'octagon' };
  switch (action) {
    case 'parameter.change':
      return { word: t('mark.changed'), tone: 'accent', shape: 'disc' };
    case 'upgrade.step':
      return { word: t('mark.upgrade'), tone: 'info', shape: 'arrow' };
    case 'proxy.start':
      return { word: t('mark.started'), tone: 'info', shape: 'arrow' };
    case 'session.kill':
      return { word: t('mark.killed'), tone: 'warn', shape: 'octagon' };
    case 'demo.fault':
      return { word: t('mark.fault'), tone: 'warn', shape: 'triangle' };
    case 'revert.cancel':
    case 'revert.leave':
      return { word: t('mark.kept'), tone: 'neutral', shape: 'ring' };
    default:
      return { word: t('mark.changed'), tone: 'info', shape: 'turn' };
  }
}

function titleOf({ action, parameter, scope, oldValue, newValue, reason }: HistoryRow, t: OverviewText): string {
  const change = `${oldValue ?? '–'} → ${newValue ?? '–'}`;
  switch (action) {
    case 'parameter.change':
      return `${parameter}${scope === '' ? '' : ` (${scope})`}: ${change}`;
    case 'revert.cancel':
    case 'revert.leave':
      return t('doesNotGoBack', { parameter });
    case 'upgrade.step':
      return newValue ?? reason;
    case 'proxy.start':
      return t('proxyStarted', { version: newValue ?? '' });
    case 'worker.die':
      return t('workerDied', { worker: oldValue ?? '' });
    case 'session.kill':
      return t('killed', { what: oldValue ?? newValue ?? '' });
    case 'cluster.change':
      return `${scope.replace(/^cluster=/, '')}: ${reason}`;
    case 'configserver.change':
      return `ConfigServer, ${scope.replace(/^cluster=/, '')}: ${change}`;
    case 'resource.delete':
      return t('givenUp', { cluster: oldValue ?? newValue ?? scope });
    default:
      return reason === '' ? change : reason;
  }
}

/** Marks of one lane that are too near to each other to be told apart, as one. */
export interface MarkGroup {
  /** Newest first, at least one. */
  readonly marks: readonly [Mark, ...Mark[]];
  /** Place on the axis, 0 left and 1 right, far enough from either end. */
  readonly share: number;
}

const toneRank: Record<StateLook['tone'], number> = { bad: 0, warn: 1, info: 2, accent: 3, neutral: 4, ok: 5 };

/** How a group looks: as the worst of its marks. */
export function groupLook({ marks }: MarkGroup): StateLook {
  return marks
    .map(({ look }) => look)
    .reduce((worst, look) => (toneRank[look.tone] < toneRank[worst.tone] ? look : worst));
}

/**
 * @param marks of one lane, newest first; those outside of the axis are left out
 * @param gapShare how near marks may be, as a part of the axis
 */
export function groupMarks(marks: readonly Mark[], fromMs: number, toMs: number, gapShare: number): MarkGroup[] {
  const groups: { marks: [Mark, ...Mark[]]; share: number }[] = [];
  for (const mark of marks) {
    if (mark.atMs < fromMs || mark.atMs > toMs) continue;
    const share = Math.min(1 - gapShare / 2, Math.max(gapShare / 2, (mark.atMs - fromMs) / (toMs - fromMs)));
    const last = groups.at(-1);
    // The newest mark of a group keeps its place when older ones join it.
    if (last !== undefined && last.share - share < gapShare) last.marks.push(mark);
    else groups.push({ marks: [mark], share });
  }
  return groups;
}
