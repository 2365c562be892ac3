import { settledBalance } from '../ledger/balance.ts';
import { type HoldingsOptions, readHoldings } from '../queries/holdings.ts';
import { balancesTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';

const TOP = 10;

/** Who holds a token: how many wallets, how much the ten largest hold together, how much its creator. */
export interface Holders {
  holders: number;
  top: number;
  creator: number;
}

/** Holders of tokens at the as-of time; tokens that nobody holds are absent. `creatorOf` gives the id of a token's creator, or undefined. */
export async function readHolders(
  reader: Reader,
  tokens: Int32Array,
  creatorOf: (token: number) => number | undefined,
  options: HoldingsOptions,
): Promise<ReadonlyMap<number, Holders>> {
  const tally = new HolderTally(creatorOf);
  if (options.asOf < (options.lastTime ?? 0)) {
    for (const { wallet, token, balance } of await readHoldings(reader, { tokens }, options))
      tally.add(token, wallet, balance);
    return tally.finish();
  }
  const rows = reader.stream({
    table: balancesTable,
    columns: ['wallet', 'token', 'balance', 'received', 'is_reported'],
    where: isIn('token', tokens),
  });
  for await (const batch of rows) {
    const c = batch.columns;
    for (let i = 0; i < batch.length; i++) {
      const balance = settledBalance(c.balance[i]!, c.received[i]!, c.is_reported[i] === 1);
      if (balance > 0) tally.add(c.token[i]!, c.wallet[i]!, balance);
    }
  }
  return tally.finish();
}

class HolderTally {
  readonly #holders = new Map<number, Holders>();
  readonly #largest = new Map<number, number[]>();

  constructor(readonly creatorOf: (token: number) => number | undefined) {}

  add(token: number, wallet: number, balance: number): void {
    let held = this.#holders.get(token);
    let largest = this.#largest.get(token);
    if (held === undefined || largest === undefined) {
      held = { holders: 0, top: 0, creator: 0 };
      largest = [];
      this.#holders.set(token, held);
      this.#largest.set(token, largest);
    }
    held.holders++;
    if (wallet === this.creatorOf(token)) held.creator += balance;
    // Kept largest first: the sum over the ten does not depend on the order of the rows.
    if (largest.length === TOP && balance <= largest[TOP - 1]!) return;
    const at = largest.findIndex((other) => other < balance);
    largest.splice(at < 0 ? largest.length : at, 0, balance);
    if (largest.length > TOP) largest.pop();
  }

  finish(): ReadonlyMap<number, Holders> {
    for (const [token, held] of this.#holders)
      held.top = this.#largest.get(token)!.reduce((sum, balance) => sum + balance, 0);
    return this.#holders;
  }
}
