import { createHash } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { Node, Notices, Trail } from '@swapfold/chain';
import { type Source, type SourceItem, SwapfoldError } from '@swapfold/core';
import { parsePlaces } from './address-place.ts';
import { Batch } from './batch.ts';
import { Reader } from './block-reader.ts';
import { followAddresses } from './follow-addresses.ts';
import { SlotFollower } from './follow-slots.ts';
import { followStream } from './follow-stream.ts';
import { Metadata } from './metadata.ts';
import { NodeBlocks } from './node-blocks.ts';
import { type Settings, type SolanaSourceOptions, settingsOf } from './options.ts';
import { senderOf } from './send-calls.ts';
import { noneUndecoded, type Undecoded } from './undecoded.ts';

/** A source of the swaps of Solana. */
export interface SolanaSource extends Source {
  /** What touches an exchange and became no swap since the last `read` began, by reason. */
  readonly undecoded: Readonly<Undecoded>;
}

/**
 * Swaps of Solana's exchanges from a node, for `dex.follow`.
 *
 * - A swap is a hop in one pool: `tx_hash` the signature, `swap_index` the place of its instruction, as in the tables of Dune, `block_slot` the
 *   slot, amounts in whole tokens, wrapped SOL and lamports as SOL, `wallet` whose accounts gave and got.
 * - Forks are found by the hashes of parents and rolled back, in the same stream, also if they happened meanwhile the process was down.
 * - A node that fails, limits or lags is asked again, with fewer calls at once; `onNotice` receives it.
 * - Errors: `invalid-input` for wrong options or a node of another chain than the store follows; `source-failed` if the node has none of the
 *   blocks that were read, or not the slot any more.
 *
 * @example
 * const source = solanaSource({ url: 'http://127.0.0.1:8899', from_slot: 250_000_000 });
 * await dex.follow(source, { signal });
 */
export function solanaSource(options: SolanaSourceOptions): SolanaSource {
  const settings = settingsOf(options);
  const undecoded = noneUndecoded();
  return {
    name: options.name ?? nameOf(settings),
    undecoded,
    async *read(after, { signal: given }): AsyncGenerator<SourceItem> {
      const signal = AbortSignal.any([given]);
      // Each call to the node that runs listens to it.
      setMaxListeners(0, signal);
      try {
        Object.assign(undecoded, noneUndecoded());
        yield* await follow(options, settings, { after, signal, undecoded });
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  };
}

interface Reading {
  readonly after: string | null;
  readonly signal: AbortSignal;
  readonly undecoded: Undecoded;
}

/** What the place of blocks that something else reads is of. */
const STREAM = 'solana';

async function follow(
  options: SolanaSourceOptions,
  settings: Settings,
  { after, signal, undecoded }: Reading,
): Promise<AsyncGenerator<SourceItem>> {
  const { commitment, pollMs, wallets, mints, since, calls } = settings;
  const notices = new Notices(settings.onNotice);
  const hasAddresses = wallets.length + mints.length > 0;
  // A wallet's own list is read from the newest to the oldest: what moved a token comes before the swap that makes it known.
  const known = { onlyKnown: !hasAddresses };
  const reader = new Reader(settings);
  if (options.blocks !== undefined) {
    const batch = new Batch(undecoded, undefined, known);
    const from = settings.fromSlot === 'latest' ? 0 : settings.fromSlot;
    const trail = after === null ? Trail.from(STREAM, from) : Trail.parse(after, STREAM);
    const toSlot = settings.toSlot === 'latest' ? undefined : settings.toSlot;
    sayWhere(notices, { trail, toSlot, isAgain: after !== null });
    const open = (slot: number) => options.blocks!(slot, { signal });
    return followStream({ open, reader, batch, trail, toSlot, notices });
  }
  const node = new Node(senderOf(options), { batch: calls, signal, notices });
  const blocks = new NodeBlocks(node, { notices, commitment, signal });
  const batch = new Batch(undecoded, settings.metadata ? new Metadata(blocks) : undefined, known);
  const genesis = await genesisOf(node, blocks);
  if (hasAddresses) {
    const places = after === null ? new Map() : parsePlaces(after);
    const ends = settings.toSlot !== undefined;
    return followAddresses({ blocks, reader, batch, places, wallets, mints, since, ends, pollMs, signal, notices });
  }
  const isLatest = (after === null && settings.fromSlot === 'latest') || settings.toSlot === 'latest';
  const newest = isLatest ? await blocks.newest() : 0;
  const from = settings.fromSlot === 'latest' ? newest : settings.fromSlot;
  const trail = after === null ? Trail.from(genesis, from) : Trail.parse(after, genesis);
  const toSlot = settings.toSlot === 'latest' ? newest : settings.toSlot;
  sayWhere(notices, { trail, toSlot, isAgain: after !== null });
  return new SlotFollower({ blocks, reader, batch, trail, toSlot, pollMs, signal, notices }).items();
}

/** Says where following begins, and that a range lies behind what the store has read. */
function sayWhere(notices: Notices, { trail, toSlot, isAgain }: Where): void {
  if (toSlot === undefined) notices.tell(`Following ${isAgain ? 'goes on' : 'begins'} at slot ${trail.next}.`);
  else if (isAgain && toSlot < trail.next - 1)
    notices.tell(
      `The store has read this source up to slot ${trail.next - 1}: nothing up to slot ${toSlot} is read again. Read an older range into another store, or under another "name".`,
    );
}

interface Where {
  readonly trail: Trail;
  readonly toSlot: number | undefined;
  /** Whether the store has read of the source before. */
  readonly isAgain: boolean;
}

/** The hash of the node's first block, which names its chain. Errors: `source-failed` if the node lets nobody in. */
async function genesisOf(node: Node, blocks: NodeBlocks): Promise<string> {
  const { failure, value } = await node.attempt<string>('getGenesisHash');
  if (failure?.status !== undefined && [401, 403, 404].includes(failure.status))
    throw new SwapfoldError('source-failed', `The node refuses to answer (HTTP ${failure.status}): ${failure.message}`);
  return value ?? blocks.genesis();
}

/** Sources that would give other swaps have other names. */
function nameOf({ wallets, mints }: Settings): string {
  if (wallets.length + mints.length === 0) return 'solana';
  const sum = createHash('sha256')
    .update(JSON.stringify([[...wallets].sort(), [...mints].sort()]))
    .digest('hex');
  return `solana-${sum.slice(0, 12)}`;
}
