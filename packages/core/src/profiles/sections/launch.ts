import * as v from 'valibot';
import type { ProfileKind } from '../../records/profile-fields.ts';
import {
  type Answer,
  dateOrNull,
  described,
  integerOrNull,
  listOf,
  named,
  numberOrNull,
  oneOf,
  oneOfOrNull,
  textOrNull,
} from '../../response.ts';
import type { Section } from './section.ts';

/** Why a swap is the launch of its token. */
export const launchSources = ['created_at', 'first_swap', 'activity'] as const;
export const launchRoles = ['dev', 'sniper', 'bundler', 'insider'] as const;
/** What a wallet was at the launch of a token. */
export type LaunchRole = (typeof launchRoles)[number];

/** The most profiles that a page may have with what a launch says. */
export const MOST_LAUNCHES = 20;

const shares = <const Role extends LaunchRole>(role: Role, whose: string) =>
  ({
    [`${role}_bought_share`]: numberOrNull(`Percent of total_supply in the first buys of ${whose}.`),
    [`${role}_held_share`]: numberOrNull(`Percent of total_supply in the balances of ${whose}.`),
    [`${role}_pnl`]: numberOrNull(`USD that ${whose} made of the token: realised, and of their lots at the mark.`),
  }) as {
    readonly [Name in 'bought_share' | 'held_share' | 'pnl' as `${Role}_${Name}`]: v.GenericSchema<number | null>;
  };

/** The section `launch` of tokens. */
export const launchSchema = named(
  'TokenLaunch',
  v.strictObject({
    source: oneOfOrNull(
      launchSources,
      'Why this is the launch: the first swap from `created_at` on; the first swap, before `created_at`; without `created_at`, a first swap that many buys follow. `null` if no launch is known: then all else is `null`.',
    ),
    launched_at: dateOrNull('Block time of the launch.'),
    after_creation: integerOrNull('Seconds from `created_at` to the launch.'),
    block_slot: integerOrNull('Slot or number of its block.'),
    tx_hash: textOrNull('Hash of its transaction.'),
    sniper_count: integerOrNull('Wallets whose first trade is a buy within the span of the launch.'),
    bundle_count: integerOrNull('Bundles: wallets that bought together.'),
    bundler_count: integerOrNull('Wallets in the bundles.'),
    insider_count: integerOrNull('Wallets that got tokens of the dev, or of bundlers, by transfers, and sold some.'),
    ...shares('dev', 'the dev'),
    ...shares('sniper', 'the snipers'),
    ...shares('bundler', 'the bundlers'),
    ...shares('insider', 'the insiders'),
  }),
);

/** Who was there when a token began to trade: docs/reference/launches.md. */
export interface TokenLaunch extends Answer<typeof launchSchema> {}

export const rolesMeaning =
  'What the wallet was at the launch of the token; `null` if no launch is known. With `include_launch`.';
export const rolesSchema = described(v.nullable(listOf(oneOf(launchRoles, 'A role.'))), rolesMeaning);

export const sniperEntriesSchema = integerOrNull(
  'Tokens whose launch the wallet sniped in the window. With `include_launch`.',
);

const returned = {
  tokens: '`launch`',
  wallets: '`sniper_entry_count` in the metrics of the windows',
  positions: '`roles` in `metadata`',
} as const satisfies Readonly<Record<ProfileKind, string>>;

/** What launches say of a kind of profile. No table has it: it is computed for a profile, or a short page, that asks for it. */
export function launch<const Kind extends ProfileKind>(kind: Kind) {
  return {
    key: 'launch',
    option: 'flag',
    isAskedOnly: true,
    returns: returned[kind],
    fields: () => [],
    queried: [],
    response: (): v.ObjectEntries => (kind === 'tokens' ? { launch: launchSchema } : {}),
  } as const satisfies Section;
}
