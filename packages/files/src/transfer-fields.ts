/** Until the core says so. */
const fields: Readonly<Record<string, { readonly type: string; readonly isRequired?: true }>> = {
  tx_hash: { type: 'hash', isRequired: true },
  transfer_index: { type: 'index' },
  block_time: { type: 'time', isRequired: true },
  block_slot: { type: 'whole' },
  tx_index: { type: 'whole' },
  token: { type: 'address', isRequired: true },
  token_amount: { type: 'quantity', isRequired: true },
  from: { type: 'address' },
  to: { type: 'address' },
  cost_usd: { type: 'quantity' },
  kind: { type: 'name' },
  includes_swaps: { type: 'flag' },
};
export const transferFieldNames = Object.keys(fields);
export const transferField = (name: string) => fields[name]!;
