import type { EventLog } from './event-log.ts';
import { TRANSFER } from './trader-rules.ts';
import { addressWord, word, wordCount } from './words.ts';

/** Tokens that an account gave and got, by token, in their smallest units. */
export interface AccountFlows {
  readonly gave: ReadonlyMap<string, bigint>;
  readonly got: ReadonlyMap<string, bigint>;
}

export const noFlows: AccountFlows = { gave: new Map(), got: new Map() };

/** What accounts gave and got by the `Transfer` events of a part of a transaction. */
export class Flows {
  readonly #transfers: readonly EventLog[];
  readonly #known = new Map<string, AccountFlows>();

  constructor(events: readonly EventLog[]) {
    this.#transfers = events.filter(isTransfer);
  }

  /** Of one account. */
  of(account: string): AccountFlows {
    let flows = this.#known.get(account);
    if (flows === undefined) {
      flows = this.#sum(account);
      this.#known.set(account, flows);
    }
    return flows;
  }

  /** What an account gave of a token, less what it got of it. */
  given(account: string, token: string): bigint {
    const { gave, got } = this.of(account);
    return (gave.get(token) ?? 0n) - (got.get(token) ?? 0n);
  }

  /** Accounts that gave or got anything. */
  accounts(): ReadonlySet<string> {
    return new Set(this.#transfers.flatMap(({ topics }) => [addressWord(topics[1]!), addressWord(topics[2]!)]));
  }

  #sum(account: string): AccountFlows {
    const [gave, got] = [new Map<string, bigint>(), new Map<string, bigint>()];
    // An address in a topic ends with it, which is cheaper to see than to read the address.
    const digits = account.slice(2);
    for (const { address, topics, data } of this.#transfers) {
      if (topics[1]!.endsWith(digits)) gave.set(address, (gave.get(address) ?? 0n) + word(data, 0));
      if (topics[2]!.endsWith(digits)) got.set(address, (got.get(address) ?? 0n) + word(data, 0));
    }
    return gave.size === 0 && got.size === 0 ? noFlows : { gave, got };
  }
}

/** Whether a log is a transfer of a token as ERC-20 has it: sender and receiver in topics, the amount in data. */
const isTransfer = ({ topics, data }: EventLog): boolean =>
  topics[0] === TRANSFER && topics.length === 3 && wordCount(data) === 1;
