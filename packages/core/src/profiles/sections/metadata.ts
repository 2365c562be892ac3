import { field, flagSection } from './section.ts';

export const tokenMetadata = flagSection(
  'metadata',
  {
    last_trade_at: field('date', 'fold', 'Block time of the newest trade.'),
    created_at: field('date', 'registry', "The token's creation, from the registry."),
    age: field('number', { since: 'metadata.created_at' }, "Seconds since the token's creation."),
    idle: field('number', { since: 'metadata.last_trade_at' }, 'Seconds since the newest trade.'),
    symbol: field('text', 'registry', 'From the registry, else of the newest swap that names one.'),
    name: field('text', 'registry', 'From the registry.'),
    image: field('text', 'registry', 'From the registry.'),
    verified: field('boolean', 'registry', 'From the registry.'),
    creator_address: field('addressOrNull', 'registry', 'From the registry.'),
    twitter: field('text', 'registry', 'From the registry.'),
    discord: field('text', 'registry', 'From the registry.'),
    website: field('text', 'registry', 'From the registry.'),
    telegram: field('text', 'registry', 'From the registry.'),
  },
  'name',
  'symbol',
);

export const walletMetadata = flagSection(
  'metadata',
  {
    last_trade_at: field('date', 'fold', 'Block time of the newest trade that counts for the profile.'),
    idle: field('number', { since: 'metadata.last_trade_at' }, 'Seconds since the newest trade.'),
    name: field('text', 'registry', 'From the registry.'),
    twitter_username: field('text', 'registry', 'From the registry.'),
    telegram_username: field('text', 'registry', 'From the registry.'),
  },
  'name',
  'twitter_username',
  'telegram_username',
);
