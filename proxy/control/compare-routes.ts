import { compareSnapshots, refusalOf } from '../config/compare-snapshots.ts';
import type { ConfigStore } from '../config/config-store.ts';
import { type Snapshot, snapshotNow, snapshotOfDefaults, snapshotOfFile, snapshotWith } from '../config/snapshot.ts';
import type { HistoryStore } from '../history/history-store.ts';
import { entryAt, type ValuesAt, valuesAt, valuesBefore } from '../history/values-at.ts';
import {
  type CompareResponse,
  type CompareSide,
  type ConfigFile,
  compareRequestSchema,
  compareResponseSchema,
  configFileSchema,
  type RouteName,
} from './contract.ts';
import { FieldError } from './problem.ts';
import { defineRoute, type Route } from './route.ts';

interface CompareRouteServices {
  readonly store: ConfigStore;
  readonly history: HistoryStore;
  readonly version: () => string;
  readonly now: () => Date;
}

interface Side {
  readonly snapshot: Snapshot;
  readonly told: CompareResponse['from'];
}

/** The configuration as a file, and two configurations side by side; taking one over is a change like any other. */
export function compareRoutes({ store, history, version, now }: CompareRouteServices) {
  const plain = (snapshot: Snapshot): Side => ({
    snapshot,
    told: { entry: null, at: null, complete: true, skipped: [...snapshot.skipped] },
  });

  const past = ({ entry, at, values, complete }: ValuesAt): Side => {
    const snapshot = snapshotWith(snapshotNow(store), values);
    return {
      snapshot,
      told: { entry, at: at?.toISOString() ?? null, complete, skipped: [...snapshot.skipped] },
    };
  };

  /** @throws FieldError for an entry that is no change of a parameter */
  const sideOf = async (side: CompareSide): Promise<Side> => {
    switch (side.kind) {
      case 'now':
        return plain(snapshotNow(store));
      case 'defaults':
        return plain(snapshotOfDefaults());
      case 'file':
        return plain(snapshotOfFile(side.file));
      case 'entry':
        return past(await valuesAt(history.database, side.id));
      case 'time':
        return past(await valuesAt(history.database, await entryAt(history.database, new Date(side.at))));
      case 'undo':
        return plain(snapshotWith(snapshotNow(store), await changedBy(side.id)));
    }
  };

  const changedBy = async (entry: number) => {
    const values = await valuesBefore(history.database, entry);
    if (values.length === 0) throw new FieldError('id', `entry ${entry} of the history is no change of a parameter`);
    return values;
  };

  return {
    configFile: defineRoute({
      audit: { action: 'configuration.export', required: true },
      response: configFileSchema,
      handle: ({ response }) => {
        response.setHeader('Content-Disposition', 'attachment; filename="odp-configuration.json"');
        return configFile(store, version(), now());
      },
    }),

    compareConfig: defineRoute({
      audit: 'none',
      body: compareRequestSchema,
      response: compareResponseSchema,
      handle: async (_context, { body }) => {
        const [from, to] = [await sideOf(body.from), await sideOf(body.to)];
        const differences = compareSnapshots(from.snapshot, to.snapshot, store);
        return {
          from: from.told,
          to: to.told,
          differences: differences.map((one) => ({
            ...one,
            needReboot: store.parameter(one.name).spec.needReboot,
            fourEyes: store.needsSecondPerson(one.name),
          })),
          refusal: await refusalOf(differences, store),
        };
      },
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}

function configFile(store: ConfigStore, proxyVersion: string, at: Date): ConfigFile {
  const statuses = store.parameters().filter(({ spec }) => spec.visibleLevel !== 'MEMORY');
  const open = statuses.filter(({ spec }) => !spec.secret);
  const secrets = statuses.filter(({ spec, storedText }) => spec.secret && storedText !== '');
  return {
    format: 'odp-configuration',
    formatVersion: 1,
    exportedAt: at.toISOString(),
    proxyVersion,
    parameters: Object.fromEntries(open.map(({ spec, storedText }) => [spec.name, storedText])),
    levels: store
      .overrides()
      .filter(({ spec }) => !spec.secret)
      .map(({ spec, scope: { level, cluster, tenant, vip, vport }, text }) => {
        return { level, cluster, tenant, vip, vport, name: spec.name, value: text };
      }),
    secrets: secrets.map(({ spec }) => spec.name),
  };
}
