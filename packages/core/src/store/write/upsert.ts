import { invalidInput } from '../../errors.ts';
import { inRanges, newChainKeys, type Range, uniteRanges, widenRanges } from '../../ingest/chain-keys.ts';
import { markDirty, newChanges, unswapped } from '../../ingest/changes.ts';
import { reprocess } from '../../ingest/reprocess.ts';
import { openFeeRanges } from '../../ingest/stale-fees.ts';
import { newBatch } from '../../records/columns.ts';
import type { EntityKind } from '../../records/profile-fields.ts';
import { referencePricesTable, swapsTable } from '../../records/tables.ts';
import { type PricesResult, priceWarnings } from '../../registry/price-warnings.ts';
import { checkPrices, writePrices } from '../../registry/reference-prices.ts';
import { type UpsertResult, upsertRegistry } from '../../registry/registry.ts';
import type { CallOptions } from '../../storage/abortable.ts';
import type { StoreSession } from '../open/session.ts';
import { rederive } from './rebuild.ts';

/** As `Swapfold.tokens.upsert` and `Swapfold.wallets.upsert`. */
export async function upsertRows(
  session: StoreSession,
  kind: EntityKind,
  rows: readonly unknown[],
  { signal }: CallOptions,
): Promise<UpsertResult> {
  if (!Array.isArray(rows)) throw invalidInput(`Expected an array of ${kind}, received ${typeof rows}.`);
  return session.write({ signal, changes: { ...newChanges(), hasRegistryChanged: true } }, (writer) =>
    upsertRegistry(writer, session.dictionary, session.config, kind, rows),
  );
}

/** Swaps in the seconds of other prices from which on the whole store is derived again, in one pass that holds some of them in memory. */
const MOST_REPROCESSED = 200_000;

/** As `Swapfold.prices.upsert`: what depends on the prices is derived again in the same transaction. */
export async function upsertPrices(
  session: StoreSession,
  rows: readonly unknown[],
  { signal }: CallOptions,
): Promise<PricesResult> {
  if (!Array.isArray(rows)) throw invalidInput(`Expected an array of prices, received ${typeof rows}.`);
  const changes = newChanges(() => session.live.isWatched);
  const { config } = session;
  const { result } = await session.write(
    { signal, changes },
    async (writer) => {
      const context = { ...session.applyContext(), changes };
      const checked = await checkPrices(writer, session.dictionary, config, rows, context.state.horizon);
      const { reference_max_age } = config;
      const written = await writePrices(writer, checked, reference_max_age, context.roles.native);
      const { stored, removed, moved } = written;
      const left = await writer.read({ table: referencePricesTable, columns: ['token'], limit: 1 });
      context.state.hasReferencePrices = left.length > 0;
      if (stored + removed > 0) await markDirty(writer, 'tokens', unswapped(checked.prices.keys()));
      for (const token of checked.prices.keys()) changes.touched.tokens.add(token);
      const { lastTime } = context.state;
      const untilNow = written.movedOfAnyAge.map(([from, to]): Range => [from, Math.min(to, lastTime ?? -1)]);
      const fees = await openFeeRanges(
        writer,
        untilNow.filter(([from, to]) => from <= to),
      );
      const repriced = widenRanges(uniteRanges([...moved, ...fees]));
      const swaps = repriced.length === 0 ? 0 : await writer.count(swapsTable, inRanges(repriced));
      if (swaps > MOST_REPROCESSED) {
        changes.isEverything = true;
        await rederive(writer, context);
        context.state.checkpoints = [];
        context.state.votes.clear();
      } else if (swaps > 0) {
        const none = newBatch(swapsTable, 0);
        await reprocess(writer, context, { added: none, keys: newChainKeys(0), removed: none, repriced });
      }
      const { rejects } = checked;
      const warnings = await priceWarnings(writer, context, checked);
      return { state: context.state, result: { stored, removed, rejected: rejects.length, rejects, warnings } };
    },
    ({ state }) => ({ ingest: state }),
  );
  return result;
}
