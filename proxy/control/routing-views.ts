/** How plans look in the contract's shapes. */
import type { ClusterTopology } from '../cluster/topology.ts';
import type { RouteExplanation } from '../session/explain-route.ts';
import type { RouteExplainResponse, RoutePlan } from './contract.ts';
import type { ExplainAnswer } from './routing-service.ts';

export function explainView({ tenant, database, topology, explanation }: ExplainAnswer): RouteExplainResponse {
  const plan = explanation === null ? null : planView(explanation, topology);
  return { cluster: topology.clusterName, tenant, database, plan };
}

function planView(explanation: RouteExplanation, topology: ClusterTopology): RoutePlan {
  const { kind, table, location, partition, consistency, settings, ldc, rule, choice, forced, goesTo } = explanation;
  return {
    kind,
    table,
    whyNoTable: explanation.whyNoTable,
    location:
      location === null
        ? null
        : {
            tableId: location.tableId,
            partitionCount: location.partitionCount,
            replicas: location.replicas.map(({ address, role }) => ({ address, role })),
          },
    partition,
    consistency,
    settings: { ...settings },
    ldc: {
      matchType: ldc.matchType,
      regions: [...ldc.regions],
      sameIdc: [...ldc.sameIdc],
      sameRegion: [...ldc.sameRegion],
      otherRegion: [...ldc.otherRegion],
    },
    rule,
    policy: choice === null ? null : { name: choice.policy, because: choice.because },
    candidates: explanation.candidates.map((candidate) => ({
      ...candidate,
      ...placeOf(candidate.address, topology),
      lists: [...candidate.lists],
    })),
    refusal: explanation.refusal,
    forced,
    goesTo,
    sharedBy: [...explanation.sharedBy],
  };
}

function placeOf(address: string, { servers, zones }: ClusterTopology) {
  const name = servers.find((server) => server.address === address)?.zone ?? '';
  const zone = zones.find((one) => one.name === name);
  return {
    zone: name,
    region: zone?.region ?? '',
    idc: zone?.idc ?? '',
    zoneType: zone?.type ?? null,
    zoneState: zone?.state ?? null,
  };
}
