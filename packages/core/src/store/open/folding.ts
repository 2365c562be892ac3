import { isDeepStrictEqual } from 'node:util';
import {
  type Config,
  defaultWash,
  type LabelRule,
  PRINT_FACTOR,
  type QuoteToken,
  REFERENCE_MAX_AGE,
  type WashRule,
} from '../../config.ts';
import { SwapfoldError } from '../../errors.ts';
import { labelRulesOf } from '../../labels/rules.ts';
import { builtInMetrics } from '../../metrics/built-in.ts';
import { declarationOf, type Metric, type MetricDeclaration, metricPath, storedMetric } from '../../metrics/metric.ts';
import { show } from '../../nearest.ts';
import type { EntityKind } from '../../records/profile-fields.ts';
import type { Meta } from '../../storage/meta.ts';

/** What stored numbers depend on, as a store remembers it: JSON texts. */
export type Folding = Pick<Meta, 'configFingerprint' | 'profileFingerprint'>;

/** One thing that a store was folded with otherwise, and what has to be folded again for it: swaps (`all`) or only profiles. */
export interface Mismatch {
  /** A field of the configuration, `metrics`, `schema_version`, or a table that is missing. */
  readonly path: string;
  readonly message: string;
  readonly refold: 'profiles' | 'all';
}

/** `configFingerprint`, read. */
type SwapFolding = Readonly<Record<string, unknown>>;

/** `profileFingerprint`, read. */
interface ProfileFolding {
  /** Paths of all metrics. */
  readonly metrics: readonly string[];
  /** Those that are not built in. Absent without any, and in stores of versions that remembered names alone. */
  readonly own?: readonly MetricDeclaration[];
  readonly rules: Readonly<Record<EntityKind, readonly LabelRule[]>>;
  readonly marks?: Config['marks'];
  readonly wash?: WashRule;
}

const MOST_NAMES = 5;

export function foldingOf(config: Config, metrics: readonly Metric[]): Folding {
  // Labels of positions are computed when they are asked for: nothing stored depends on their rules.
  const { tokens, wallets } = labelRulesOf(config);
  const own = metrics.filter((metric) => !builtInMetrics.includes(metric)).map(declarationOf);
  return {
    configFingerprint: configFingerprintOf(config),
    profileFingerprint: JSON.stringify({
      metrics: metrics.map(metricPath),
      ...(own.length === 0 ? {} : { own }),
      rules: { tokens, wallets },
      // Absent where they are the default, so that stores of versions without them need not be folded again for them.
      ...(config.marks === 'clean' ? {} : { marks: config.marks }),
      ...(isDeepStrictEqual(config.wash, defaultWash) ? {} : { wash: config.wash }),
    } satisfies ProfileFolding),
  };
}

/** The part of a configuration that stored numbers depend on. */
function configFingerprintOf(config: Config): string {
  return JSON.stringify({
    address_format: config.address_format,
    quote_tokens: config.quote_tokens.map(({ address, kind, aliases = [] }) => ({ address, kind, aliases })),
    dust_usd: config.dust_usd,
    // Absent where it is the default, so that stores of versions without reference prices need not be folded again for it.
    ...(config.reference_max_age === REFERENCE_MAX_AGE ? {} : { reference_max_age: config.reference_max_age }),
    ...(config.print_factor === PRINT_FACTOR ? {} : { print_factor: config.print_factor }),
  });
}

/** The embedder's metrics that a store remembers, without their functions. */
export function rememberedMetrics({ profileFingerprint }: Partial<Meta>): readonly Metric[] {
  return profileFingerprint === undefined
    ? []
    : (parseStored<ProfileFolding>(profileFingerprint).own ?? []).map(storedMetric);
}

/** Errors: `foreign-store` where an earlier version made the store for one of several parts of the wallets, which nothing can make whole. */
export function refuseShard({ configFingerprint }: Partial<Meta>): void {
  const shard = configFingerprint === undefined ? undefined : parseStored<SwapFolding>(configFingerprint).shard;
  if (shard === undefined) return;
  throw new SwapfoldError(
    'foreign-store',
    `The store holds part ${show(shard)} of the wallets alone, as earlier versions could import them. Import all swaps into a new store.`,
  );
}

/** What a store was folded with otherwise than it is opened with. */
export function mismatchesOf(stored: Partial<Meta>, given: Folding): readonly Mismatch[] {
  const swaps =
    stored.configFingerprint === undefined ? [] : swapMismatches(stored.configFingerprint, given.configFingerprint);
  if (stored.profileFingerprint === undefined) return swaps;
  const [theirs, ours] = [
    parseStored<ProfileFolding>(stored.profileFingerprint),
    parseStored<ProfileFolding>(given.profileFingerprint),
  ];
  const changes = {
    'labels.tokens': rulesChanged(theirs.rules.tokens, ours.rules.tokens),
    'labels.wallets': rulesChanged(theirs.rules.wallets, ours.rules.wallets),
    metrics: metricsChanged(theirs, ours),
    ...Object.fromEntries(
      (['marks', 'wash'] as const)
        .filter((path) => !isDeepStrictEqual(theirs[path], ours[path]))
        .map((path) => [path, valueChanged(theirs[path] ?? 'the default', ours[path] ?? 'the default')]),
    ),
  };
  return [
    ...swaps,
    ...Object.entries(changes).flatMap(([path, message]) =>
      message === undefined ? [] : [{ path, message, refold: 'profiles' as const }],
    ),
  ];
}

/** `remedy` follows the sentence that names the differences. */
export function mismatchError(mismatches: readonly Mismatch[], remedy: string): SwapfoldError {
  const named = mismatches.map(({ path, message }) => `"${path}": ${message}`).join('; ');
  return new SwapfoldError('store-mismatch', `The store was folded with other settings: ${named}. ${remedy}`, {
    details: mismatches.map(({ path, message }) => ({ path, message })),
  });
}

/** Why an open handle cannot answer from a state of the store any more: another process has folded it with other settings. */
export function mismatchOf(stored: Partial<Meta>, given: Folding): SwapfoldError | undefined {
  const mismatches = mismatchesOf(stored, given);
  return mismatches.length === 0
    ? undefined
    : mismatchError(mismatches, 'Another process has folded it again: open it anew with its settings.');
}

function swapMismatches(stored: string, given: string): readonly Mismatch[] {
  const [theirs, ours] = [parseStored<SwapFolding>(stored), parseStored<SwapFolding>(given)];
  return [...new Set([...Object.keys(theirs), ...Object.keys(ours)])]
    .filter((field) => !isDeepStrictEqual(theirs[field], ours[field]))
    .map((path) => ({ path, message: valueChanged(theirs[path], ours[path]), refold: 'all' }));
}

function valueChanged(stored: unknown, given: unknown): string {
  if (!Array.isArray(stored) || !Array.isArray(given))
    return `the store has ${show(stored)}, the configuration ${show(given)}`;
  const byAddress = (tokens: readonly Pick<QuoteToken, 'address' | 'kind' | 'aliases'>[]) =>
    new Map(tokens.map(({ address, kind, aliases = [] }) => [show(address), { kind, aliases }]));
  return changesOf(byAddress(stored), byAddress(given)) ?? 'the same tokens in another order';
}

/** What differs between two lists of label rules; `undefined` where nothing does. */
export function rulesChanged(stored: readonly LabelRule[], given: readonly LabelRule[]): string | undefined {
  const byName = (rules: readonly LabelRule[]) =>
    new Map(rules.map(({ label, rule, filter }) => [`${show(rule)} of ${show(label)}`, filter]));
  const changed = changesOf(byName(stored), byName(given));
  if (changed !== undefined) return changed;
  // `matched_labels` lists the rules of a label in their order.
  const inOrder = (rules: readonly LabelRule[]) =>
    [...rules].sort((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0)).map(({ rule }) => rule);
  return isDeepStrictEqual(inOrder(stored), inOrder(given)) ? undefined : 'the same rules in another order';
}

function metricsChanged(stored: ProfileFolding, given: ProfileFolding): string | undefined {
  // Two metrics of one name are one of tokens and one of wallets.
  const byPath = ({ metrics, own = [] }: ProfileFolding) => {
    const found = new Map<string, unknown[]>();
    for (const path of metrics) found.set(show(path), [...(found.get(show(path)) ?? []), 'there']);
    if (stored.own === undefined) return found;
    for (const { name, group, of, unit, formula, empty } of own)
      found.get(show(group === undefined ? name : `${group}.${name}`))!.push({ of, unit, formula, empty });
    return found;
  };
  return changesOf(byPath(stored), byPath(given));
}

/** What was added, removed and changed between two sets of named things, the first names of each; `undefined` where nothing was. */
export function changesOf(
  stored: ReadonlyMap<string, unknown>,
  given: ReadonlyMap<string, unknown>,
): string | undefined {
  const added = [...given.keys()].filter((name) => !stored.has(name));
  const removed = [...stored.keys()].filter((name) => !given.has(name));
  const changed = [...given.keys()].filter(
    (name) => stored.has(name) && !isDeepStrictEqual(stored.get(name), given.get(name)),
  );
  const parts = Object.entries({ added, removed, changed })
    .filter(([, names]) => names.length > 0)
    .map(([verb, names]) => `${verb} ${fewOf(names)}`);
  return parts.length === 0 ? undefined : parts.join(', ');
}

function fewOf(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown;
}

function parseStored<T>(folding: string): T {
  try {
    return JSON.parse(folding);
  } catch (cause) {
    throw new SwapfoldError('store-damaged', 'What the store says of its configuration is damaged.', { cause });
  }
}
