import type { Config, LabelRule } from '../config.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { defaultLabelRules } from './default-rules.ts';

/** The label rules in force: the default ones, unless the configuration replaces them, and the configuration's. */
export function labelRulesOf(config: Config): Readonly<Record<ProfileKind, readonly LabelRule[]>> {
  const base = config.labels.mode === 'replace' ? { tokens: [], wallets: [] } : defaultLabelRules;
  return { tokens: [...base.tokens, ...config.labels.tokens], wallets: [...base.wallets, ...config.labels.wallets] };
}
