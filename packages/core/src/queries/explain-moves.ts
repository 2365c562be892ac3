import { ledgerAt } from '../ingest/ledgers.ts';
import type { Transfers } from '../ingest/transfers/check.ts';
import type { Move } from '../ledger/pair-ledger.ts';
import { pairOf, pairToken, pairWallet, timeOf } from '../records/chain-order.ts';
import { columnsOf, NO_ID } from '../records/columns.ts';
import { addTo, distinctIds } from '../records/key-index.ts';
import { movesTable, SINCE_LAST_TRADE, transfersTable } from '../records/tables.ts';
import { and, compare, isIn, or } from '../storage/predicate.ts';
import { readTransactions } from '../storage/reads.ts';
import { MAX_TIME } from '../time.ts';
import type { QueryContext } from './context.ts';
import type { ExplainedMove } from './explain-schema.ts';

/** What moved lots of a pair, with the `seq` of the trade that it belongs to, or `SINCE_LAST_TRADE`. */
interface MoveOfPair extends Move {
  readonly pair: number;
  readonly seq: number;
}

interface MovesScan {
  /** Each once. */
  readonly pairs: Iterable<number>;
  readonly asOf: number;
  /** Whether what moved before, or with, the trade of that `seq` is wanted. */
  readonly isWanted: (seq: number) => boolean;
}

/** What moved lots of pairs beside their trades, the newest first. The ledgers of the pairs are folded anew, from the horizon on. */
export async function explainedMoves(
  context: QueryContext,
  { pairs, asOf, isWanted }: MovesScan,
): Promise<readonly ExplainedMove[]> {
  const of = Float64Array.from(new Set(pairs));
  if (of.length === 0) return [];
  const found: { readonly pair: number; readonly move: Move }[] = [];
  const { trades } = await ledgerAt(
    context.reader,
    { pairs: of },
    {
      ...context,
      // What is stored counts transfers of any later time.
      asOf: asOf >= (context.lastTime ?? 0) ? MAX_TIME : asOf,
      onMove(pair, move) {
        if (move.away + move.returned + move.spent > 0) found.push({ pair, move });
      },
    },
  );
  const seqOf = ownersOf(trades.columns);
  const moves = found
    .map(({ pair, move }): MoveOfPair => ({ ...move, pair, seq: seqOf(pair, move) }))
    .filter(({ seq }) => isWanted(seq))
    .reverse()
    .sort((a, b) => b.time - a.time);
  return served(context, moves);
}

/** Whether lots of a pair have moved beside its trades, ever. */
export async function hasMoved({ reader }: QueryContext, pair: number): Promise<boolean> {
  const columns = ['away_cost', 'returned_cost', 'spent_cost'] as const;
  const moved = or(...columns.map((column) => compare(column, 'gt', 0)));
  const where = and(compare('pair', 'eq', pair), moved);
  return (await reader.read({ table: movesTable, columns: ['seq'], where, limit: 1 })).length > 0;
}

/** Finds the trade that a movement belongs to: that of its transaction, else the next of its pair. */
function ownersOf({
  seq,
  tx,
  wallet,
  token,
}: Readonly<{ seq: Float64Array; tx: Int32Array; wallet: Int32Array; token: Int32Array }>) {
  const ofPair = new Map<number, number[]>();
  for (const row of seq.keys()) addTo(ofPair, pairOf(wallet[row]!, token[row]!), row);
  return (pair: number, move: Move): number => {
    const rows = ofPair.get(pair) ?? [];
    const own =
      rows.find((row) => tx[row] === move.tx) ??
      rows.find((row) => timeOf(seq[row]!) >= move.time && move.tx === NO_ID);
    const next = own ?? rows.find((row) => timeOf(seq[row]!) >= move.time);
    return next === undefined ? SINCE_LAST_TRADE : seq[next]!;
  };
}

async function served(context: QueryContext, moves: readonly MoveOfPair[]): Promise<readonly ExplainedMove[]> {
  const { reader, dictionary } = context;
  const transferOf = await transfersBehind(context, moves);
  const transactions = await readTransactions(
    reader,
    moves.flatMap(({ tx }) => (tx === NO_ID ? [] : [tx])),
  );
  await dictionary.load(reader, [...moves.flatMap(({ pair }) => [pairWallet(pair), pairToken(pair)])]);
  return moves.map((move) => {
    const { pair, by, amount, time, tx, away, returned, spent } = move;
    const transfer = transferOf(move);
    return {
      by: byOf[by],
      wallet: dictionary.textOf(pairWallet(pair)),
      token: dictionary.textOf(pairToken(pair)),
      block_time: time,
      tx_hash: transfer?.tx_hash ?? transactions.get(tx)?.tx_hash ?? null,
      transfer_index: transfer?.transfer_index ?? null,
      direction: amount < 0 ? 'out' : 'in',
      token_amount: Math.abs(amount),
      away_cost: away,
      returned_cost: returned,
      spent_cost: spent,
    };
  });
}

/** How answers name why lots moved. */
const byOf = {
  gap: 'gap',
  post: 'gap',
  transfer: 'transfer',
  leg: 'swap',
  spent: 'spent',
  sold: 'sold',
} as const satisfies Readonly<Record<Move['by'], ExplainedMove['by']>>;

/** Finds the stored transfer of a movement: of its pair, its second and its way, if there is one of its amount that; each once. */
async function transfersBehind({ reader }: QueryContext, moves: readonly MoveOfPair[]) {
  const by = moves.filter((move) => move.by === 'transfer');
  const found = new Map<
    string,
    { readonly amount: number; readonly tx_hash: string; readonly transfer_index: number }[]
  >();
  if (by.length > 0) {
    const wallets = distinctIds(Int32Array.from(by, ({ pair }) => pairWallet(pair)));
    const rows: Transfers = await reader.read({
      table: transfersTable,
      columns: columnsOf(transfersTable),
      where: and(
        or(isIn('sender', wallets), isIn('recipient', wallets)),
        isIn('token', distinctIds(Int32Array.from(by, ({ pair }) => pairToken(pair)))),
        isIn('block_time', Float64Array.from(new Set(by.map(({ time }) => time)))),
      ),
    });
    const { columns: c } = rows;
    const order = Array.from(c.transfer.keys()).sort((a, b) => c.transfer_index[b]! - c.transfer_index[a]!);
    for (const row of order)
      for (const [side, way] of [[c.sender[row]!, -1] as const, [c.recipient[row]!, 1] as const]) {
        const key = `${pairOf(side, c.token[row]!)} ${c.block_time[row]} ${way}`;
        const { tx_hash, transfer_index } = { tx_hash: c.tx_hash[row]!, transfer_index: c.transfer_index[row]! };
        addTo(found, key, { amount: c.token_amount[row]!, tx_hash, transfer_index });
      }
  }
  return ({ pair, time, amount, by }: MoveOfPair) => {
    if (by !== 'transfer') return undefined;
    const those = found.get(`${pair} ${time} ${amount < 0 ? -1 : 1}`) ?? [];
    const at = those.findIndex((one) => one.amount === Math.abs(amount));
    return those.splice(Math.max(0, at), 1)[0];
  };
}
