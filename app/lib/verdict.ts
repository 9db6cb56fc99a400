/** Is anything wrong, where, since when, why: the one answer at the top of the Overview, from all that is known. */
import type { Catalog } from '@/messages/catalog.ts';
import type { BlocklistCluster, Overview, UpgradeState } from '../../proxy/control/contract.ts';
import type { ListedPhase, ListedRow } from './listed-rows.ts';
import { rateText } from './numbers.ts';
import type { Text } from './text.ts';
import { runningRun } from './upgrade-progress.ts';
import type { ZoneRates } from './zone-rates.ts';

/** The texts of the Overview. */
export type OverviewText = Text<Catalog['overview']>;

/** `info`: something is under way that needs nobody. */
export type Level = 'ok' | 'info' | 'warn' | 'bad';

/** One thing that is not as it should be, worst first in a verdict. */
export interface Cause {
  readonly key: string;
  readonly level: Exclude<Level, 'ok'>;
  /** What is wrong, in a few words that can stand alone. */
  readonly title: string;
  /** Begin, ISO; null: not known. */
  readonly since: string | null;
  /** More of it in the reader's language; may be empty. */
  readonly why: string;
  /** What the proxy says of it, in English; may be empty. */
  readonly detail: string;
  /** The page that tells more; empty: none does. */
  readonly href: string;
}

export interface Verdict {
  /** That of the worst cause. */
  readonly level: Level;
  /** Worst first. */
  readonly causes: readonly Cause[];
}

export interface VerdictFacts {
  readonly listed: readonly ListedRow[];
  readonly rates: readonly ZoneRates[];
  /** Of all clusters that are watched. */
  readonly serverCount: number;
  /** Null: of a moment that has passed only listings and traffic are kept. */
  readonly now: {
    readonly overview: Overview;
    /** Left out: the role may not see them. */
    readonly blocklists: readonly BlocklistCluster[];
    readonly upgrade: UpgradeState | null;
  } | null;
}

const rank: Record<Level, number> = { bad: 0, warn: 1, info: 2, ok: 3 };

export function verdictOf(facts: VerdictFacts, t: OverviewText): Verdict {
  const { now } = facts;
  const causes = [
    ...listedCauses(facts, t),
    ...(now === null ? [] : clusterCauses(now.overview, t)),
    ...errorCauses(facts.rates, t),
    ...(now === null ? [] : [...observationCauses(now.blocklists, t), ...upgradeCauses(now.upgrade, t)]),
  ].toSorted((one, other) => rank[one.level] - rank[other.level]);
  return { level: causes[0]?.level ?? 'ok', causes };
}

function listedCauses({ listed, serverCount, now }: VerdictFacts, t: OverviewText): Cause[] {
  const [first] = listed;
  if (first === undefined) return [];
  const total = Math.max(serverCount, listed.length);
  const isAll = listed.length === total && total > 1;
  const isSettling = listed.every(({ phase }) => settling.has(phase));
  const lists = now?.blocklists ?? [];
  const isOff = lists.length > 0 && lists.every(({ parameters }) => !parameters.enabled);
  const zones = new Set(listed.map(({ cluster, zone }) => `${cluster}/${zone}`));
  const place =
    zones.size > 1 ? t('inZones', { count: zones.size }) : first.zone === '' ? '' : t('inZone', { zone: first.zone });
  return [
    {
      key: 'listed',
      level: isSettling && !isAll ? 'info' : 'bad',
      title: isAll ? t('allListed', { count: total }) : t('someListed', { count: listed.length, total }),
      since: first.since,
      why: [place, isOff ? t('requestsAnyway') : ''].filter((text) => text !== '').join('; '),
      detail: first.listings[0]?.reason ?? '',
      href: '/blocklist',
    },
  ];
}

const settling: ReadonlySet<ListedPhase> = new Set(['recovering', 'upgrading', 'leaving']);

function clusterCauses({ clusters, configServer }: Overview, t: OverviewText): Cause[] {
  const causes: Cause[] = [];
  for (const { name, error, zones, refreshedAt, isWatched } of clusters) {
    const href = `#cluster-${name}`;
    if (error !== null && isWatched) {
      const title = t('clusterSilent', { cluster: name });
      causes.push({ key: `cluster ${name}`, level: 'bad', title, since: refreshedAt, why: '', detail: error, href });
    }
    for (const state of ['INACTIVE', 'MERGE', 'UPGRADE'] as const) {
      const own = zones.filter((zone) => zone.state === state).map((zone) => zone.name);
      const [zone] = own;
      if (zone === undefined) continue;
      causes.push({
        key: `zones ${name} ${state}`,
        level: state === 'INACTIVE' ? 'bad' : 'info',
        title: own.length === 1 ? t(`zone.${state}`, { zone }) : t(`zones.${state}`, { count: own.length }),
        since: null,
        why: t('ofCluster', { cluster: name }),
        detail: own.length === 1 ? '' : own.slice(0, 10).join(', '),
        href,
      });
    }
  }
  if (configServer !== null && configServer.error !== null) {
    const { source, answeredAt, error } = configServer;
    const level = source === 'none' ? 'bad' : 'warn';
    const title = t('configServerSilent');
    causes.push({ key: 'config-server', level, title, since: answeredAt, why: '', detail: error, href: '' });
  }
  return causes;
}

function errorCauses(rates: readonly ZoneRates[], t: OverviewText): Cause[] {
  return rates.flatMap((zone): Cause[] => {
    const { key, trouble, last } = zone;
    if (trouble === null || last === null) return [];
    return [
      {
        key: `errors ${key}`,
        level: 'warn',
        title: t('statementsFail', { share: percentText(trouble.share), place: zoneName(zone, t) }),
        since: trouble.since,
        why: t('errorsASecond', { rate: rateText(last.errors) }),
        detail: '',
        href: `/?zone=${encodeURIComponent(key)}`,
      },
    ];
  });
}

/** A zone as people call it, with its cluster where it has no name. */
export function zoneName({ cluster, zone }: Pick<ZoneRates, 'cluster' | 'zone'>, t: OverviewText): string {
  if (cluster === '') return t('furtherZones');
  return zone === '' ? `${cluster}, ${t('zoneNotKnown')}` : zone;
}

/** What has not come to a listing yet, and what keeps listings from counting. */
function observationCauses(blocklists: readonly BlocklistCluster[], t: OverviewText): Cause[] {
  const causes: Cause[] = [];
  if (blocklists.some(({ parameters }) => !parameters.enabled)) {
    const href = '/configuration?q=name%3Aenable_congestion';
    const words = { title: t('blocklistsOff'), why: t('blocklistsOffWhy'), detail: '' };
    causes.push({ key: 'off', level: 'warn', since: null, href, ...words });
  }
  const failing = blocklists
    .flatMap(({ servers }) => servers)
    .filter((server) => server.listings.length === 0 && server.failures.inWindow + server.failedProbesInRow > 0);
  const [first] = failing;
  if (first === undefined) return causes;
  const { address: server, failures, failedProbesInRow } = first;
  causes.push({
    key: 'failing',
    level: 'warn',
    title: t('failing', { count: failing.length }),
    since: null,
    why: t('failuresOf', { server, requests: failures.inWindow, probes: failedProbesInRow }),
    detail: '',
    href: failing.length === 1 ? `/blocklist?server=${encodeURIComponent(server)}` : '/blocklist',
  });
  return causes;
}

function upgradeCauses(upgrade: UpgradeState | null, t: OverviewText): Cause[] {
  const run = upgrade === null ? null : runningRun(upgrade);
  if (upgrade === null || run === null) return [];
  const isBack = upgrade.phase === 'rollback';
  return [
    {
      key: 'upgrade',
      level: isBack || run.failures > 0 ? 'warn' : 'info',
      title: isBack ? t('rollingBack') : t(`run.${run.kind}`),
      since: run.startedAt,
      why: '',
      detail: run.failure === '' ? (run.steps.at(-1)?.text ?? '') : run.failure,
      href: '/upgrade',
    },
  ];
}

/** `12%`; less than one in ten in tenths. */
function percentText(share: number): string {
  return `${share < 0.0995 ? (share * 100).toFixed(1) : Math.round(share * 100)}%`;
}
