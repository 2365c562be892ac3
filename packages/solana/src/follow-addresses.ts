import { type Notices, pause } from '@swapfold/chain';
import type { SourceItem } from '@swapfold/core';
import { type AddressPlace, completed, noPlace, toPlace } from './address-place.ts';
import type { Batch } from './batch.ts';
import type { Read, Reader } from './block-reader.ts';
import type { NodeBlocks, Signature } from './node-blocks.ts';
import type { SolanaTransaction } from './raw.ts';
import { noneUndecoded } from './undecoded.ts';

/** Transactions that are stored at once with the place. */
const PIECE = 50;
/** After so many tries for a transaction that the node lists and does not have, each time, the node is asked whether the chain has dropped it. */
const TRIES = 5;
/** Milliseconds between two of them at most. */
const LONGEST_PAUSE = 5000;

interface Following {
  readonly blocks: NodeBlocks;
  readonly reader: Reader;
  readonly batch: Batch;
  readonly places: Map<string, AddressPlace>;
  readonly wallets: readonly string[];
  readonly mints: readonly string[];
  /** Unix seconds; older transactions are not read. */
  readonly since: number | undefined;
  /** Whether it ends once all is read. */
  readonly ends: boolean;
  readonly pollMs: number;
  readonly signal: AbortSignal;
  readonly notices: Notices;
}

/** Follows the transactions of wallets and tokens: of each from the newest one to the oldest, then what is new. */
export async function* followAddresses(of: Following): AsyncGenerator<SourceItem> {
  for (;;) {
    for (const address of [...of.wallets, ...of.mints]) yield* readAddress(of, address);
    if (of.ends) return;
    await pause(of.pollMs, of.signal);
  }
}

async function* readAddress(of: Following, address: string): AsyncGenerator<SourceItem> {
  const { blocks, places, batch, since } = of;
  const { top = null, since: known = 0 } = places.get(address) ?? noPlace;
  const isInPass = top !== null;
  // What the passes before left out is wanted now: read down to it. Swaps that are stored are known.
  if (!isInPass && known > (since ?? 0)) places.set(address, noPlace);
  // A pass that was cut short is taken up; what has come since is the next one.
  for (let pass = 0; pass < (isInPass ? 2 : 1); pass++) {
    let isOver = false;
    while (!isOver) {
      const place = places.get(address) ?? noPlace;
      const page = await blocks.signatures(address, place.before, place.floor);
      const wanted = page.filter(({ blockTime }) => since === undefined || (blockTime ?? since) >= since);
      // A node may give fewer than there are: only an empty page is the last.
      isOver = page.length === 0 || wanted.length < page.length;
      for (let at = 0; at < wanted.length; at += PIECE) {
        const piece = wanted.slice(at, at + PIECE);
        for (const read of await readPiece(of, address, piece)) batch.add(read);
        const { top, ...rest } = places.get(address) ?? noPlace;
        const before = piece.at(-1)!.signature;
        places.set(address, { ...rest, top: top ?? wanted[0]!.signature, before });
        if (!(isOver && at + PIECE >= wanted.length)) yield await batch.take(toPlace(places), true);
      }
    }
    places.set(address, completed(places.get(address) ?? noPlace, since));
    if (!batch.isEmpty) yield await batch.take(toPlace(places), false);
  }
}

/** What some transactions exchanged, in their order; those that failed exchanged nothing. */
async function readPiece(of: Following, address: string, piece: readonly Signature[]): Promise<readonly Read[]> {
  const { blocks, reader } = of;
  const fetched: (SolanaTransaction | null)[] = [];
  const right = piece.filter(({ err }) => err === null);
  for (let at = 0; at < right.length; ) {
    const some = right.slice(at, at + blocks.atOnce);
    fetched.push(...(await Promise.all(some.map((listed) => fetchOne(of, listed)))));
    at += some.length;
  }
  return fetched.map((raw) => {
    if (raw === null) return { rows: [], tokens: [], transfers: [], undecoded: { ...noneUndecoded(), not_found: 1 } };
    const read = reader.transaction(raw);
    const rows = read.rows.filter(({ wallet }) => isWanted(of, address, wallet, read));
    const isOfWallet = of.wallets.includes(address);
    const transfers = read.transfers.filter(({ token, from, to }) =>
      isOfWallet ? from === address || to === address : token === address,
    );
    return { ...read, rows, transfers };
  });
}

/** A transaction that the node lists, once the node has it; `null` of one that the chain has dropped. */
async function fetchOne(
  { blocks, pollMs, signal, notices }: Following,
  listed: Signature,
): Promise<SolanaTransaction | null> {
  for (let tries = 1; ; tries++) {
    const raw = await blocks.transaction(listed.signature);
    // Blocks of the same slots may follow: the place of a transaction is the same then.
    if (raw !== null && typeof raw.blockTime === 'number') {
      if (tries > 1) notices.over('lists', 'The node has the transactions that it lists.');
      return { ...raw, transactionIndex: raw.transactionIndex ?? (await blocks.indexOf(raw)) ?? null };
    }
    // The list of an address often knows the time sooner.
    const blockTime = raw?.blockTime ?? listed.blockTime;
    if (raw !== null && typeof blockTime === 'number') return { ...raw, blockTime };
    if (tries % TRIES === 0 && (await (raw === null ? blocks.isDropped(listed) : blocks.isFinal(raw.slot)))) return raw;
    notices.say(
      'lists',
      'The node lists transactions that it does not have, or not with their time: it is asked again.',
    );
    await pause(Math.min(pollMs * tries, LONGEST_PAUSE), signal);
  }
}

/** Of a wallet its own swaps; of a token all swaps of the wallets that traded it in the transaction. */
function isWanted({ wallets }: Following, address: string, wallet: string, { rows }: Read): boolean {
  if (wallets.includes(address)) return wallet === address;
  return rows.some((row) => row.wallet === wallet && (row.token_in === address || row.token_out === address));
}
