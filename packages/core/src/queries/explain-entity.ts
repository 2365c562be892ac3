import type { EntityKind } from '../profiles/fields.ts';
import { resumeColumns } from '../profiles/table.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import { type Batch, NO_ID, type Table } from '../records/columns.ts';
import { legsTable, swapsTable, tokenRegistryTable, walletRegistryTable } from '../records/tables.ts';
import { foldEntity } from '../refresh/entity-fold.ts';
import { StoredEntities } from '../refresh/stored.ts';
import { countedTrades, type EntityScan } from '../refresh/trades.ts';
import { and, compare } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';
import {
  type Asked,
  changedSince,
  instantOf,
  isReading,
  requireFunction,
  type Subject,
  storedMetrics,
} from './explain-subject.ts';
import { notFound } from './profiles.ts';

/** A wallet or token to be explained. `columns`: those of its profile that are wanted. Errors: `not-found`; those of `requireFunction`. */
export async function findEntity(
  context: QueryContext,
  kind: EntityKind,
  address: string,
  asked: Asked,
  columns: readonly string[],
): Promise<Subject> {
  const { reader } = context;
  const id = await context.dictionary.findOne(reader, address);
  if (id === NO_ID) throw notFound(kind, address);
  const rows = context.isAsOfAsked ? undefined : await storedRow(context, kind, id, columns);
  if (rows?.length === 0) throw notFound(kind, address);
  const instant = rows && (await instantOf(context, rows));
  if (rows === undefined || instant === undefined || (asked.asOf ?? instant) !== instant) {
    requireFunction(asked);
    const asOf = asked.asOf ?? context.asOf;
    if (!(await isKnown(context, kind, id, asOf))) throw notFound(kind, address);
    return subjectOf(context, asked, { kind, ids: Int32Array.of(id), asOf });
  }
  const since = await changedSince(context, kind, id);
  const stored = new StoredEntities(kind, rows, () => since);
  return {
    ...subjectOf(context, asked, { kind, ids: Int32Array.of(id), asOf: instant, stored }),
    stored: storedMetrics(rows, since > instant),
  };
}

function subjectOf(context: QueryContext, { metric, window }: Asked, scan: EntityScan): Subject {
  const { kind, asOf } = scan;
  const [own, counterparty] = kind === 'wallets' ? (['wallet', 'token'] as const) : (['token', 'wallet'] as const);
  const read: EntityScan = {
    ...scan,
    after: isReading(metric, 'past') ? undefined : asOf - window.seconds,
    isWithoutPrints: !isReading(metric, 'prints'),
  };
  const id = scan.ids[0]!;
  return {
    kind,
    id,
    asOf,
    trades: and(compare(own, 'eq', id), countedTrades(kind)),
    counterparty,
    fold: () => foldEntity(context, read, window, context.yielder()),
  };
}

async function storedRow(
  { reader, shapes }: QueryContext,
  kind: EntityKind,
  id: number,
  wanted: readonly string[],
): Promise<Batch> {
  const columns = ['id', 'fresh_until', ...Object.keys(resumeColumns), ...wanted];
  return (await reader.read({ table: shapes[kind].table, columns, where: compare('id', 'eq', id) })) as Batch;
}

/** Whether an entity has a profile at an instant: a swap by then, or a row of the registry. */
async function isKnown({ reader }: QueryContext, kind: EntityKind, id: number, asOf: number): Promise<boolean> {
  const until = compare('seq', 'lte', lastSeqAt(asOf));
  const [swaps, key] = kind === 'tokens' ? ([legsTable, 'token'] as const) : ([swapsTable, 'wallet'] as const);
  const first = { columns: ['seq'], where: and(compare(key, 'eq', id), until), limit: 1 };
  if ((await reader.read({ table: swaps as Table, ...first })).length > 0) return true;
  const table: Table = kind === 'tokens' ? tokenRegistryTable : walletRegistryTable;
  return (await reader.read({ table, columns: ['id'], where: compare('id', 'eq', id) })).length > 0;
}
