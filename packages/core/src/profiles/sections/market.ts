import { field, flagSection } from './section.ts';

export const market = flagSection('market', {
  fdv: field('number', 'fold', 'USD: price x total_supply.'),
  market_cap: field('number', 'fold', 'USD: price x circulating_supply, or else total_supply.'),
  price: field('number', 'fold', 'Latest price, USD per token.'),
  liquidity: field('number', 'registry', 'USD, from the registry.'),
  holders: field('count', 'registry', 'Wallets with a positive balance, unless the registry gives the figure.'),
  total_supply: field('number', 'registry', 'Whole tokens, from the registry.'),
  circulating_supply: field('number', 'registry', 'Whole tokens, from the registry.'),
  top_holdings: field('number', 'fold', 'Percent of total_supply that the 10 largest balances hold.'),
  dev_holdings: field('number', 'fold', 'Percent of total_supply that the creator holds.'),
});
