import { SwapfoldError } from '@swapfold/core';
import { checkOptions, type OptionNames } from '@swapfold/core/host';
import { fromBase58 } from './base58.ts';
import type { SlotBlock } from './follow-stream.ts';
import type { Commitment } from './node-blocks.ts';

/** Sends one call of JSON-RPC to a node and gives its `result`. It throws what the node refuses, with `code` and `message`. */
export type SolanaTransport = (
  method: string,
  params: readonly unknown[],
  options: { readonly signal: AbortSignal },
) => Promise<unknown>;

/** Blocks that something else reads, from a slot on. */
export type SolanaBlocks = (from: number, options: { readonly signal: AbortSignal }) => AsyncIterable<SlotBlock>;

/** Options of `solanaSource`. */
export interface SolanaSourceOptions {
  /** Address of a JSON-RPC node: http or https. Give it, `transport` or `blocks`. */
  readonly url?: string | undefined;
  /** Calls of your own to a node. */
  readonly transport?: SolanaTransport | undefined;
  /** Blocks of your own, of a Yellowstone stream or an archive: all from a slot on, in the order of the chain, each with its slot. */
  readonly blocks?: SolanaBlocks | undefined;
  /** The first slot to read, when the store has nothing of the source yet. Default: the newest one. */
  readonly from_slot?: number | 'latest' | undefined;
  /** The last slot to read, after which the source ends; `latest` is the newest one at the beginning. Default: none. */
  readonly to_slot?: number | 'latest' | undefined;
  /** Reads the transactions of these wallets alone, from the newest to the oldest, and of them the wallets' own swaps. */
  readonly wallets?: readonly string[] | undefined;
  /** Reads the transactions that name these tokens alone, from the newest to the oldest. */
  readonly mints?: readonly string[] | undefined;
  /** Unix seconds: with `wallets` and `mints`, older transactions are not read. Default: all are. */
  readonly since?: number | undefined;
  /** How far the chain has agreed on what is read: `confirmed` (default) or `finalized`, which comes 13 seconds later. */
  readonly commitment?: Commitment | undefined;
  /** Milliseconds between looks at the newest slot. Default 400. */
  readonly poll_ms?: number | undefined;
  /** Calls that go to the node at once. Default 8. They become fewer where a node refuses. */
  readonly calls?: number | undefined;
  /** Whether names and symbols of traded tokens are read from the node. Default: no. */
  readonly metadata?: boolean | undefined;
  /**
   * Whether transfers are read, too: all that instructions of the transactions move of tokens and wallets that have a swap in the store up to there. With
   * `wallets`, all that these send and receive; with `mints`, all of these tokens. Default: no.
   */
  readonly transfers?: boolean | undefined;
  /** What the store remembers the source by. Default: `solana`, and a sum of the addresses, if there are. */
  readonly name?: string | undefined;
  /** Told of what an operator should know, once each: a node that does not answer, a fork. Default: a warning of the process. */
  readonly onNotice?: ((message: string) => void) | undefined;
}

const names: OptionNames<SolanaSourceOptions> = {
  url: true,
  transport: true,
  blocks: true,
  from_slot: true,
  to_slot: true,
  wallets: true,
  mints: true,
  since: true,
  commitment: true,
  poll_ms: true,
  calls: true,
  metadata: true,
  transfers: true,
  name: true,
  onNotice: true,
};

/** Options as they are used. */
export interface Settings {
  readonly fromSlot: number | 'latest';
  readonly toSlot: number | 'latest' | undefined;
  readonly wallets: readonly string[];
  readonly mints: readonly string[];
  readonly since: number | undefined;
  readonly commitment: Commitment;
  readonly pollMs: number;
  readonly calls: number;
  readonly metadata: boolean;
  readonly transfers: boolean;
  readonly onNotice: (message: string) => void;
}

/** Errors: `invalid-input`, naming the option, the value and what would do. */
export function settingsOf(options: SolanaSourceOptions): Settings {
  checkOptions('solanaSource', options, names, 'invalid-input');
  const { url, transport, blocks, commitment = 'confirmed' } = options;
  if ([url, transport, blocks].filter((way) => way !== undefined).length !== 1)
    throw wrong('url', 'give one of "url", "transport" and "blocks"');
  if (url !== undefined && !(/^https?:\/\/[^/]/.test(url) && URL.canParse(url)))
    throw wrong('url', 'expected an address that begins with http:// or https://');
  for (const [name, way] of Object.entries({ transport, blocks }))
    if (way !== undefined && typeof way !== 'function') throw wrong(name, 'expected a function');
  if (commitment !== 'confirmed' && commitment !== 'finalized')
    throw wrong('commitment', `expected "confirmed" or "finalized", received ${JSON.stringify(commitment)}`);
  const [wallets, mints] = [addresses(options, 'wallets'), addresses(options, 'mints')];
  checkWays(options, wallets.length + mints.length > 0);
  return {
    fromSlot: options.from_slot === 'latest' ? 'latest' : (whole(options, 'from_slot', 0) ?? 'latest'),
    toSlot: options.to_slot === 'latest' ? 'latest' : whole(options, 'to_slot', 0),
    wallets,
    mints,
    since: whole(options, 'since', 0),
    commitment,
    pollMs: whole(options, 'poll_ms', 1) ?? 400,
    calls: whole(options, 'calls', 1) ?? 8,
    metadata: options.metadata ?? false,
    transfers: options.transfers ?? false,
    onNotice: options.onNotice ?? ((message) => process.emitWarning(message, { type: 'SolanaSource' })),
  };
}

/** Options that mean nothing together. */
function checkWays(options: SolanaSourceOptions, hasAddresses: boolean): void {
  const { blocks, metadata, from_slot, to_slot, since } = options;
  if (hasAddresses && blocks !== undefined)
    throw wrong('wallets', 'give "url" or "transport" with it: "blocks" has all transactions');
  if (hasAddresses && from_slot !== undefined)
    throw wrong(
      'from_slot',
      'not together with "wallets" and "mints", whose transactions are read to the oldest: give "since"',
    );
  if (hasAddresses && typeof to_slot === 'number')
    throw wrong('to_slot', 'not together with "wallets" and "mints", but for "latest"');
  if (!hasAddresses && since !== undefined)
    throw wrong('since', 'give "wallets" or "mints" with it; of all transactions, give "from_slot"');
  if (blocks !== undefined && metadata === true) throw wrong('metadata', 'give "url" or "transport" with it');
}

function addresses(options: SolanaSourceOptions, name: 'wallets' | 'mints'): readonly string[] {
  const list = options[name];
  if (list === undefined) return [];
  if (!Array.isArray(list) || list.length === 0) throw wrong(name, 'expected a list that is not empty');
  for (const [i, address] of list.entries())
    if (typeof address !== 'string' || fromBase58(address).length !== 32)
      throw wrong(`${name}.${i}`, `expected an address of 32 bytes in base 58, received ${JSON.stringify(address)}`);
  return [...new Set(list)];
}

type WholeOption = 'from_slot' | 'to_slot' | 'since' | 'poll_ms' | 'calls';

function whole(options: SolanaSourceOptions, name: WholeOption, least: number): number | undefined {
  const value = options[name];
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= least))
    return value as number | undefined;
  throw wrong(name, `expected a whole number from ${least}, received ${JSON.stringify(value)}`);
}

function wrong(path: string, message: string): SwapfoldError {
  return new SwapfoldError('invalid-input', `"${path}" of solanaSource: ${message}.`, { details: [{ path, message }] });
}
