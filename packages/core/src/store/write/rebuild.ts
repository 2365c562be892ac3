import {
  balancesOf,
  CarriedEntities,
  carriedLots,
  carriedMoves,
  carriedPairs,
  type Horizon,
  readHorizon,
} from '../../ingest/carried.ts';
import { carriedVotes } from '../../ingest/carried-votes.ts';
import { type ApplyContext, fromTheStart, markDirty } from '../../ingest/changes.ts';
import { derive, tablesBySeq, ValueCounts, writeDerived } from '../../ingest/derive.ts';
import { LedgerFold, placesInBook } from '../../ingest/ledger-fold.ts';
import { type FindPlaces, placesIn } from '../../ingest/ledgers.ts';
import { LotBook } from '../../ingest/lot-book.ts';
import { MoveRows, sinceOf } from '../../ingest/moves.ts';
import { voteRows } from '../../ingest/native-price.ts';
import { PairBook } from '../../ingest/pair-book.ts';
import { readTransfers, type TransfersOfPairs } from '../../ingest/pair-transfers.ts';
import { readReferencePrices } from '../../ingest/reference-prices.ts';
import { renameSwaps, renameTokens } from '../../ingest/rename-tokens.ts';
import { allPools } from '../../ingest/vote-pools.ts';
import { PrintJudge } from '../../ledger/judge.ts';
import { NativeVotes } from '../../ledger/native-votes.ts';
import type { SinceMoved } from '../../ledger/pair-ledger.ts';
import type { Trades } from '../../ledger/trade.ts';
import type { ReferencePrices, Swaps } from '../../ledger/value.ts';
import { carriedLegsTable, carriedPoolSwapsTable } from '../../records/carried-tables.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../../records/chain-order.ts';
import { columnsOf, isAscending, newBatch } from '../../records/columns.ts';
import { distinctIds, groupRows, KeyIndex } from '../../records/key-index.ts';
import {
  balancesTable,
  legsTable,
  lotsTable,
  movesTable,
  nativePricesTable,
  poolSwapsTable,
  swapsTable,
  tradesTable,
  transfersTable,
  valueCountsTable,
  votePoolsTable,
} from '../../records/tables.ts';
import { ascending, type Reader, type Writer } from '../../storage/adapter.ts';
import { standingsTable } from '../../storage/bulk.ts';
import { between, everything } from '../../storage/predicate.ts';
import { readBySeq } from '../../storage/reads.ts';
import { yielder } from '../../yielder.ts';

/** Which profiles to refresh stays noted: of what the registries say of entities, swaps tell nothing. */
const derivedTables = [
  ...tablesBySeq,
  tradesTable,
  lotsTable,
  balancesTable,
  movesTable,
  valueCountsTable,
  votePoolsTable,
] as const;

/** Derives everything from the stored swaps again, from the first to the last, inside one transaction. Gives the number of swaps. */
export async function rederive(
  writer: Writer,
  { config, roles, dictionary }: ApplyContext,
  onProgress?: (done: number) => void,
): Promise<number> {
  const horizon = await readHorizon(writer);
  const renamed = await renameTokens(writer, { config, dictionary });
  for (const table of derivedTables) await writer.recreate(table);
  const derivation = new Derivation(writer, {
    config,
    roles,
    references: await readReferencePrices(writer, { roles, maxAge: config.reference_max_age }),
    textOf: (id) => dictionary.textOf(id),
    loadTexts: (ids) => dictionary.load(writer, ids),
  });
  await derivation.begin(writer, horizon);
  const transfers = await transfersBySwaps(writer);
  const findPlaces = placesIn(writer);
  let done = 0;
  let next = 0;
  for (const [from, to] of await chunksOf(writer)) {
    const range = between('seq', from, to);
    const swaps = await readBySeq(writer, swapsTable, range);
    const { usd_amount_in: given, usd_amount_out: received, valued_by: valuedBy } = swaps.columns;
    const before = [given.slice(), received.slice(), valuedBy.slice()] as const;
    const isRenamed = renameSwaps(swaps, renamed);
    await derivation.add(swaps, findPlaces, await transfers?.(next, timeOf(to)));
    next = timeOf(to) + 1;
    // Mostly swaps have the values that they had, and rows of the widest table stay where they are.
    const isValued = areSame(given, before[0]) && areSame(received, before[1]) && areSame(valuedBy, before[2]);
    if (isRenamed || !isValued) {
      await writer.remove(swapsTable, range);
      await writer.append(swapsTable, swaps);
    }
    done += swaps.length;
    onProgress?.(done);
  }
  const later = await transfers?.(next, Number.MAX_SAFE_INTEGER);
  if (later !== undefined && later.size > 0)
    await derivation.fold(newBatch(swapsTable, 0), newBatch(tradesTable, 0), findPlaces, later);
  await derivation.end();
  await derivation.markAllDirty(writer);
  return done;
}

/** Reads the transfers of some seconds, of the wallets that have a swap; nothing if the store has none. */
async function transfersBySwaps(
  writer: Writer,
): Promise<((from: number, to: number) => Promise<TransfersOfPairs>) | undefined> {
  if ((await writer.read({ table: transfersTable, columns: ['transfer'], limit: 1 })).length === 0) return undefined;
  const { time: horizon } = await readHorizon(writer);
  const wallets = new Set((await CarriedEntities.read(writer, horizon, 'wallets')).ids);
  for await (const rows of writer.stream({ table: swapsTable, columns: ['wallet'] }))
    for (const wallet of rows.columns.wallet) wallets.add(wallet);
  return (from, to) =>
    readTransfers(writer, between('block_time', from, to), {
      isWanted: () => true,
      walletsOf: async () => wallets,
    });
}

/** Whether two columns have the same numbers; `NaN` is one. */
function areSame<A extends Float64Array | Int32Array>(a: A, b: A): boolean {
  for (let row = 0; row < a.length; row++) if (!Object.is(a[row], b[row])) return false;
  return true;
}

/** The ranges of `seq` of about so many swaps each, oldest first. They end with whole seconds, so that no transaction is cut. */
async function chunksOf(reader: Reader): Promise<(readonly [from: number, to: number])[]> {
  const seqs = new Float64Array(await reader.count(swapsTable));
  let length = 0;
  for await (const rows of reader.stream({ table: swapsTable, columns: ['seq'] })) {
    seqs.set(rows.columns.seq, length);
    length += rows.length;
  }
  if (!isAscending(seqs)) seqs.sort();
  const chunks: (readonly [number, number])[] = [];
  for (let first = 0; first < length; ) {
    const from = firstSeqAt(timeOf(seqs[first]!));
    const to = lastSeqAt(timeOf(seqs[Math.min(first + CHUNK, length) - 1]!));
    chunks.push([from, to]);
    while (first < length && seqs[first]! <= to) first++;
  }
  return chunks;
}

/** Swaps to derive at once, and the seconds of the last of them whole: most steps of so many take a few milliseconds. */
export const CHUNK = 65_536;

/** What a derivation works with. */
interface DerivationContext extends Pick<ApplyContext, 'config' | 'roles'> {
  readonly textOf: (id: number) => string;
  /** All of them. */
  readonly references: ReferencePrices;
  /** Makes `textOf` answer for these ids. */
  readonly loadTexts?: (ids: Int32Array) => Promise<void>;
  /** Whether it writes legs. Default true. */
  readonly writesLegs?: boolean;
}

/**
 * Derives everything that follows from the swaps of a store, from the first to the last: open lots and balances
 * are in memory until `end`, so that nothing is looked up. What it writes is what the same swaps leave that come batch by batch.
 */
export class Derivation {
  readonly #writer: Pick<Writer, 'append'>;
  readonly #context: DerivationContext;
  readonly #book = new PairBook();
  readonly #lots = new LotBook();
  readonly #since = new Map<number, SinceMoved>();
  readonly #tokens = new KeyIndex();
  readonly #wallets = new KeyIndex();
  readonly #counts: ValueCounts;
  readonly #judge = new PrintJudge();
  readonly #nativeVotes: NativeVotes;

  /** The tables of the writer have nothing derived. */
  constructor(writer: Pick<Writer, 'append'>, context: DerivationContext) {
    this.#writer = writer;
    this.#context = context;
    this.#counts = new ValueCounts(context.roles);
    this.#nativeVotes = new NativeVotes(context.config.reference_max_age);
  }

  /** Begins where the store does: with what it carries of the swaps before its horizon. */
  async begin(writer: Writer, { time: horizon, native }: Horizon): Promise<void> {
    if (horizon === 0) return;
    const lots = await carriedLots(writer, horizon, everything);
    await yielder().run(this.#lots.replacing(groupRows(lots.columns.pair).index.keys(), lots));
    this.#book.load(balancesOf(await carriedPairs(writer, horizon, everything)));
    for (const [pair, moved] of sinceOf(await carriedMoves(writer, horizon, everything))) this.#since.set(pair, moved);
    for (const token of (await CarriedEntities.read(writer, horizon, 'tokens')).ids) this.#tokens.placeOf(token);
    for (const wallet of (await CarriedEntities.read(writer, horizon, 'wallets')).ids) this.#wallets.placeOf(wallet);
    const legs = await writer.read({
      table: carriedLegsTable,
      columns: columnsOf(legsTable),
      order: ascending(...legsTable.key),
    });
    await writer.append(legsTable, legs);
    for (const [token, votes] of await carriedVotes(writer)) this.#judge.put(token, votes);
    const pools = { table: carriedPoolSwapsTable, columns: columnsOf(carriedPoolSwapsTable) } as const;
    await writer.append(poolSwapsTable, await writer.read(pools));
    if (native === null) return;
    this.#nativeVotes.addAll(native);
    await writer.append(nativePricesTable, voteRows([...native.firm].sort((a, b) => a.seq - b.seq)));
  }

  /** Values the next swaps in chain order, whole seconds, in place, and writes what follows from them; the swaps are the caller's to write. */
  async add(swaps: Swaps, findPlaces: FindPlaces, transfers?: TransfersOfPairs): Promise<void> {
    const { config, roles, references, textOf, loadTexts, writesLegs = true } = this.#context;
    const writer = this.#writer;
    const pause = yielder();
    const c = swaps.columns;
    const tokens = distinctIds(c.token_in, c.token_out);
    for (const token of tokens) this.#tokens.placeOf(token);
    for (const wallet of distinctIds(c.wallet)) this.#wallets.placeOf(wallet);
    await loadTexts?.(tokens);
    const derived = await derive([swaps], {
      roles,
      dustUsd: config.dust_usd,
      textOf,
      writesLegs,
      judge: this.#judge,
      factor: config.print_factor,
      references,
      nativeVotesBefore: async () => this.#nativeVotes,
    });
    await pause.yieldIfDue();
    if (derived.standings.length > 0) await writer.append(standingsTable, derived.standings);
    await pause.yieldIfDue();
    await this.fold(swaps, derived.trades, findPlaces, transfers);
    await pause.yieldIfDue();
    this.#counts.add(swaps);
    await pause.yieldIfDue();
    await writeDerived(writer, derived);
    await writer.append(tradesTable, derived.trades);
  }

  /** Folds swaps, their trades and the transfers of their seconds into the ledgers. */
  async fold(swaps: Swaps, trades: Trades, findPlaces: FindPlaces, transfers?: TransfersOfPairs): Promise<void> {
    const { config, roles } = this.#context;
    const pause = yielder();
    const places = await pause.run(placesInBook(this.#book, swaps));
    const options = { roles, dustUsd: config.dust_usd, transfers };
    const fold = new LedgerFold(this.#book, { swaps, places, trades }, options);
    await pause.run(fold.prepare());
    const lots = this.#lots.of(fold.lotPairs);
    await pause.yieldIfDue();
    const state = { lots, since: this.#since, places: await findPlaces(fold.unplaced) };
    const folded = await pause.run(fold.fold(state));
    for (const pair of fold.sincePairs) this.#since.delete(pair);
    for (const [pair, moved] of sinceOf(folded.since)) this.#since.set(pair, moved);
    await pause.yieldIfDue();
    await pause.run(this.#lots.replacing(fold.pairs, folded.lots));
    await pause.yieldIfDue();
    if (folded.moves.length > 0) await this.#writer.append(movesTable, folded.moves);
  }

  /** After the last swaps: writes what is open then. */
  async end(): Promise<void> {
    await this.#writer.append(lotsTable, await yielder().run(this.#lots.all()));
    await this.#writer.append(balancesTable, await this.#book.rows());
    const since = new MoveRows();
    for (const [pair, { moved, openCost }] of this.#since) since.add(pair, undefined, moved, openCost);
    if (this.#since.size > 0) await this.#writer.append(movesTable, since.collected());
    await this.#counts.appendTo(this.#writer);
    for (const rows of allPools(this.#judge.tokens()))
      if (rows.length > 0) await this.#writer.append(votePoolsTable, rows);
  }

  /** Leaves all profiles to the next refresh. */
  async markAllDirty(writer: Writer): Promise<void> {
    await markDirty(writer, 'tokens', fromTheStart(this.#tokens.keys()));
    await markDirty(writer, 'wallets', fromTheStart(this.#wallets.keys()));
  }
}
