import type { LabelRule } from '../config.ts';
import type { ProfileKind } from '../profiles/fields.ts';

/** The label rules that ship. `kol` comes from the wallet registry. */
export const defaultLabelRules: Readonly<Record<ProfileKind, readonly LabelRule[]>> = {
  tokens: [],
  wallets: [],
};
