import { scale } from '@swapfold/chain';
import type { Blocks, Wanted } from './blocks.ts';
import type { Log } from './event-kinds.ts';
import type { Logs } from './logs.ts';
import type { TransferRow } from './rows.ts';
import type { Tokens } from './tokens.ts';
import { TRANSFER } from './trader-rules.ts';
import { addressWord, isGiven, numberOf, word, wordCount } from './words.ts';

/** Tokens that one question names. */
const MOST = 500;

interface Parts {
  readonly blocks: Blocks;
  readonly tokens: Tokens;
  /** The tokens of the pools that are followed, as far as they are known. */
  readonly followed: () => ReadonlySet<string>;
  /** Logs of tokens, by their topic. */
  readonly logsOf: (address: readonly string[], topic: string) => Logs;
}

/** Reads `Transfer` logs of the tokens of followed pools. */
export class TokenTransfers {
  readonly #parts: Parts;
  #groups: { readonly tokens: readonly string[]; readonly logs: Logs }[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The transfers that `read` gets by the logs of some tokens. */
  async read(read: (logs: Logs) => Promise<readonly Log[]>): Promise<readonly TransferRow[]> {
    const found = await Promise.all(this.#grouped().map(({ logs }) => read(logs)));
    return this.#rows(found.flat());
  }

  /** Tokens in groups as large as a question, in the order in which they came to be known. */
  #grouped(): readonly { readonly logs: Logs }[] {
    const all = [...this.#parts.followed()];
    for (let i = 0; i * MOST < all.length; i++) {
      const tokens = all.slice(i * MOST, (i + 1) * MOST);
      if (this.#groups[i]?.tokens.length !== tokens.length)
        this.#groups[i] = { tokens, logs: this.#parts.logsOf(tokens, TRANSFER) };
    }
    return this.#groups;
  }

  async #rows(logs: readonly Log[]): Promise<readonly TransferRow[]> {
    const { blocks, tokens } = this.#parts;
    // A log of an NFT has a topic more.
    const sound = logs.filter(({ topics, data }) => topics.length === 3 && wordCount(data) === 1);
    const { times } = await blocks.facts(wantedBlocks(sound), 'times');
    return sound.flatMap((log): TransferRow[] => {
      const token = log.address.toLowerCase();
      const decimals = tokens.get(token)?.decimals;
      if (decimals === undefined) return [];
      return [
        {
          tx_hash: log.transactionHash,
          transfer_index: numberOf(log.logIndex),
          block_time: isGiven(log.blockTimestamp) ? numberOf(log.blockTimestamp) : times.get(log.blockHash)!,
          block_slot: numberOf(log.blockNumber),
          tx_index: numberOf(log.transactionIndex),
          token,
          token_amount: scale(word(log.data, 0), decimals),
          from: addressWord(log.topics[1]!),
          to: addressWord(log.topics[2]!),
        },
      ];
    });
  }
}

/** Blocks whose time no log says. */
function wantedBlocks(logs: readonly Log[]): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { blockHash: hash, blockNumber, blockTimestamp } of logs)
    if (!isGiven(blockTimestamp))
      wanted.set(hash, { number: numberOf(blockNumber), hash, hasTime: false, transactions: new Map(), swaps: 0 });
  return [...wanted.values()];
}
