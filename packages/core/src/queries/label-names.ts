import { MAX_FAULTS } from '../faults.ts';
import { hintOf, quoted } from '../filter/names.ts';
import type { LabelUse, Notes } from '../filter/reading.ts';
import { labelNamesOf } from '../labels/rules.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { walletRegistryTable } from '../records/tables.ts';
import { not } from '../storage/predicate.ts';
import type { QueryContext } from './context.ts';

/** Notes the labels of a request that no profile can have: neither the interface nor a rule nor the registry names them. */
export async function noteUnknownLabels(context: QueryContext, kind: ProfileKind, notes: Notes): Promise<void> {
  const strange = notes.labels.length === 0 ? [] : strangeLabels(context, kind, notes.labels);
  if (strange.length === 0) return;
  const registered = kind === 'wallets' ? await registeredLabels(context) : new Set<string>();
  const known = [...new Set([...namedLabels(context, kind), ...registered])];
  for (const { label, path, root } of strange) {
    if (registered.has(label)) continue;
    if (notes.faults.length >= MAX_FAULTS) return;
    const message = `Unknown label ${quoted(label)} in ${root}.${hintOf(label, known)}`;
    notes.faults.push({ code: 'unknown-field', path, message });
  }
}

function strangeLabels(context: QueryContext, kind: ProfileKind, uses: readonly LabelUse[]): readonly LabelUse[] {
  const named = namedLabels(context, kind);
  return uses.filter(({ label }) => !named.has(label));
}

/** The labels of the interface and of the rules in force. */
function namedLabels({ config }: QueryContext, kind: ProfileKind): ReadonlySet<string> {
  return new Set(labelNamesOf(config)[kind]);
}

/** The labels that the registry of wallets gives. */
async function registeredLabels(context: QueryContext): Promise<ReadonlySet<string>> {
  const cached = context.cache.get('labels', 'wallets');
  if (cached !== undefined) return cached;
  const names = new Set<string>();
  const rows = context.reader.stream({
    table: walletRegistryTable,
    columns: ['labels'],
    where: not({ kind: 'missing', column: 'labels' }),
  });
  for await (const { columns } of rows)
    for (const labels of columns.labels) for (const name of labels!.split('|')) if (name !== '') names.add(name);
  context.cache.put('labels', 'wallets', names);
  return names;
}
