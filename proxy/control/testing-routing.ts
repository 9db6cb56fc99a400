/** Routers for tests of the control API: they answer what they are given. */
import type { ClusterTopology } from '../cluster/topology.ts';
import type { RouteExplanation } from '../session/explain-route.ts';
import type { RouteExplainRequest, RoutingChoices } from './contract.ts';
import type { ExplainAnswer, RoutingService } from './routing-service.ts';

export const testTopology: ClusterTopology = {
  clusterName: 'obtest',
  revision: 1,
  source: 'views',
  zones: [{ name: 'z1', region: 'north', idc: 'i1', type: 'ReadWrite', state: 'ACTIVE' }],
  servers: [{ address: '10.0.0.1:2881', host: '10.0.0.1', port: 2881, zone: 'z1', state: 'ACTIVE', reason: '' }],
  refreshedAtMs: 0,
  error: null,
};

const testExplanation: RouteExplanation = {
  kind: 'select',
  table: { database: 'd', name: 'x' },
  whyNoTable: '',
  location: {
    tenant: 't',
    database: 'd',
    table: 'x',
    tableId: '9007199254740993',
    partitionCount: 4,
    schemaVersion: '1',
    replicas: [{ address: '10.0.0.1:2881', role: 'leader' }],
  },
  partition: { name: 'p1', tabletId: '200', because: 'KEY (id): id = 5' },
  consistency: { level: 'strong', because: 'ob_read_consistency of the session' },
  settings: {
    idcName: 'i1',
    idcSource: 'session',
    proxyRoutePolicy: '',
    proxyRoutePolicySource: 'parameter',
    obRoutePolicy: '',
    primaryZoneName: '',
    followsPrimaryZone: true,
    isRandom: false,
  },
  ldc: { matchType: 'MATCHED_BY_IDC', regions: ['north'], sameIdc: ['z1'], sameRegion: [], otherRegion: [] },
  rule: 'table-leader',
  choice: { policy: 'balanced', because: 'strong; the cluster has no read-only zone', zones: null },
  candidates: [
    {
      address: '10.0.0.1:2881',
      role: 'leader',
      group: null,
      reason: 'leader of the table',
      lists: ['alive'],
      isRetry: false,
    },
    {
      address: '10.0.0.9:2881',
      role: null,
      group: 7,
      reason: 'its zone is not known',
      lists: [],
      isRetry: false,
    },
  ],
  refusal: null,
  forced: false,
  goesTo: '10.0.0.9:2881',
  sharedBy: ['10.0.0.9:2881'],
};

export class TestRouting implements RoutingService {
  /** What was asked, oldest first. */
  readonly asked: RouteExplainRequest[] = [];
  answer: ExplainAnswer | Error = {
    tenant: 't',
    database: 'd',
    topology: testTopology,
    explanation: testExplanation,
  };
  offered: RoutingChoices = { clusters: [{ name: 'obtest', tenants: ['sys', 't'] }], sessions: [] };

  async explain(request: RouteExplainRequest): Promise<ExplainAnswer> {
    this.asked.push(request);
    if (this.answer instanceof Error) throw this.answer;
    return this.answer;
  }

  async choices(): Promise<RoutingChoices> {
    return this.offered;
  }
}
