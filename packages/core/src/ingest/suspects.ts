import { PrintJudge } from '../ledger/judge.ts';
import type { Swaps } from '../ledger/value.ts';
import type { TokenVotes } from '../ledger/votes.ts';
import { distinctIds } from '../records/key-index.ts';
import { votePair } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { addPoolRows, type PoolRow, writePools } from './vote-pools.ts';
import { loadPools, loadVotes, type PoolOf } from './vote-state.ts';

/** What the votes of a token take without other pools than its first, and those of a pool, about. */
const [TOKEN_BYTES, POOL_BYTES] = [2000, 700];
/** Pools of one token that are kept. */
const MOST_POOLS = 200_000;

/** The votes of tokens behind all that is stored, as far as this process has seen them. */
export class RecentVotes {
  /** The pools whose votes changed since they were written, by token. */
  readonly #changed = new Map<number, Set<number>>();
  readonly judge = new PrintJudge((token, pool) => {
    const pools = this.#changed.get(token);
    if (pools === undefined) this.#changed.set(token, new Set([pool]));
    else pools.add(pool);
  });
  /** Tokens of which every pool with a vote is known. */
  readonly #whole = new Set<number>();
  /** Bytes that tokens may take between batches. */
  readonly #most: number;

  constructor(most = Number.POSITIVE_INFINITY) {
    this.#most = most;
  }

  get bytes(): number {
    let bytes = 0;
    for (const votes of this.judge.tokens().values()) bytes += bytesOf(votes);
    return bytes;
  }

  forget(token: number): void {
    this.judge.forget(token);
    this.#whole.delete(token);
  }

  /** Forgets all tokens: their prints were derived again. */
  clear(): void {
    this.judge.clear();
    this.#whole.clear();
  }

  /** Makes the judge know what the prints of these swaps, which come after all that is stored, are compared with. */
  async prepare(writer: Writer, { columns: c, length }: Swaps, horizon: number): Promise<void> {
    const tokens = distinctIds(c.token_in, c.token_out);
    this.#makeRoom(tokens);
    const unknown = tokens.filter((token) => this.judge.votesOf(token) === undefined);
    for (const [token, votes] of await loadVotes(writer, unknown, { horizon })) {
      this.judge.put(token, votes);
      if (votes.first === undefined) this.#whole.add(token);
    }
    if (tokens.every((token) => this.#whole.has(token))) return;
    const wanted = new Map<number, PoolOf>();
    for (let row = 0; row < length; row++)
      for (const token of [c.token_in[row]!, c.token_out[row]!]) {
        const pool = c.pool[row]!;
        const votes = this.judge.votesOf(token)!;
        if (this.#whole.has(token) || votes.first?.pool === pool || votes.pools.has(pool)) continue;
        wanted.set(votePair(token, pool), { token, pool, votes });
      }
    await loadPools(writer, [...wanted.values()], { horizon });
  }

  /** Stores what the votes that were judged since changed of pools. */
  async write(writer: Writer): Promise<void> {
    const rows = new Map<number, PoolRow>();
    for (const [token, pools] of this.#changed) addPoolRows(rows, token, this.judge.votesOf(token)!, pools);
    this.#changed.clear();
    await writePools(writer, rows);
    this.#trim();
  }

  /** Keeps the tokens of a batch and, as far as there is room, the last ones before them. */
  #makeRoom(tokens: Int32Array): void {
    const known = this.judge.tokens();
    for (const token of tokens) {
      const votes = known.get(token);
      if (votes === undefined) continue;
      this.judge.forget(token);
      this.judge.put(token, votes);
      if (votes.pools.size <= MOST_POOLS) continue;
      votes.pools.clear();
      this.#whole.delete(token);
    }
    this.#trim();
  }

  /** Forgets the tokens that were seen longest ago, if all take too much. */
  #trim(): void {
    const known = this.judge.tokens();
    let { bytes } = this;
    for (const [token, votes] of known) {
      if (bytes <= this.#most) break;
      bytes -= bytesOf(votes);
      this.forget(token);
    }
  }
}

function bytesOf({ pools }: TokenVotes): number {
  return TOKEN_BYTES + pools.size * POOL_BYTES;
}

/** Prints by token and place in chain order. */
export interface Places {
  readonly token: readonly number[];
  readonly seq: readonly number[];
}
