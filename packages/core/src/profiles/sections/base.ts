import type { ProfileKind } from '../fields.ts';
import { field, type Section } from './section.ts';

/** The field that holds a profile's address, and breaks ties of every sort. */
export const addressField = { tokens: 'token_address', wallets: 'wallet_address' } as const;

/** What every profile has. */
export function base<const Kind extends ProfileKind>(kind: Kind) {
  const address = addressField[kind];
  return {
    key: address,
    fields: () => [
      { path: 'updated_at', ...field('date', 'fold', 'Block time of the newest swap that the data reflects.') },
      { path: 'synced_at', ...field('date', 'fold', 'When the profile was stored.') },
      { path: address, ...field('address', 'fold', 'Address.') },
    ],
    queried: [address],
  } as const satisfies Section;
}
