import type { ClusterTopology } from '../cluster/topology.ts';
import type { RouteExplanation } from '../session/explain-route.ts';
import type { RouteExplainRequest, RoutingChoices } from './contract.ts';

export interface ExplainAnswer {
  readonly tenant: string;
  readonly database: string;
  /** As it was when the plan was made. */
  readonly topology: ClusterTopology;
  /** Null: the proxy answers the statement itself. */
  readonly explanation: RouteExplanation | null;
}

/** What the control API needs of the routers in the workers; the coordinator supplies it. */
export interface RoutingService {
  /** @throws OdpError NOT_FOUND: no such cluster, tenant or session */
  explain(request: RouteExplainRequest): Promise<ExplainAnswer>;
  choices(): Promise<RoutingChoices>;
}
