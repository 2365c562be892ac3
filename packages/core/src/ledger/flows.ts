import { NO_ID } from '../records/columns.ts';
import type { Roles } from './roles.ts';
import { finiteOrNaN, type Swaps } from './value.ts';

/** Net flow within which a token that was both given and received is passed over. */
const HOP_TOLERANCE = 0.005;

/** Swaps whose tokens are compared one by one. */
const FEW = 12;

/** What swaps of one wallet in one transaction did with a token. */
export interface Flow {
  readonly token: number;
  /** Place among the quote tokens, -1 of another token. */
  readonly rank: number;
  given: number;
  received: number;
  knownUsd: number;
  knownAmount: number;
  isKnown: boolean;
  /** Rows of the first swap that touches it, and of the last. */
  readonly first: number;
  last: number;
  symbol: number;
  /** Received less given. */
  net: number;
  /** The net without its sign at the mean known price of the legs; `NaN` if none is known. */
  usd: number;
}

/** The flows of swaps of one wallet in one transaction, in the order in which the tokens are touched. */
export function flowsOf(swaps: Swaps, rows: readonly number[], roles: Roles): Flow[] {
  const c = swaps.columns;
  const flows: Flow[] = [];
  // Of few swaps, looking through the flows is faster than a map.
  const known = rows.length > FEW ? new Map<number, Flow>() : undefined;
  const flowOf = (token: number, row: number): Flow => {
    const found = known === undefined ? findFlow(flows, token) : known.get(token);
    if (found !== undefined) return found;
    const flow = newFlow(row, token, roles.rankOf(token));
    flows.push(flow);
    known?.set(token, flow);
    return flow;
  };
  for (const row of rows) {
    if (c.token_in[row] === c.token_out[row]) continue;
    addToFlow(flowOf(c.token_in[row]!, row), swaps, row, true);
    addToFlow(flowOf(c.token_out[row]!, row), swaps, row, false);
  }
  for (const flow of flows) endFlow(flow);
  return flows;
}

function findFlow(flows: readonly Flow[], token: number): Flow | undefined {
  for (const flow of flows) if (flow.token === token) return flow;
  return undefined;
}

/** The flow of a token that the swap at `row` touches first. */
function newFlow(row: number, token: number, rank: number): Flow {
  return {
    token,
    rank,
    given: 0,
    received: 0,
    knownUsd: 0,
    knownAmount: 0,
    isKnown: false,
    first: row,
    last: row,
    symbol: NO_ID,
    net: 0,
    usd: Number.NaN,
  };
}

/** Adds a side of a swap: `isIn` is the one given. */
function addToFlow(flow: Flow, swaps: Swaps, row: number, isIn: boolean): void {
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

function endFlow(flow: Flow): void {
  flow.net = flow.received - flow.given;
  flow.usd = flow.isKnown ? finiteOrNaN(Math.abs(flow.net) * (flow.knownUsd / flow.knownAmount)) : Number.NaN;
}

/** False for a token that came and went again. */
export function isRemaining(flow: Flow): boolean {
  if (flow.net === 0) return false;
  const isBoth = flow.given > 0 && flow.received > 0;
  return !(isBoth && Math.abs(flow.net) <= HOP_TOLERANCE * (flow.given + flow.received));
}
