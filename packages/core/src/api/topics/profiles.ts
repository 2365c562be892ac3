import * as v from 'valibot';
import type { Config } from '../../config.ts';
import { profilesWanted } from '../../live/profiles.ts';
import type { Selection } from '../../live/selection.ts';
import type { ProfileOptions } from '../../profiles/sections/sections.ts';
import type { PositionProfile, TokenProfile, WalletProfile } from '../../queries/serve-profile.ts';
import { profileSchema } from '../../queries/serve-profile.ts';
import type { ProfileKind } from '../../records/profile-fields.ts';
import { described, named } from '../../response.ts';
import type { PositionFilter, TokenFilter, WalletFilter } from '../../search/filter-types.ts';
import { sample, tokenSchema, tokensSchema, walletSchema } from '../operations/entries.ts';
import { addressesSchema, optionsSchema, positionsSchema, type RequestSchema, requestObject } from '../request.ts';
import { type ServedTopic, topic } from '../topic.ts';
import { MOST_ADDRESSES } from './prices-swaps.ts';

const DESCRIPTION =
  'Sends profiles when a refresh has stored them: those of the addresses, or those that match `filter`, at most 1,000. With `filter`, `began` names those that match from now on and `ended` those that match no more; otherwise `ended` names those that have no profile any more. `complete` says that `data` is all that matches now: what else was known matches no more.';

/** A subscription by addresses, which are in `names` and fit `listed`, or by a filter. */
function profileParams(names: string, noun: string, kind: ProfileKind, listed: v.GenericSchema) {
  const object = requestObject({
    [names]: v.optional(listed),
    filter: v.optional(named(`${noun}Filter`, v.unknown())),
    options: v.optional(optionsSchema(kind, { isStream: true })),
  });
  return v.pipe(
    object as RequestSchema<Readonly<Record<string, unknown>>>,
    v.check(
      (given) => (given[names] === undefined) !== (given.filter === undefined),
      `give "${names}" or "filter", and not both`,
    ),
  );
}

const walletsOf = (config: Config) =>
  described(addressesSchema(config.address_format, MOST_ADDRESSES), 'Addresses of wallets.', [sample(config).wallet]);

function positionsOf(config: Config) {
  const wallet = walletSchema(config, 'Address of the wallet.');
  const token = tokenSchema(config, 'Address of the token.');
  const example = { wallet: sample(config).wallet, token: sample(config).token };
  return described(positionsSchema({ wallet, token }, MOST_ADDRESSES), 'Wallets and tokens of positions.', [example]);
}

export interface ChosenSections<Kind extends ProfileKind> {
  readonly options?: ProfileOptions<Kind> | undefined;
}

export type Either<Names, Filter> = Names | { readonly filter: Filter };
type Given = Readonly<Record<string, unknown>>;

/** Items are typed as the routes type them. */
const select = <Item>(kind: ProfileKind, names: string, textsOf: (list: never) => readonly string[][]) =>
  function wanted(given: Given): Selection<Item> {
    const { filter, options } = given as { filter?: object; options?: ProfileOptions };
    const list = given[names];
    const chosen = list === undefined ? { filter: filter! } : { addresses: textsOf(list as never) };
    return profilesWanted({ kind, options, ...chosen }) as Selection<unknown> as Selection<Item>;
  };

export const walletProfilesTopic = topic({
  name: 'profiles.wallet',
  operation: 'wallets.search',
  cost: 'scan',
  summary: 'Profiles of wallets as they are refreshed.',
  description: DESCRIPTION,
  example: () => ({ filter: { 'metrics.7d.pnl': { $gt: 1000 } }, options: { include_metrics: ['7d'] } }),
  params: (config: Config) => profileParams('wallets', 'Wallet', 'wallets', walletsOf(config)),
  item: (store) => profileSchema('wallets', store),
  wanted: select('wallets', 'wallets', (list: readonly string[]) => list.map((address) => [address])),
}) as unknown as ServedTopic<
  'profiles.wallet',
  Either<{ readonly wallets: readonly string[] }, WalletFilter> & ChosenSections<'wallets'>,
  WalletProfile
>;

export const tokenProfilesTopic = topic({
  name: 'profiles.token',
  operation: 'tokens.search',
  cost: 'scan',
  summary: 'Profiles of tokens as they are refreshed.',
  description: DESCRIPTION,
  example: (config) => ({ tokens: [sample(config).token], options: { include_market: true } }),
  params: (config: Config) => profileParams('tokens', 'Token', 'tokens', tokensSchema(config, MOST_ADDRESSES)),
  item: (store) => profileSchema('tokens', store),
  wanted: select('tokens', 'tokens', (list: readonly string[]) => list.map((address) => [address])),
}) as unknown as ServedTopic<
  'profiles.token',
  Either<{ readonly tokens: readonly string[] }, TokenFilter> & ChosenSections<'tokens'>,
  TokenProfile
>;

export const positionProfilesTopic = topic({
  name: 'profiles.position',
  operation: 'positions.search',
  cost: 'scan',
  summary: 'Positions as they are refreshed.',
  description: `${DESCRIPTION} Addresses are those of positions. What is computed when it is asked for, such as the price of a holding, is as of the refresh.`,
  example: (config) => ({ positions: [{ wallet: sample(config).wallet, token: sample(config).token }] }),
  params: (config: Config) => profileParams('positions', 'Position', 'positions', positionsOf(config)),
  item: (store) => profileSchema('positions', store),
  wanted: select('positions', 'positions', (list: readonly { wallet: string; token: string }[]) =>
    list.map(({ wallet, token }) => [wallet, token]),
  ),
}) as unknown as ServedTopic<
  'profiles.position',
  Either<{ readonly positions: readonly { readonly wallet: string; readonly token: string }[] }, PositionFilter> &
    ChosenSections<'positions'>,
  PositionProfile
>;
