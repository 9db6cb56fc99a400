/**
 * What the answer to a request says of the place that it was sent to (R22): servers tell whether they were the right one
 * for the first DML of a text, and some errors tell that a table has moved or gone. The rules are the reference proxy's.
 */
import type { TableLocation } from '../cluster/topology.ts';
import type { ClientRequest } from './request.ts';
import type { SessionCluster } from './session-context.ts';

/**
 * Errors after which a table may be elsewhere, or gone: OB_NOT_MASTER, OB_LOCATION_LEADER_NOT_EXIST, OB_LS_NOT_EXIST,
 * OB_TABLET_NOT_EXIST, ER_NO_SUCH_TABLE, OB_TENANT_NOT_IN_SERVER.
 */
const MOVED: ReadonlySet<number> = new Set([4038, 4654, 4719, 4725, 1146, 5150]);

/** The place that a request is sent by; the feedback is about it. */
export function noteRoute(
  request: ClientRequest,
  place: TableLocation | null,
  isWeak: boolean,
  singleLeader: string | null = null,
): void {
  request.place = place;
  request.isWeak = isWeak;
  request.singleLeader = singleLeader;
}

/** A strong request that was sent to the server that leads all of its tenant: it may not any more (R22). */
export function takeSingleLeaderFeedback(
  cluster: SessionCluster,
  tenant: string,
  request: ClientRequest,
  address: string,
  errno: number,
): void {
  if (request.singleLeader !== address) return;
  if (request.partitionHit === false || errno === OB_NOT_MASTER) cluster.doubtSingleLeader(tenant);
}

const OB_NOT_MASTER = 4038;

/**
 * @param address of the server that has answered
 * @param errno MySQL error number of the reply, 0 for success
 */
export function takeFeedback(cluster: SessionCluster, request: ClientRequest, address: string, errno: number): void {
  const { place } = request;
  if (place === null) return;
  if (MOVED.has(errno)) return cluster.doubt(place);
  // The first statement of a text may have worked where a later one has not.
  if (errno !== 0 && request.partitionHit === null) return;
  // Of a text whose first DML names no table the server speaks of nothing (R25).
  if (request.info?.feedbackFits !== true) return;
  const replica = place.replicas.find((candidate) => candidate.address === address);
  const leader = place.replicas.find(({ role }) => role === 'leader');
  // Silence means that the server was right.
  const isHit = request.partitionHit ?? true;
  if (request.isWeak ? isWrongForWeak(request, replica, isHit) : isWrongForStrong(cluster, leader, replica, isHit)) {
    cluster.doubt(place);
  } else if (isHit && replica !== undefined) cluster.confirm(place);
}

type Replica = TableLocation['replicas'][number];

/** The leader says no, another one says yes, there is no leader, or it receives nothing and so may have been replaced. */
function isWrongForStrong(
  cluster: SessionCluster,
  leader: Replica | undefined,
  replica: Replica | undefined,
  isHit: boolean,
): boolean {
  if (leader === undefined) return true;
  // Every replica of a duplicated table reads for itself.
  if (replica?.isDuplicate === true && isHit) return false;
  if ((replica === leader) !== isHit) return true;
  return replica !== leader && !cluster.blocklist.isEmpty && cluster.blocklist.listsOf(leader.address).length > 0;
}

/** One of the replicas says no, another server says yes, or a follower says that it leads everything asked for. */
function isWrongForWeak(request: ClientRequest, replica: Replica | undefined, isHit: boolean): boolean {
  if ((replica !== undefined) !== isHit) return true;
  return replica !== undefined && replica.role !== 'leader' && request.weakReadFeedback === ALL_LEADER;
}

/** `_ob_proxy_weakread_feedback`: the server leads all partitions that the weak read has touched. */
const ALL_LEADER = '2';

/** Of a partitioned table as a whole servers tell nothing. */
export function feedbackPlace(place: TableLocation | null, whole: TableLocation | null): TableLocation | null {
  return place !== null && place === whole && whole.partitionCount > 1 ? null : place;
}
