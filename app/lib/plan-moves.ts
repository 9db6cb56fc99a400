import type { RoutePlan } from '../../proxy/control/contract.ts';

/** What a change did to a candidate's place. */
export type Move =
  | { readonly kind: 'same' }
  | { readonly kind: 'up' | 'down'; readonly from: number }
  | { readonly kind: 'new' };

export interface PlanMoves {
  /** By address; of every candidate of the new plan. */
  readonly byAddress: ReadonlyMap<string, Move>;
  /** Addresses that were candidates and are none any more, with the place they had. */
  readonly gone: readonly { readonly address: string; readonly from: number }[];
  /** Candidates that came, went or have another place. */
  readonly count: number;
}

/** Places count from 1 on. */
export function planMoves(before: RoutePlan, now: RoutePlan): PlanMoves {
  const places = new Map(before.candidates.map(({ address }, index) => [address, index + 1]));
  const byAddress = new Map<string, Move>();
  now.candidates.forEach(({ address }, index) => {
    const from = places.get(address);
    places.delete(address);
    if (from === undefined) byAddress.set(address, { kind: 'new' });
    else if (from === index + 1) byAddress.set(address, { kind: 'same' });
    else byAddress.set(address, { kind: from > index + 1 ? 'up' : 'down', from });
  });
  const gone = [...places].map(([address, from]) => ({ address, from }));
  const moved = [...byAddress.values()].filter(({ kind }) => kind !== 'same').length;
  return { byAddress, gone, count: moved + gone.length };
}
