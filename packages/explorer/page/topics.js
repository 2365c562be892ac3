// @ts-check
/** @import { Answer, OperationName, Request, Wanted } from '../types/page.ts' */

/** @type {<Value>(value: Value | undefined) => readonly Value[] | undefined} */
const only = (value) => (value === undefined ? undefined : [value]);
/** A message only says that something changed: the least of a profile will do. */
const options = { include_labels: true };

/**
 * The topic whose messages say that an answer of an operation has changed.
 * @type {{ readonly [Name in OperationName]?: (body: Request<Name>, answer: Answer<Name> | undefined) => Wanted | undefined }}
 */
const topics = {
  'trades.list': ({ wallet, token }) => ({
    name: 'trades',
    params: { wallets: only(wallet), tokens: only(token) },
  }),
  'prices.candles': ({ token, interval }) =>
    token === undefined ? undefined : { name: 'candles', params: { token, interval } },
  'prices.stats': ({ tokens }) => ({ name: 'prices', params: { tokens }, pollSeconds: 30 }),
  'portfolios.get': ({ wallet }) => ({ name: 'trades', params: { wallets: [wallet] }, pollSeconds: 30 }),
  'wallets.history': ({ wallet }) => ({ name: 'trades', params: { wallets: [wallet] }, pollSeconds: 30 }),
  'tokens.history': ({ token }) => ({ name: 'trades', params: { tokens: [token] } }),
  'tokens.buyers': ({ token }) => ({ name: 'trades', params: { tokens: [token] }, pollSeconds: 30 }),
  'wallets.get': ({ wallet }) => ({ name: 'profiles.wallet', params: { wallets: [wallet], options } }),
  'tokens.get': ({ token }) => ({ name: 'profiles.token', params: { tokens: [token], options } }),
  'positions.get': ({ wallet, token }) => ({
    name: 'profiles.position',
    params: { positions: [{ wallet, token }], options },
  }),
  'wallets.search': (_, answer) =>
    shown(answer, (data) => ({
      name: 'profiles.wallet',
      params: { wallets: data.map(({ wallet_address }) => wallet_address), options },
    })),
  'tokens.search': (_, answer) =>
    shown(answer, (data) => ({
      name: 'profiles.token',
      params: { tokens: data.map(({ token_address }) => token_address), options },
    })),
  'positions.search': (_, answer) =>
    shown(answer, (data) => ({
      name: 'profiles.position',
      params: {
        positions: data.map(({ wallet_address, token_address }) => ({ wallet: wallet_address, token: token_address })),
        options,
      },
    })),
};

/**
 * The profiles that a page shows, of which some may be there.
 * @template Row
 * @param {{ readonly data: readonly Row[] } | undefined} answer
 * @param {(data: readonly Row[]) => Wanted} wantedOf
 * @returns {Wanted | undefined}
 */
function shown(answer, wantedOf) {
  if (answer === undefined) return undefined;
  // Of what is not there yet there is no message.
  if (answer.data.length === 0) return { pollSeconds: 5 };
  return { ...wantedOf(answer.data), pollSeconds: 30 };
}

/** @type {<Name extends OperationName>(operation: Name, body: Request<Name>, answer: Answer<Name> | undefined) => Wanted | undefined} */
export const topicOf = (operation, body, answer) => topics[operation]?.(body, answer);
