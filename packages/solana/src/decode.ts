import { scale } from '@swapfold/chain';
import { Accounts } from './accounts.ts';
import { feesOf } from './fees.ts';
import type { Hop, Whole } from './hop.ts';
import { hopsOf } from './hops.ts';
import { unexplainedLamports } from './lamports.ts';
import { protocolOf } from './protocols.ts';
import type { RawMeta, RawTransaction } from './raw.ts';
import type { SwapRow } from './rows.ts';
import { withPaidLamports } from './sales.ts';
import { keysOf, stepsOf } from './steps.ts';
import { TransferReader, transfersIn } from './transfers.ts';
import type { Undecoded } from './undecoded.ts';
import { balancesOf } from './wallet-balances.ts';
import { findWallets } from './wallets.ts';
import { SOL_DECIMALS } from './well-known.ts';
import { settle } from './withheld.ts';

/** Where a transaction stands. */
export interface Position {
  readonly slot: number;
  readonly time: number | null;
  /** Its place in the block; `undefined` if the node does not say. */
  readonly index: number | undefined;
}

/** The swaps of a transaction, in the order of its hops. What touches an exchange and cannot be read is counted. */
export function decodeTransaction(raw: RawTransaction, position: Position, undecoded: Undecoded): SwapRow[] {
  const { meta } = raw;
  if (meta === null || meta.err !== null || !hasTokens(meta)) return [];
  const keys = keysOf(raw);
  if ((meta.innerInstructions?.length ?? 0) === 0) {
    if (meta.innerInstructions == null && raw.transaction.message.instructions.some((one) => isExchange(keys, one)))
      undecoded.no_inner_instructions++;
    return [];
  }
  const steps = stepsOf(raw, keys);
  const accounts = new Accounts(meta);
  const moved = new TransferReader(keys, accounts).read(steps);
  const wrong = settle(accounts, moved);
  const signers = new Set(keys.slice(0, raw.transaction.message.header.numRequiredSignatures));
  const decimalsOf = (mint: string): number | undefined => accounts.decimalsOf(mint);
  const whole: Whole = { keys, steps, transfers: moved.transfers, signers, decimalsOf };
  let lamports: ReturnType<typeof unexplainedLamports> | undefined;
  const unexplained = (index: number): bigint => {
    lamports ??= unexplainedLamports(steps, meta, accounts);
    return lamports(index);
  };
  const found = hopsOf(whole, { undecoded, unexplained });
  if (found.length === 0) return [];
  const paid = withPaidLamports(whole, found, { unexplained, undecoded });
  const right = paid.hops.filter((hop) => {
    const isRight = !isContradicted(hop, whole, wrong);
    if (!isRight) undecoded.contradicts_balances++;
    return isRight;
  });
  findWallets({ ...whole, transfers: paid.transfers }, right);
  const hops = right.filter((hop) => isKnown(hop, decimalsOf, undecoded));
  if (hops.length > 0 && position.time === null) {
    undecoded.no_time += hops.length;
    return [];
  }
  return rowsOf(hops, { keys, meta, accounts, whole, position, hash: raw.transaction.signatures[0] ?? '' });
}

/** A swap moves tokens of at least one account that the node reports. */
const hasTokens = ({ preTokenBalances, postTokenBalances }: RawMeta): boolean =>
  (preTokenBalances?.length ?? 0) + (postTokenBalances?.length ?? 0) > 0;

const isExchange = (keys: readonly string[], { programIdIndex }: { readonly programIdIndex: number }): boolean =>
  protocolOf(keys[programIdIndex] ?? '') !== undefined;

/** Whether a hop's transfers touch an account that they do not come to. */
function isContradicted(hop: Hop, { transfers }: Whole, wrong: ReadonlySet<number>): boolean {
  if (wrong.size === 0) return false;
  return transfersIn(transfers, hop.from, hop.to).some(
    ({ source, target, mint }) =>
      (mint === hop.tokenIn || mint === hop.tokenOut) &&
      ((source !== undefined && wrong.has(source)) || (target !== undefined && wrong.has(target))),
  );
}

function isKnown(hop: Hop, decimalsOf: Whole['decimalsOf'], undecoded: Undecoded): boolean {
  if (decimalsOf(hop.tokenIn) !== undefined && decimalsOf(hop.tokenOut) !== undefined) return true;
  undecoded.no_decimals++;
  return false;
}

interface Of {
  readonly keys: readonly string[];
  readonly meta: RawMeta;
  readonly accounts: Accounts;
  readonly whole: Whole;
  readonly position: Position;
  readonly hash: string;
}

function rowsOf(hops: readonly Hop[], { keys, meta, accounts, whole, position, hash }: Of): SwapRow[] {
  const balances = balancesOf(hops, { keys, meta, accounts });
  const feeOf = feesOf(keys[0], meta, whole.transfers);
  return hops.map((hop, i): SwapRow => {
    const [decimalsIn, decimalsOut] = [accounts.decimalsOf(hop.tokenIn)!, accounts.decimalsOf(hop.tokenOut)!];
    const { beforeIn, afterIn, beforeOut, afterOut } = balances[i]!;
    const isOfPool = hop.poolIn > 0n && hop.poolOut > 0n;
    const isSame = hop.poolIn === hop.amountIn && hop.poolOut === hop.amountOut;
    const [poolIn, poolOut] = isOfPool && !isSame ? [hop.poolIn, hop.poolOut] : [];
    return {
      protocol: hop.protocol,
      wallet: hop.wallet,
      token_in: hop.tokenIn,
      token_out: hop.tokenOut,
      token_amount_in: scale(hop.amountIn, decimalsIn),
      token_amount_out: scale(hop.amountOut, decimalsOut),
      pool_amount_in: scaled(poolIn, decimalsIn),
      pool_amount_out: scaled(poolOut, decimalsOut),
      pre_token_balance_in: scaled(beforeIn, decimalsIn),
      post_token_balance_in: scaled(afterIn, decimalsIn),
      pre_token_balance_out: scaled(beforeOut, decimalsOut),
      post_token_balance_out: scaled(afterOut, decimalsOut),
      block_slot: position.slot,
      block_time: position.time!,
      tx_hash: hash,
      tx_index: position.index ?? Number.NaN,
      swap_index: hop.index,
      pool: hop.pool ?? null,
      fee_native: scale(feeOf(hop.wallet), SOL_DECIMALS),
    };
  });
}

const scaled = (amount: bigint | undefined, decimals: number): number =>
  amount === undefined ? Number.NaN : scale(amount, decimals);
