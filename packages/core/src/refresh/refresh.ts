import { windowSpecs } from '../bag/windows.ts';
import { requireWindow } from '../ingest/carried.ts';
import { NO_SWAP } from '../ingest/changes.ts';
import { nativePriceAt } from '../market-data/native-price.ts';
import { turnsWith } from '../profiles/moving.ts';
import { resumeColumns, resumeColumnsOfWallets } from '../profiles/shape.ts';
import { pairWallet } from '../records/chain-order.ts';
import type { Batch, Table } from '../records/columns.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import { readMeta } from '../storage/meta.ts';
import { isIn, or } from '../storage/predicate.ts';
import type { FoldContext } from './context.ts';
import { ContinuedPositions, rangeOf } from './continued-positions.ts';
import { type FoldOptions, foldEntities } from './fold.ts';
import { movedRules, rulesAt } from './labels.ts';
import { foldAllPositions, isHiding, refoldPositions } from './positions.ts';
import { type EntityReads, readEntities } from './read.ts';
import type { ChangedBalances, RefreshCache } from './refresh-cache.ts';
import { findStale, findStalePositions, type StaleEntities, type StalePositions, type StaleScope } from './stale.ts';
import { StoredEntities } from './trades.ts';
import type { FoldMessage } from './write.ts';

const LONGEST = windowSpecs.wallets[0]!.seconds;

/** Entities that are read at once, while those before are folded: bounds the memory of a refresh. */
const CHUNK: Readonly<Record<EntityKind, number>> = { wallets: 20_000, tokens: 5000 };
/**
 * Swaps of these at most, unless one alone has more. The first ones to trade are bots: of a store of fifty million swaps, a fifth of all
 * would be sorted for the first chunk, for which DuckDB lacks the memory.
 */
const CHUNK_SWAPS = 1_000_000;

interface FoldingOptions extends StaleScope {
  /** When the profiles are made, Unix seconds. */
  readonly syncedAt: number;
  readonly cached?: RefreshCache | undefined;
}

/**
 * Three of the four stages of a refresh: finds the entities whose profiles do not hold at the context's as-of time, reads what they are
 * made of and folds them, chunk by chunk. `writeProfiles` is the fourth.
 */
export async function* foldStale(context: FoldContext, options: FoldingOptions): AsyncGenerator<FoldMessage> {
  const { cached, isFull, syncedAt } = options;
  requireWindow(context, LONGEST, 'A refresh');
  const rules = rulesAt(context);
  const { profiles_last_time, profiles_refresh, profiles_native_price } = await readMeta(context.reader);
  const nativeUsd = await nativePriceAt(context, context.asOf);
  const turned = or(
    ...rules.tokens.map(({ where }) => turnsWith(where, Number(profiles_native_price ?? Number.NaN), nativeUsd)),
  );
  const tokens = await findStale(context, 'tokens', { ...options, turned });
  const traded = await findStale(context, 'wallets', options);
  const known = Number(profiles_last_time ?? 0);
  const positions = isFull ? undefined : await findStalePositions(context, traded, { ...options, known });
  const wallets = withWalletsOf(traded, positions);
  if (positions === undefined) cached?.drop();
  else cached?.expect(profiles_refresh, changedBalances(positions));
  yield { kind: 'found', entities: tokens.ids.length + wallets.ids.length, nativeUsd };
  if (isFull && isHiding(context)) yield* foldAllPositions(context, wallets.ids, syncedAt);
  if (positions !== undefined) {
    const { refolded, newestSwap } = positions;
    yield* refoldPositions(context, refolded, { newestSwap, syncedAt });
  }
  const chunks = [...chunksOf('tokens', tokens), ...chunksOf('wallets', wallets)];
  for await (const { reads, continued } of readChunks(context, chunks, { ...options, positions }))
    yield* foldChunk(context, reads, {
      rules: movedRules(rules[reads.scan.kind], nativeUsd),
      syncedAt,
      positions: continued,
    });
}

/** Of a wallet that has new swaps alone, only the balances in the tokens of these are others. */
function changedBalances({ changed: [known], touched, balances }: StalePositions): ChangedBalances {
  const wallets = new Set(known.wallets);
  return { wallets: known.wallets, pairs: touched.filter((pair) => !wallets.has(pairWallet(pair))), balances };
}

/** The windows of positions are folded from what the fold of their wallet reads. */
function withWalletsOf(wallets: StaleEntities, positions: StalePositions | undefined): StaleEntities {
  if (positions === undefined) return wallets;
  const ids = new Set(wallets.ids);
  for (const pair of positions.continued) ids.add(pairWallet(pair));
  return ids.size === wallets.ids.length ? wallets : { ...wallets, ids: Int32Array.from(ids).sort() };
}

interface Chunk extends StaleEntities {
  readonly kind: EntityKind;
  /** There is no other chunk of the kind. */
  readonly isAll: boolean;
}

function chunksOf(kind: EntityKind, { ids, since, swaps }: StaleEntities): Chunk[] {
  const starts: number[] = [];
  let read = 0;
  for (const [place, id] of ids.entries()) {
    const count = swaps?.count[id] ?? 0;
    if (place === 0 || place - starts.at(-1)! === CHUNK[kind] || read + count > CHUNK_SWAPS) {
      starts.push(place);
      read = 0;
    }
    read += count;
  }
  return starts.map((start, n) => ({
    kind,
    ids: ids.slice(start, starts[n + 1]),
    isAll: starts.length === 1,
    since,
    swaps,
  }));
}

interface ChunkOptions extends FoldingOptions {
  /** Absent where all are folded anew. */
  readonly positions: StalePositions | undefined;
}

interface ChunkReads {
  readonly reads: EntityReads;
  readonly continued?: ContinuedPositions | undefined;
}

/** What profiles of the chunks are made of. The engine reads a chunk while the one before is folded. */
async function* readChunks(
  context: FoldContext,
  chunks: readonly Chunk[],
  options: ChunkOptions,
): AsyncGenerator<ChunkReads> {
  if (chunks.length === 0) return;
  let reading = readChunk(context, chunks[0]!, options);
  for (const n of chunks.keys()) {
    const reads = await reading;
    const next = chunks[n + 1];
    if (next !== undefined) reading = readChunk(context, next, options);
    reading.catch(() => undefined);
    yield reads;
  }
}

async function readChunk(
  context: FoldContext,
  { kind, ids, since, isAll, swaps }: Chunk,
  options: ChunkOptions,
): Promise<ChunkReads> {
  const { cached, positions, syncedAt } = options;
  const { asOf } = context;
  const stored = await storedOf(context, { kind, ids, since }, options);
  const reads = await readEntities(context, { kind, ids, asOf, stored, cached, newest: swaps?.newest });
  if (kind === 'tokens') return { reads };
  if (positions === undefined)
    return isHiding(context)
      ? { reads }
      : {
          reads,
          continued: await ContinuedPositions.readAll(context, reads, { syncedAt, isAll }),
        };
  const [first, last] = rangeOf(ids);
  const of = positions.continued.filter((pair) => pair >= first && pair <= last);
  return {
    reads,
    continued: await ContinuedPositions.read(context, reads, { stale: positions, of, syncedAt }),
  };
}

/** What is stored of a chunk; nothing where all are folded anew. */
async function storedOf(
  { reader, shapes }: FoldContext,
  { kind, ids, since }: Pick<Chunk, 'kind' | 'ids' | 'since'>,
  { isFull, positions }: ChunkOptions,
): Promise<StoredEntities | undefined> {
  if (isFull || positions === undefined) return undefined;
  const resumed = kind === 'wallets' ? { ...resumeColumns, ...resumeColumnsOfWallets } : resumeColumns;
  const columns = ['id', ...Object.keys(resumed)];
  const rows = (await reader.read({ table: shapes[kind].table as Table, columns, where: isIn('id', ids) })) as Batch;
  return new StoredEntities(kind, rows, (id) => since.get(id) ?? NO_SWAP, positions.newest[kind]);
}

async function* foldChunk(context: FoldContext, reads: EntityReads, options: FoldOptions): AsyncGenerator<FoldMessage> {
  const { kind } = reads.scan;
  let missing = reads.ids.filter((_, row) => reads.exists[row] === 0);
  for await (const rows of foldEntities(context, reads, options)) {
    yield { kind, missing, rows };
    missing = new Int32Array();
  }
  const { positions } = options;
  if (positions !== undefined && positions.rows.length > 0)
    yield { kind: 'positions', missing: new Float64Array(), rows: positions.rows };
}
