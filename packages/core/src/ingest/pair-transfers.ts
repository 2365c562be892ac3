import type { Incoming, Step } from '../ledger/pair-ledger.ts';
import { amountOf, sumOf } from '../ledger/pair-ledger.ts';
import { ROUNDING } from '../ledger/position.ts';
import { comparePlaces, type Place, type PlacedStep } from '../ledger/step-order.ts';
import { pairOf, pairWallet } from '../records/chain-order.ts';
import { type Batch, columnsOf, NO_ID } from '../records/columns.ts';
import { addTo, distinctIds } from '../records/key-index.ts';
import { transactionsTable, transfersTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn, or, type Predicate } from '../storage/predicate.ts';

export type Transfers = Batch<typeof transfersTable>;

/** The transfers of a transaction that moved one pair. */
export interface PairTransfers {
  readonly time: number;
  readonly place: Place;
  /** Of the transaction, if the store has a swap of it. */
  readonly tx: number;
  /** Whether its rows list all movements of its tokens. */
  readonly isListing: boolean;
  readonly ins: Incoming[];
  readonly outs: number[];
}

/** Transfers of pairs, those of a pair in chain order. */
export type TransfersOfPairs = ReadonlyMap<number, readonly PairTransfers[]>;

export function compareSteps(a: PlacedStep, b: PlacedStep): number {
  return comparePlaces(a.place, b.place);
}

/** Adds transfers to the step of their transaction: of rows that list its swaps, too, what the legs of the step do not say. */
export function addTransfers(step: Step, { isListing, ins, outs }: PairTransfers, isNative: boolean): void {
  if (!isListing || step.legs.length === 0) {
    step.ins.push(...ins);
    step.outs.push(...outs);
    return;
  }
  if (isNative) return;
  const received = sumOf(step.legs.filter((leg) => leg > 0));
  const given = -sumOf(step.legs.filter((leg) => leg < 0));
  const more = amountOf(ins) - received;
  const isRounding = (difference: number, of: number): boolean => Math.abs(difference) <= ROUNDING * of;
  if (!isRounding(more, received)) {
    if (more > 0) step.ins.push({ amount: more, cost: Number.NaN });
    else step.shortage = -more;
  }
  const left = sumOf(outs) - given;
  if (left > 0 && !isRounding(left, given)) step.outs.push(left);
}

interface WantedPairs {
  readonly isWanted: (pair: number) => boolean;
  /** Those of the wallets that have a ledger. */
  readonly walletsOf: (wallets: Int32Array) => Promise<ReadonlySet<number>>;
}

/** The transfers that hold, of pairs that are wanted, as the ledgers take them. */
export async function readTransfers(
  reader: Reader,
  where: Predicate,
  { isWanted, walletsOf }: WantedPairs,
): Promise<TransfersOfPairs> {
  const rows = await reader.read({ table: transfersTable, columns: columnsOf(transfersTable), where });
  if (rows.length === 0) return new Map();
  const { sender, recipient } = rows.columns;
  const wallets = await walletsOf(distinctIds(sender, recipient).filter((id) => id !== NO_ID));
  return transfersOf(reader, rows, (pair) => wallets.has(pairWallet(pair)) && isWanted(pair));
}

/** The transfers to or from wallets. */
export function ofWallets(wallets: Int32Array): Predicate {
  return or(isIn('sender', wallets), isIn('recipient', wallets));
}

async function transfersOf(
  reader: Reader,
  { columns: c }: Transfers,
  isWanted: (pair: number) => boolean,
): Promise<Map<number, PairTransfers[]>> {
  const found = new Map<number, PairTransfers[]>();
  const keys = isIn('tx_key', Float64Array.from(new Set(c.tx_key)));
  const known = await reader.read({
    table: transactionsTable,
    columns: ['tx', 'tx_hash', 'moment', 'file_place'],
    where: keys,
  });
  const txOf = new Map(Array.from(known.columns.tx_hash, (hash, row) => [hash!, row]));
  const flagged = await reader.read({
    table: transfersTable,
    columns: ['tx_hash'],
    where: and(keys, compare('includes_swaps', 'eq', 1)),
  });
  const listing = new Set(flagged.columns.tx_hash);
  const order = Array.from(c.tx_key.keys()).sort((a, b) => c.transfer_index[a]! - c.transfer_index[b]!);
  const byPair = new Map<number, Map<string, PairTransfers>>();
  for (const row of order) {
    const [sender, recipient, amount] = [c.sender[row]!, c.recipient[row]!, c.token_amount[row]!];
    if (sender === recipient) continue;
    const hash = c.tx_hash[row]!;
    const stepOf = (wallet: number): PairTransfers | undefined => {
      if (wallet === NO_ID) return undefined;
      const pair = pairOf(wallet, c.token[row]!);
      if (!isWanted(pair)) return undefined;
      const own = byPair.get(pair) ?? new Map<string, PairTransfers>();
      byPair.set(pair, own);
      let step = own.get(hash);
      if (step === undefined) {
        const swapped = txOf.get(hash);
        step = {
          time: c.block_time[row]!,
          place: {
            tx_hash: hash,
            block_slot: c.block_slot[row]!,
            tx_index: c.tx_index[row]!,
            moment: 0,
            file_place: 0,
          },
          tx: swapped === undefined ? NO_ID : known.columns.tx[swapped]!,
          isListing: listing.has(hash),
          ins: [],
          outs: [],
        };
        own.set(hash, step);
        addTo(found, pair, step);
      }
      return step;
    };
    stepOf(sender)?.outs.push(amount);
    stepOf(recipient)?.ins.push({ amount, cost: c.cost_usd[row]! });
  }
  for (const steps of found.values()) steps.sort((a, b) => a.time - b.time || comparePlaces(a.place, b.place));
  return found;
}
