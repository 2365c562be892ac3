import * as v from 'valibot';
import { launchRoles, launchSources } from '../../profiles/sections/launch.ts';
import {
  type Answer,
  described,
  flag,
  integerOrNull,
  listOf,
  named,
  number,
  numberOrNull,
  oneOf,
  pageAnswer,
  text,
  textOrNull,
  time,
} from '../../response.ts';

const place = {
  block_time: time('Unix seconds, UTC.'),
  block_slot: integerOrNull('Slot or number of the block.'),
  tx_index: integerOrNull('Index of the transaction in its block.'),
  tx_hash: text('Hash of the transaction.'),
};

const role = oneOf(launchRoles, 'A role at the launch.');

export const roleRules = [
  'creator',
  'seconds',
  'block',
  'bundle_transaction',
  'bundle_neighbours',
  'bundle_block',
  'transfers',
] as const;

const evidenceSchema = named(
  'RoleEvidence',
  v.strictObject({
    role,
    rule: oneOf(
      roleRules,
      'What gave it: `creator` of the registry; `seconds` or `block`, a first buy within the span of the launch; a bundle in one transaction, of neighbours, or of a block; `transfers`.',
    ),
    bundle: integerOrNull('Of a bundler: which of `bundles`, from 0 on.'),
    token_amount: numberOrNull('Of an insider: whole tokens that it got by transfers that count.'),
    steps: integerOrNull('Of an insider: in how many steps they came from the dev or a bundler.'),
    transactions: described(
      listOf(v.strictObject({ ...place, from: textOrNull('Of a transfer: who sent the tokens.') })),
      'The transactions that show it: the first buy, the buy in the bundle, the transfers, oldest first, at most 8. The registry has none.',
    ),
  }),
);

/** Why a wallet has a role. */
export interface RoleEvidence extends Answer<typeof evidenceSchema> {}

const standing = {
  held: numberOrNull('Whole tokens that the wallet holds.'),
  sold: number('Whole tokens that it has sold.'),
  made: numberOrNull('USD that it made of the token: realised, and of its lots at the mark.'),
  roles: described(listOf(role), 'What it was at the launch.'),
  evidence: described(listOf<RoleEvidence>(evidenceSchema), 'Why, role by role.'),
};

const buyerSchema = named(
  'TokenBuyer',
  v.strictObject({
    rank: integerOrNull(
      '1 is the first buyer; `null` if no launch is known, because there may have been buyers before.',
    ),
    wallet: text('Address.'),
    seconds_after: integerOrNull('Seconds from the launch to its first buy.'),
    slots_after: integerOrNull('Blocks from the launch to its first buy.'),
    ...place,
    token_amount: number('Whole tokens of its first buy.'),
    supply_share: numberOrNull('Percent of total_supply in its first buy.'),
    ...standing,
  }),
);

/** A wallet by its first buy of a token. */
export interface TokenBuyer extends Answer<typeof buyerSchema> {}

const bundleSchema = named(
  'LaunchBundle',
  v.strictObject({
    rule: oneOf(
      ['transaction', 'neighbours', 'block'],
      'In one transaction, in neighbours of the launch block, or in that block.',
    ),
    wallets: described(listOf(v.string()), 'Addresses, in the order of their buys; without the dev.'),
    transactions: described(listOf(v.strictObject(place)), 'Those of their buys, in chain order.'),
  }),
);

/** Wallets that bought together at a launch. */
export interface LaunchBundle extends Answer<typeof bundleSchema> {}

const insiderSchema = named('LaunchInsider', v.strictObject({ wallet: text('Address.'), ...standing }));

/** A wallet that got tokens of the dev, or of bundlers, and sold some. */
export interface LaunchInsider extends Answer<typeof insiderSchema> {}

const launchPlaceSchema = named(
  'LaunchPlace',
  v.strictObject({
    source: oneOf(launchSources, 'Why this is the launch.'),
    ...place,
    dev: textOrNull('The creator, from the registry.'),
  }),
);

export const buyersSchema = named(
  'TokenBuyers',
  v.strictObject({
    ...pageAnswer<TokenBuyer>(buyerSchema),
    has_more: flag('Whether the token has more buyers than the first 1,000, which `count` ends with.'),
    launch: described(v.nullable(launchPlaceSchema), 'The launch; `null` if none is known: then nobody has a role.'),
    bundles: described(
      v.nullable(listOf<LaunchBundle>(bundleSchema)),
      'All of the launch; `null` if nobody can know them.',
    ),
    insiders: described(
      v.nullable(listOf<LaunchInsider>(insiderSchema)),
      'All of them, whether they bought or not; `null` if nobody can know them.',
    ),
  }),
);

/** The first buyers of a token, and who they were at its launch. */
export interface TokenBuyers extends Answer<typeof buyersSchema> {}
