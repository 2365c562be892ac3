import { field, flagSection } from './section.ts';

/** Who the wallet is: what its metadata has from the registry, alone. */
export const identity = flagSection(
  'identity',
  {
    name: field('text', { path: 'metadata.name' }, 'Name, from the registry.'),
    twitter_username: field('text', { path: 'metadata.twitter_username' }, 'Account on Twitter, from the registry.'),
    telegram_username: field('text', { path: 'metadata.telegram_username' }, 'Account on Telegram, from the registry.'),
  },
  'name',
  'twitter_username',
  'telegram_username',
);
