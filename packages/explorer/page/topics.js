const only = (value) => (value === undefined ? undefined : [value]);
/** A message only says that something changed: the least of a profile will do. */
const options = { include_labels: true };

/** The topic whose messages say that an answer of an operation has changed: `{ name, params, pollSeconds? }`. */
const topics = {
  'trades.list': ({ wallet, token, pool }) => ({
    name: 'trades',
    params: { wallets: only(wallet), tokens: only(token), pools: only(pool) },
  }),
  'prices.candles': ({ token, interval }) => ({ name: 'candles', params: { token, interval } }),
  'portfolios.get': ({ wallet }) => ({ name: 'trades', params: { wallets: [wallet] }, pollSeconds: 30 }),
  'wallets.history': ({ wallet }) => ({ name: 'trades', params: { wallets: [wallet] }, pollSeconds: 30 }),
  'tokens.history': ({ token }) => ({ name: 'trades', params: { tokens: [token] } }),
  'wallets.get': ({ wallet }) => ({ name: 'profiles.wallet', params: { wallets: [wallet], options } }),
  'tokens.get': ({ token }) => ({ name: 'profiles.token', params: { tokens: [token], options } }),
  'positions.get': ({ wallet, token }) => ({
    name: 'profiles.position',
    params: { positions: [{ wallet, token }], options },
  }),
  'wallets.search': shown('profiles.wallet', 'wallets', ({ wallet_address }) => wallet_address),
  'tokens.search': shown('profiles.token', 'tokens', ({ token_address }) => token_address),
  'positions.search': shown('profiles.position', 'positions', ({ wallet_address, token_address }) => ({
    wallet: wallet_address,
    token: token_address,
  })),
};

/** The profiles that a page shows. */
function shown(name, list, idOf) {
  return (_body, answer) => {
    const found = answer?.data.map(idOf) ?? [];
    return found.length === 0 ? undefined : { name, params: { [list]: found, options }, pollSeconds: 30 };
  };
}

export const topicOf = (operation, body, answer) => topics[operation]?.(body, answer);
