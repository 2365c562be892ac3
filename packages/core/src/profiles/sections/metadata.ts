import { field, flagSection } from './section.ts';

export const tokenMetadata = flagSection(
  'metadata',
  {
    last_trade_at: field('date', 'fold', 'Block time of the newest trade.'),
    created_at: field('date', 'registry', "The token's creation, from the registry."),
    age: field('number', { since: 'metadata.created_at' }, "Seconds since the token's creation."),
    idle: field('number', { since: 'metadata.last_trade_at' }, 'Seconds since the newest trade.'),
    symbol: field('text', 'registry', 'Symbol, from the registry, else of the newest swap that names one.'),
    name: field('text', 'registry', 'Name, from the registry.'),
    image: field('text', 'registry', 'Address of its image, from the registry.'),
    verified: field('boolean', 'registry', 'Whether the registry vouches for it.'),
    creator_address: field('addressOrNull', 'registry', 'Wallet that created it, from the registry.'),
    twitter: field('text', 'registry', 'Account on Twitter, from the registry.'),
    discord: field('text', 'registry', 'Discord, from the registry.'),
    website: field('text', 'registry', 'Address of its website, from the registry.'),
    telegram: field('text', 'registry', 'Telegram, from the registry.'),
  },
  'name',
  'symbol',
);

export const walletMetadata = flagSection(
  'metadata',
  {
    last_trade_at: field('date', 'fold', 'Block time of the newest trade that counts for the profile.'),
    idle: field('number', { since: 'metadata.last_trade_at' }, 'Seconds since the newest trade.'),
    name: field('text', 'registry', 'Name, from the registry.'),
    twitter_username: field('text', 'registry', 'Account on Twitter, from the registry.'),
    telegram_username: field('text', 'registry', 'Account on Telegram, from the registry.'),
  },
  'name',
  'twitter_username',
  'telegram_username',
);
