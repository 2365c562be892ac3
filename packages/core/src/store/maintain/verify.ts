import { profileWindows } from '../../bag/windows.ts';
import { carriedTablesOf, isKept, parseHorizon } from '../../ingest/carried.ts';
import { everything } from '../../ingest/changes.ts';
import { labelRulesOf } from '../../labels/rules.ts';
import { memory } from '../../memory/memory.ts';
import { builtInMetrics } from '../../metrics/built-in.ts';
import { type Metric, metricPath } from '../../metrics/metric.ts';
import { carriedTables } from '../../records/carried-tables.ts';
import {
  fixedTables,
  referencePricesTable,
  swapsTable,
  textsTable,
  tokenRegistryTable,
  transactionsTable,
  transfersTable,
  walletRegistryTable,
} from '../../records/tables.ts';
import { untilAborted } from '../../storage/abortable.ts';
import { type DamageReport, WHOLE_FILE } from '../../storage/adapter.ts';
import { readMeta, writeMeta } from '../../storage/meta.ts';
import { windowSeconds } from '../../time.ts';
import { closeSession, openSession } from '../open/open-session.ts';
import type { StoreSession } from '../open/session.ts';
import { rederive } from '../write/rebuild.ts';
import { rebuildStore } from '../write/refresh-store.ts';
import { compareStores, type Difference } from './compare-stores.ts';
import { copyTables } from './copy.ts';

/** What a verification found. */
export interface Verification {
  readonly swaps: number;
  /** Cells compared. */
  readonly cells: number;
  /** All differences there are. */
  readonly different: number;
  /** The first of them. */
  readonly differences: readonly Difference[];
  /** Tables whose rows have no checksums to compare, because an older Swapfold made the store: a copy of it has them. */
  readonly unchecked: readonly string[];
  /**
   * False where the stored profiles could not be compared: they wait for a refresh (something changed, or a refresh of the traded ones alone
   * left them behind), or what they were folded from is forgotten.
   */
  readonly compared_profiles: boolean;
  /** Columns of profiles that were not compared: metrics whose function this process does not have, and labels that ask for them. */
  readonly not_compared: readonly string[];
}

/** What was given to a store: everything else can be derived from it. */
const givenTables = [
  textsTable,
  transactionsTable,
  swapsTable,
  tokenRegistryTable,
  walletRegistryTable,
  referencePricesTable,
  transfersTable,
] as const;

/** As `Swapfold.verify`. */
export async function verifyStore(session: StoreSession, signal: AbortSignal | undefined): Promise<Verification> {
  const { config, shapes } = session;
  const own = session.metrics.filter((metric) => !builtInMetrics.includes(metric));
  // A metric without its function is folded to null, and not compared.
  const metrics = own.map(({ isStoredOnly, ...metric }): Metric => metric);
  const not_compared = columnsWithoutFunction(session);
  const derived = await openSession({ storage: memory(), config, metrics });
  try {
    return await session.storage.snapshot(async (stored) => {
      const reader = untilAborted(stored, signal);
      const { horizon } = await readMeta(reader);
      const carried = carriedTablesOf(parseHorizon(horizon));
      const profiles = Object.values(shapes).map(({ table }) => table);
      const report = await reader.findDamage?.([...fixedTables, ...carried, ...profiles]);
      const damage = report && damageOf(report, await reader.count(swapsTable));
      if (report && damage && isGivenDamaged(report)) return damage;
      await derived.write({ changes: everything() }, async (writer) => {
        await copyTables(reader, writer, [...givenTables, ...carried]);
        if (horizon !== undefined) await writeMeta(writer, { horizon });
        derived.dictionary.drop();
        await derived.begin(writer);
      });
      const { profilesAsOf } = await session.rememberedOf(reader);
      const ending = { asOf: profilesAsOf ?? 0, horizon: parseHorizon(horizon).time };
      const canFold = profilesAsOf === null || isKept(ending, windowSeconds['30d']);
      if (canFold) await rebuildStore(derived, { asOf: profilesAsOf ?? undefined, signal });
      else await derived.write({ signal, changes: everything() }, (writer) => rederive(writer, derived.applyContext()));
      const compared = await derived.storage.snapshot((expected) =>
        compareStores(reader, expected, {
          shapes,
          profilesAsOf: canFold ? ending.asOf : undefined,
          not_compared,
        }),
      );
      const whole = { ...compared, unchecked: [], not_compared };
      return damage === undefined ? whole : withDamage(whole, damage);
    });
  } finally {
    await closeSession(derived);
  }
}

/** The columns of profiles that cannot be derived without the functions of metrics. */
function columnsWithoutFunction({ metrics, config }: StoreSession): readonly string[] {
  const columns = (['tokens', 'wallets'] as const).flatMap((kind) =>
    metrics
      .filter((metric) => metric.isStoredOnly && metric.of.includes(kind))
      .flatMap((metric) => profileWindows[kind].map((window) => `metrics.${window}.${metricPath(metric)}`)),
  );
  const rules = labelRulesOf(config);
  const asked = JSON.stringify([rules.tokens, rules.wallets]);
  const isAsked = columns.some((column) => asked.includes(`"${column}"`));
  return [...columns, ...(isAsked ? ['labels', 'matched_labels'] : [])];
}

/** Whether what everything else is derived from is damaged: what follows from such rows says nothing. */
function isGivenDamaged({ count, found }: DamageReport): boolean {
  const given = new Set(
    [...fixedTables, ...carriedTables].filter((table) => !table.derived).map(({ name }): string => name),
  );
  return count > found.length || found.some(({ table }) => table === WHOLE_FILE || given.has(table));
}

/** The damage as differences. */
function damageOf({ rows, count, found, unchecked }: DamageReport, swaps: number): Verification {
  const differences = found.map((damage) => ({ ...damage, column: 'checksum' }));
  return { swaps, cells: rows, different: count, differences, unchecked, compared_profiles: false, not_compared: [] };
}

/** What was compared, with the damaged rows in which that found no difference. */
function withDamage(compared: Verification, damage: Verification): Verification {
  const known = new Set(compared.differences.map(({ table, row }) => `${table} ${row}`));
  const more = damage.differences.filter(({ table, row }) => !known.has(`${table} ${row}`));
  return {
    ...compared,
    cells: compared.cells + damage.cells,
    different: compared.different + more.length,
    differences: [...compared.differences, ...more],
    unchecked: damage.unchecked,
  };
}
