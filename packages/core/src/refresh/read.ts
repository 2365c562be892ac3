import type { EntityPrints } from '../bag/entity.ts';
import { addressField } from '../profiles/catalogue.ts';
import { type Batch, type ColumnData, newColumn, type Table } from '../records/columns.ts';
import { tokenRegistryTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import { fillLastTrade, fillNewestSwap, fillTokenRegistry, fillWalletRegistry } from './base-columns.ts';
import type { FoldContext } from './context.ts';
import { fillMarket } from './market.ts';
import { readPrints } from './prints.ts';
import type { TokenFacts } from './trade-log.ts';
import { type EntityScan, readTrades, type TradeReads } from './trades.ts';

/** What is read of entities before they are folded. */
export interface EntityReads extends EntityHistory {
  readonly ids: Int32Array;
  /** Rows of the profile table, one an id, with what does not come from a fold. */
  readonly baseColumns: Batch;
  /** By row of the base columns: whether the entity has a swap or is in the registry, and the labels it has there. */
  readonly exists: Uint8Array;
  readonly registered: readonly (readonly string[])[];
}

/** Trades and prints of entities, and what the trades take from the token registry. */
export interface EntityHistory {
  readonly scan: EntityScan;
  readonly trades: TradeReads;
  readonly prints: ReadonlyMap<number, EntityPrints>;
  readonly facts: TokenFacts;
}

/**
 * Reads what profiles of entities are made of. Where `scan` has stored profiles, only what can have changed since they were folded and
 * is not cached.
 */
export async function readEntities(context: FoldContext, scan: EntityScan): Promise<EntityReads> {
  const { reader } = context;
  const { kind, ids, stored } = scan;
  const pause = yielder();
  const baseColumns = newBaseColumns(context.shapes[kind].table, ids);
  const rowOf = new Map(Array.from(ids, (id, row) => [id, row]));
  await context.dictionary.load(reader, ids);
  const address = baseColumns.columns[addressField[kind]] as (string | null)[];
  for (const [row, id] of ids.entries()) address[row] = context.dictionary.textOf(id);
  await pause.yieldIfDue();
  const exists = await fillNewestSwap(context, baseColumns, kind, rowOf, stored);
  await pause.yieldIfDue();
  const registered =
    kind === 'tokens'
      ? await fillTokenRegistry(context, baseColumns, rowOf, exists, stored?.news.legs)
      : await fillWalletRegistry(context, baseColumns, rowOf, exists);
  await pause.yieldIfDue();
  if (kind === 'tokens') await fillMarket(context, baseColumns, scan);
  await pause.yieldIfDue();
  await fillLastTrade(context, baseColumns, scan);
  await pause.yieldIfDue();
  return { ids, baseColumns, exists, registered, ...(await readHistory(reader, scan)) };
}

/** Reads what the windows of entities are folded from. */
export async function readHistory(reader: Reader, scan: EntityScan): Promise<EntityHistory> {
  const { kind, ids } = scan;
  const trades = await readTrades(reader, scan);
  return {
    scan,
    trades,
    prints: kind === 'tokens' && scan.isWithoutPrints !== true ? await readPrints(reader, scan) : new Map(),
    facts: await readTokenFacts(reader, kind === 'tokens' ? ids : await tokensOf(trades)),
  };
}

/** Most tokens whose registry rows are looked up one by one. */
const FEW = 2000;

/** The tokens of trades, if they are few. Other work of the process has its turn meanwhile. */
async function tokensOf({ runs }: TradeReads): Promise<Int32Array | undefined> {
  const tokens = new Set<number>();
  const pause = yielder();
  for (const pieces of runs.values()) {
    for (const { columns } of pieces) {
      await pause.yieldIfDue();
      for (const token of columns.token) if (tokens.add(token).size > FEW) return undefined;
    }
  }
  return Int32Array.from(tokens);
}

/** Columns that folds give; the others are base columns. */
export const isMetricColumn = (column: string): boolean => column.startsWith('metrics.');

/** Rows for the ids, with all columns but those of metrics. */
function newBaseColumns(table: Table, ids: Int32Array): Batch {
  const columns: Record<string, ColumnData> = {};
  for (const [name, type] of Object.entries(table.columns)) {
    if (isMetricColumn(name)) continue;
    const column: ColumnData = newColumn(type, ids.length);
    columns[name] = column instanceof Float64Array ? column.fill(Number.NaN) : column;
  }
  columns.id = ids;
  return { length: ids.length, columns };
}

/** The facts of tokens; of all tokens where `tokens` is absent. */
export async function readTokenFacts(reader: Reader, tokens?: Int32Array): Promise<TokenFacts> {
  const { columns } = await reader.read({
    table: tokenRegistryTable,
    columns: ['id', 'total_supply', 'circulating_supply', 'created_at'],
    ...(tokens === undefined ? {} : { where: isIn('id', tokens) }),
  });
  const rowOf = new Map(Array.from(columns.id, (id, row) => [id, row]));
  return {
    supplyOf(token) {
      const row = rowOf.get(token);
      if (row === undefined) return Number.NaN;
      const circulating = columns.circulating_supply[row]!;
      return Number.isNaN(circulating) ? columns.total_supply[row]! : circulating;
    },
    createdAtOf(token) {
      const row = rowOf.get(token);
      return row === undefined ? Number.NaN : columns.created_at[row]!;
    },
  };
}
