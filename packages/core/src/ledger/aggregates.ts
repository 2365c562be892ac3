/** Columns of what swaps exchanged. */
export interface Exchanged {
  readonly token_in: ArrayLike<number>;
  readonly token_out: ArrayLike<number>;
  readonly token_amount_in: ArrayLike<number>;
  readonly token_amount_out: ArrayLike<number>;
}

/** An aggregate and two others. */
export const LEAST_SUMMED = 3;

/** As a part of what flows: sums of many pools are rounded. */
const PRECISION = 1e-9;

/**
 * Whether one of the swaps of a transaction, rows `from` to `to` without the last, is the sum of the others, of which there are two or more: a
 * row of an aggregator beside those of the pools that it went through.
 */
export function hasAggregate(c: Exchanged, from: number, to: number): boolean {
  if (to - from < LEAST_SUMMED) return false;
  // By token: what the transaction receives less what it gives, and both together.
  const tokens: number[] = [];
  const nets: number[] = [];
  const flows: number[] = [];
  const add = (token: number, amount: number): void => {
    let i = tokens.indexOf(token);
    if (i < 0) {
      i = tokens.push(token) - 1;
      nets.push(0);
      flows.push(0);
    }
    nets[i] = nets[i]! + amount;
    flows[i] = flows[i]! + Math.abs(amount);
  };
  for (let row = from; row < to; row++) {
    add(c.token_in[row]!, -c.token_amount_in[row]!);
    add(c.token_out[row]!, c.token_amount_out[row]!);
  }
  // With the aggregate, everything that it moves is moved twice, and nothing else is left.
  let [given, received, others] = [-1, -1, 0];
  for (let i = 0; i < tokens.length; i++) {
    if (Math.abs(nets[i]!) <= PRECISION * flows[i]!) continue;
    others++;
    if (nets[i]! < 0) given = i;
    else received = i;
  }
  if (others !== 2 || given < 0 || received < 0) return false;
  for (let row = from; row < to; row++) {
    if (c.token_in[row] !== tokens[given] || c.token_out[row] !== tokens[received]) continue;
    if (isTwice(-nets[given]!, c.token_amount_in[row]!) && isTwice(nets[received]!, c.token_amount_out[row]!))
      return true;
  }
  return false;
}

const isTwice = (net: number, amount: number): boolean => Math.abs(net - 2 * amount) <= PRECISION * net;

/** How many transactions have an aggregate, of swaps in chain order with the ids of their transactions. */
export function countAggregates(c: Exchanged & { readonly tx: ArrayLike<number> }, length: number): number {
  let count = 0;
  let from = 0;
  for (let row = 1; row <= length; row++) {
    if (row < length && c.tx[row] === c.tx[from]) continue;
    if (hasAggregate(c, from, row)) count++;
    from = row;
  }
  return count;
}
