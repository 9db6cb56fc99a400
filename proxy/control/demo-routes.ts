import { OdpError } from '../errors/odp-error.ts';
import { databaseErrorText } from '../history/database-error.ts';
import type { HistoryStore } from '../history/history-store.ts';
import {
  type DemoFault,
  type DemoState,
  demoFaultRequestSchema,
  demoLoadRequestSchema,
  demoStateSchema,
  type RouteName,
} from './contract.ts';
import type { DemoService } from './demo-service.ts';
import { describeFault } from './describe-fault.ts';
import { actorOf, defineRoute, type RequestContext, type Route } from './route.ts';

interface DemoRouteServices {
  /** Null: the proxy does not run with its embedded demo. */
  readonly service: DemoService | null;
  readonly history: HistoryStore;
  readonly now: () => Date;
}

/** The demo lab: how the demo cluster is, what is to be wrong with it, and its sample load. */
export function demoRoutes({ service, history, now }: DemoRouteServices) {
  const demo = (): DemoService => {
    if (service === null) throw new OdpError('NO_DEMO');
    return service;
  };
  const stamped = (state: Omit<DemoState, 'at'>): DemoState => ({ at: now().toISOString(), ...state });

  /** @throws OdpError STORE_FAILED: nothing is broken without a row that says who did it */
  const audit = async (
    context: RequestContext,
    entry: { readonly action: 'demo.fault' | 'demo.load'; readonly newValue: string; readonly reason?: string },
  ): Promise<void> => {
    try {
      await history.log.add(actorOf(context), entry);
    } catch (error) {
      throw new OdpError('STORE_FAILED', { detail: databaseErrorText(error) }, { cause: error });
    }
  };

  return {
    demo: defineRoute({
      audit: 'none',
      response: demoStateSchema,
      handle: async () => stamped(await demo().state()),
    }),

    demoFault: defineRoute({
      audit: 'handler',
      body: demoFaultRequestSchema,
      response: demoStateSchema,
      handle: async (context, { body: { fault, reason } }) => {
        const state = await demo().state();
        checkTargets(fault, state);
        await audit(context, { action: 'demo.fault', newValue: describeFault(fault), reason });
        return stamped(await demo().inject(fault));
      },
    }),

    demoLoad: defineRoute({
      audit: 'handler',
      body: demoLoadRequestSchema,
      response: demoStateSchema,
      handle: async (context, { body: { minutes } }) => {
        const service = demo();
        const newValue = minutes === 0 ? 'sample load ended' : `sample load begun for ${minutes} min`;
        await audit(context, { action: 'demo.load', newValue });
        return stamped(await service.load(minutes * 60_000));
      },
    }),
  } satisfies Partial<Record<RouteName, Route>>;
}

/** What a fault names has to be there before it is written down. @throws OdpError NOT_FOUND, BAD_REQUEST */
function checkTargets(fault: DemoFault, { servers, zones }: Omit<DemoState, 'at'>): void {
  const named = {
    server: ['server' in fault ? fault.server : undefined, 'to' in fault ? fault.to : undefined],
    zone: ['zone' in fault ? fault.zone : undefined],
    region: ['region' in fault ? fault.region : undefined],
  };
  const known: Readonly<Record<keyof typeof named, readonly string[]>> = {
    server: servers.flatMap(({ address, hostName, zone }) => [address, hostName, zone]),
    zone: zones.map(({ name }) => name),
    region: zones.map(({ region }) => region),
  };
  for (const kind of ['server', 'zone', 'region'] as const) {
    for (const name of named[kind]) {
      if (name === undefined || known[kind].includes(name)) continue;
      throw new OdpError('NOT_FOUND', { detail: `${kind} '${name}' of the demo cluster` });
    }
  }
  if (fault.fault === 'partition' && (fault.server === undefined) === (fault.region === undefined)) {
    throw new OdpError('BAD_REQUEST', { detail: "the fault 'partition' needs a server or a region" });
  }
}
