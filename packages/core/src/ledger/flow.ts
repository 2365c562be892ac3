import { NO_ID } from '../records/columns.ts';
import type { Roles } from './roles.ts';
import { finiteOrNaN, type Swaps } from './value.ts';

/** Net flow within which a token that was both given and received is a routing hop. */
const HOP_TOLERANCE = 0.005;

/** What one wallet did with one token in one transaction. */
export interface Flow {
  token: number;
  rank: number;
  given: number;
  received: number;
  knownUsd: number;
  knownAmount: number;
  isKnown: boolean;
  first: number;
  last: number;
  symbol: number;
  net: number;
  usd: number;
}

/** The flows of the swaps of one wallet in one transaction, in the order in which the tokens are touched. */
export function flowsOf(swaps: Swaps, rows: readonly number[], roles: Roles): Flow[] {
  const c = swaps.columns;
  const flows = new Map<number, Flow>();
  const flowOf = (token: number, row: number): Flow => {
    let flow = flows.get(token);
    if (flow === undefined) {
      flow = newFlow();
      beginFlow(flow, row, token, roles.rankOf(token));
      flows.set(token, flow);
    }
    return flow;
  };
  for (const row of rows) {
    if (c.token_in[row] === c.token_out[row]) continue;
    addToFlow(flowOf(c.token_in[row]!, row), swaps, row, true);
    addToFlow(flowOf(c.token_out[row]!, row), swaps, row, false);
  }
  for (const flow of flows.values()) endFlow(flow);
  return [...flows.values()];
}

export function newFlow(): Flow {
  return {
    token: NO_ID,
    rank: -1,
    given: 0,
    received: 0,
    knownUsd: 0,
    knownAmount: 0,
    isKnown: false,
    first: 0,
    last: 0,
    symbol: NO_ID,
    net: 0,
    usd: Number.NaN,
  };
}

/** Makes it the flow of a token that the swap at `row` touches first. */
export function beginFlow(flow: Flow, row: number, token: number, rank: number): void {
  flow.token = token;
  flow.rank = rank;
  flow.given = flow.received = flow.knownUsd = flow.knownAmount = 0;
  flow.isKnown = false;
  flow.first = flow.last = row;
  flow.symbol = NO_ID;
}

/** Adds a side of a swap: `isIn` is the one given. */
export function addToFlow(flow: Flow, swaps: Swaps, row: number, isIn: boolean): void {
  const c = swaps.columns;
  const amount = isIn ? c.token_amount_in[row]! : c.token_amount_out[row]!;
  const usd = isIn ? c.usd_amount_in[row]! : c.usd_amount_out[row]!;
  if (isIn) flow.given += amount;
  else flow.received += amount;
  if (!Number.isNaN(usd)) {
    flow.isKnown = true;
    flow.knownUsd += usd;
    flow.knownAmount += amount;
  }
  if (flow.symbol === NO_ID) flow.symbol = isIn ? c.token_symbol_in[row]! : c.token_symbol_out[row]!;
  flow.last = row;
}

/** Settles what the swaps added up to. */
export function endFlow(flow: Flow): void {
  flow.net = flow.received - flow.given;
  flow.usd = flow.isKnown ? finiteOrNaN(Math.abs(flow.net) * (flow.knownUsd / flow.knownAmount)) : Number.NaN;
}

/** False for a token that came and went again. */
export function isRemaining(flow: Flow): boolean {
  if (flow.net === 0) return false;
  const isBoth = flow.given > 0 && flow.received > 0;
  return !(isBoth && Math.abs(flow.net) <= HOP_TOLERANCE * (flow.given + flow.received));
}
