import type { Config, LabelRule } from '../config.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import { knownLabels } from '../records/profile-fields.ts';
import { defaultLabelRules, optionalWalletRules } from './default-rules.ts';

/**
 * The label rules in force: those of the configuration and, unless it replaces them all, the default ones.
 * A rule of the configuration takes the place of the default rule of the same label and name.
 */
export function labelRulesOf(config: Config): Readonly<Record<ProfileKind, readonly LabelRule[]>> {
  return eachKind((kind) => rulesOf(config, kind));
}

/** The names of the labels that a configuration knows: the labels of the interface, then the labels that only its rules add. */
export function labelNamesOf(config: Config): Readonly<Record<ProfileKind, readonly string[]>> {
  const rules = labelRulesOf(config);
  return eachKind((kind) => namesOf(kind, rules[kind]));
}

const eachKind = <T>(of: (kind: ProfileKind) => T): Readonly<Record<ProfileKind, T>> => ({
  tokens: of('tokens'),
  wallets: of('wallets'),
  positions: of('positions'),
});

const namesOf = (kind: ProfileKind, rules: readonly LabelRule[]): string[] => [
  ...new Set([...knownLabels[kind], ...rules.map(({ label }) => label)]),
];

/** The configuration's rules come first, so that messages number a rule as the configuration does. */
function rulesOf(config: Config, kind: ProfileKind): readonly LabelRule[] {
  const own = config.labels[kind];
  const names = new Set(own.map(nameOf));
  const base = config.labels.mode === 'replace' ? [] : defaultLabelRules[kind];
  const optional: readonly string[] = kind === 'wallets' ? config.labels.optional : [];
  const asked = optionalWalletRules.filter(({ label }) => optional.includes(label));
  const rules = [...own, ...[...base, ...asked].filter((rule) => !names.has(nameOf(rule)))];
  // Without the rationale: what a rule does stays the same when it is explained in other words, and so do stored profiles.
  return rules.map(({ label, rule, filter }) => ({ label, rule, filter }));
}

function nameOf({ label, rule }: LabelRule): string {
  return `${label} ${rule}`;
}
