import type { EarlyTrade } from '../../launch/early-trades.ts';
import { spanRuleOf } from '../../launch/early-trades.ts';
import type { Place } from '../../launch/place.ts';
import type { LaunchRules } from '../../launch-rules.ts';
import type { LaunchRole } from '../../profiles/sections/launch.ts';
import type { TransactionRow } from '../../storage/reads.ts';
import { orNull } from '../context.ts';
import type { RoleEvidence } from './buyers-schema.ts';
import { type LaunchRoles, rolesOf } from './roles.ts';

/** Transfers of an insider that are named. */
const MOST_TRANSFERS = 8;

/** What names wallets and transactions in evidence. */
export interface Names {
  readonly textOf: (wallet: number) => string;
  readonly transactionOf: (tx: number) => TransactionRow;
  readonly rules: LaunchRules;
}

const nothing = { bundle: null, token_amount: null, steps: null, transactions: [] } as const;

type Shown = Omit<RoleEvidence, 'role'>;
type EvidenceOf = (roles: LaunchRoles, wallet: number, names: Names) => Shown;

const evidence: Readonly<Record<LaunchRole, EvidenceOf>> = {
  dev: () => ({ rule: 'creator', ...nothing }),
  sniper({ launch, snipers }, wallet, names) {
    const trade = snipers.get(wallet)!;
    const rule = spanRuleOf(launch, trade, names.rules)!;
    return { rule, ...nothing, transactions: [shownTrade(trade, names)] };
  },
  bundler({ bundlers, bundles }, wallet, names) {
    const { trade, bundle } = bundlers.get(wallet)!;
    const rule = `bundle_${bundles![bundle]!.rule}` as const;
    return { rule, ...nothing, bundle, transactions: [shownTrade(trade, names)] };
  },
  insider({ insiders }, wallet, { textOf }) {
    const { amount, steps, transfers } = insiders!.get(wallet)!;
    const transactions = transfers
      .slice(0, MOST_TRANSFERS)
      .map((transfer) => ({ ...placeOf(transfer), from: textOf(transfer.from) }));
    return { rule: 'transfers', bundle: null, token_amount: amount, steps, transactions };
  },
};

/** Why a wallet has its roles, in their order. */
export function evidenceOf(roles: LaunchRoles, wallet: number, names: Names): RoleEvidence[] {
  return rolesOf(roles, wallet).map((role) => ({ role, ...evidence[role](roles, wallet, names) }));
}

const shownTrade = ({ tx }: EarlyTrade, { transactionOf }: Names) => ({ ...placeOf(transactionOf(tx)), from: null });

/** A place as it is served. */
export function placeOf({ block_time, block_slot, tx_index, tx_hash }: Place & { readonly tx_hash: string }) {
  return { block_time, block_slot: orNull(block_slot), tx_index: orNull(tx_index), tx_hash };
}
