import { scale } from '@swapfold/chain';
import { Accounts } from './accounts.ts';
import type { Position } from './decode.ts';
import { indexOf } from './hop.ts';
import type { RawTransaction } from './raw.ts';
import type { TransferRow } from './rows.ts';
import { keysOf, stepsOf } from './steps.ts';
import { type Transfer, TransferReader } from './transfers.ts';
import { settle } from './withheld.ts';

/** Places of the parts of one instruction, and of what a token withheld of a transfer, behind those of instructions. */
const [PART, WITHHELD] = [2 ** 24, 2 ** 40];

/**
 * All that a transaction moved by instructions, those of its swaps too: of tokens and lamports, between owners, made or burnt. What a token withholds on
 * the way is burnt. Lamports that a program moves by itself, and the room of accounts, are in no instruction.
 *
 * - `transfer_index` is that of a swap of the same instruction.
 */
export function movedBy(raw: RawTransaction, { slot, time, index = Number.NaN }: Position): TransferRow[] {
  const { meta } = raw;
  if (meta === null || meta.err !== null || time === null || meta.innerInstructions == null) return [];
  const keys = keysOf(raw);
  const accounts = new Accounts(meta);
  const steps = stepsOf(raw, keys);
  const moved = new TransferReader(keys, accounts).read(steps);
  settle(accounts, moved);
  const of = { block_time: time, block_slot: slot, tx_index: index, tx_hash: raw.transaction.signatures[0] ?? '' };
  const rows: TransferRow[] = [];
  const add = ({ mint, from, to }: Pick<Transfer, 'mint' | 'from' | 'to'>, amount: bigint, place: number): void => {
    const decimals = accounts.decimalsOf(mint);
    if (amount <= 0n || decimals === undefined || (from === undefined && to === undefined)) return;
    const [token_amount, sides] = [scale(amount, decimals), { from: from ?? null, to: to ?? null }];
    rows.push({ ...of, transfer_index: place, token: mint, token_amount, ...sides });
  };
  let [last, part] = [-1, 0];
  for (const transfer of moved.transfers) {
    const { at, from, to, mint, sent, arrived } = transfer;
    part = at === last ? part + 1 : 0;
    last = at;
    if (from === to) continue;
    const place = indexOf(steps[at]!) + part * PART;
    add(transfer, arrived, place);
    if (sent > arrived) add({ mint, from, to: undefined }, sent - arrived, place + WITHHELD);
  }
  return rows;
}
