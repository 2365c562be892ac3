import type { TokenInput } from '@swapfold/core';
import { decodeTransaction, type Position } from './decode.ts';
import { madeTokens } from './mints.ts';
import { movedBy } from './moved.ts';
import { Pools } from './pools.ts';
import type { RawTransaction, SolanaBlock, SolanaTransaction } from './raw.ts';
import type { SwapRow, TransferRow } from './rows.ts';
import { noneUndecoded, type Undecoded } from './undecoded.ts';

/** What is read of transactions. */
export interface Read {
  readonly rows: readonly SwapRow[];
  readonly tokens: readonly TokenInput[];
  readonly transfers: readonly TransferRow[];
  readonly undecoded: Undecoded;
}

/** What is being read. */
interface Reading extends Read {
  readonly rows: SwapRow[];
  readonly tokens: TokenInput[];
  readonly transfers: TransferRow[];
}

const nothing = (): Reading => ({ rows: [], tokens: [], transfers: [], undecoded: noneUndecoded() });

/** Reads blocks and transactions, one after the other, and remembers what pools exchange. */
export class Reader {
  readonly #pools = new Pools();
  readonly #withTransfers: boolean;

  /** `transfers`: whether these are read, too. */
  constructor({ transfers = false }: { readonly transfers?: boolean | undefined } = {}) {
    this.#withTransfers = transfers;
  }

  block(block: SolanaBlock, slot: number): Read {
    const read = nothing();
    for (const [index, raw] of block.transactions.entries())
      this.#add(raw, { slot, time: block.blockTime, index }, read);
    return read;
  }

  transaction(raw: SolanaTransaction): Read {
    const read = nothing();
    const index = raw.transactionIndex ?? undefined;
    this.#add(raw, { slot: raw.slot, time: raw.blockTime ?? null, index }, read);
    return read;
  }

  #add(raw: RawTransaction, position: Position, read: Reading): void {
    if (!isTransaction(raw)) {
      read.undecoded.malformed++;
      return;
    }
    let [rows, tokens, transfers]: [SwapRow[], TokenInput[], TransferRow[]] = [[], [], []];
    try {
      rows = decodeTransaction(raw, position, read.undecoded);
      if (this.#withTransfers) transfers = movedBy(raw, position);
      if (position.time !== null) tokens = [...madeTokens(raw, position.time)];
    } catch (error) {
      if (!isOfForm(error)) throw error;
      // A form that no node is known to give; the other transactions are read.
      read.undecoded.malformed++;
      return;
    }
    for (const row of rows) {
      if (row.pool === null || this.#pools.fits(row.pool, row.token_in, row.token_out)) read.rows.push(row);
      else read.undecoded.contradicts_pool++;
    }
    read.tokens.push(...tokens);
    for (const transfer of transfers) read.transfers.push(transfer);
  }
}

/** What a field that is missing, or of another type, makes of reading. */
const isOfForm = (error: unknown): boolean =>
  error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;

/** Whether a node gave a transaction with `encoding: "json"`, with what became of it. */
function isTransaction(raw: RawTransaction): boolean {
  const message = raw?.transaction?.message;
  return (
    typeof message?.accountKeys?.[0] === 'string' &&
    Array.isArray(message.instructions) &&
    message.instructions.every(({ accounts, data }) => Array.isArray(accounts) && typeof data === 'string') &&
    typeof message.header?.numRequiredSignatures === 'number' &&
    typeof raw.transaction.signatures?.[0] === 'string' &&
    raw.meta instanceof Object
  );
}
