import { BalanceBook } from '../ingest/balances.ts';
import { fromTheStart, markDirty } from '../ingest/changes.ts';
import type { ApplyContext } from '../ingest/context.ts';
import { derive, type NativePrint, ValueCounts, writeDerived } from '../ingest/derive.ts';
import { foldingPositions, LotBook, pairsOf } from '../ingest/positions.ts';
import { PrintJudge } from '../ingest/suspects.ts';
import type { ReferencePrices, Swaps } from '../ledger/value.ts';
import { distinctIds, groupRows, KeyIndex } from '../records/key-index.ts';
import { balancesTable, lotsTable, tradesTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { suspectsTable } from '../storage/bulk.ts';
import { yielder } from '../yielder.ts';

/** Swaps to derive at once, and the seconds of the last of them whole: most steps of so many take a few milliseconds. */
export const CHUNK = 65_536;

/** What a derivation works with. */
export interface DerivationContext extends Pick<ApplyContext, 'config' | 'roles'> {
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
  readonly #balances = new BalanceBook();
  readonly #lots = new LotBook();
  readonly #tokens = new KeyIndex();
  readonly #wallets = new KeyIndex();
  readonly #counts: ValueCounts;
  readonly #prints = new PrintJudge();
  #latest: NativePrint | undefined;

  /** The tables of the writer have nothing derived. */
  constructor(writer: Pick<Writer, 'append'>, context: DerivationContext) {
    this.#writer = writer;
    this.#context = context;
    this.#counts = new ValueCounts(context.roles);
  }

  /** Values the next swaps in chain order, whole seconds, in place, and writes what follows from them; the swaps are the caller's to write. */
  async add(swaps: Swaps): Promise<void> {
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
      references,
      nativePrintBefore: async () => this.#latest,
    });
    const { length, columns: prints } = derived.nativePrices;
    if (length > 0) this.#latest = { seq: prints.seq[length - 1]!, price: prints.price[length - 1]! };
    await pause.yieldIfDue();
    if (writesLegs) this.#prints.judge(derived.legs, config.print_factor);
    else await this.#appendSuspects(swaps);
    await pause.yieldIfDue();
    const groups = groupRows(pairsOf(derived.trades));
    const pairs = groups.index.keys();
    const before = this.#lots.of(pairs);
    await pause.yieldIfDue();
    const after = await pause.run(foldingPositions(derived.trades, groups, before, config.dust_usd));
    await pause.yieldIfDue();
    await pause.run(this.#lots.replacing(pairs, after));
    await pause.yieldIfDue();
    this.#balances.step(swaps);
    this.#counts.add(swaps);
    await pause.yieldIfDue();
    await writeDerived(writer, derived);
    await writer.append(tradesTable, derived.trades);
  }

  async #appendSuspects(swaps: Swaps): Promise<void> {
    const { dust_usd, print_factor } = this.#context.config;
    const { token, seq } = this.#prints.suspectsOf(swaps, dust_usd, print_factor);
    if (token.length === 0) return;
    const columns = { token: Int32Array.from(token), seq: Float64Array.from(seq) };
    await this.#writer.append(suspectsTable, { length: token.length, columns });
  }

  /** After the last swaps: writes what is open then. */
  async end(): Promise<void> {
    await this.#writer.append(lotsTable, await yielder().run(this.#lots.all()));
    await this.#writer.append(balancesTable, await this.#balances.rows());
    await this.#counts.appendTo(this.#writer);
  }

  /** Leaves all profiles to the next refresh. */
  async markAllDirty(writer: Writer): Promise<void> {
    await markDirty(writer, 'tokens', fromTheStart(this.#tokens.keys()));
    await markDirty(writer, 'wallets', fromTheStart(this.#wallets.keys()));
  }
}
