import type { EntityKind } from '../fields.ts';
import { field, type Section } from './section.ts';

/** The field that holds an entity's address. */
export const addressField = { tokens: 'token_address', wallets: 'wallet_address' } as const;

export function base<const Kind extends EntityKind>(kind: Kind) {
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
