import { Addresses } from './rate.ts';

/** How much later the answer to a wrong key is sent whose address has sent many, ms. */
const DELAY = 1000;

/** Seconds after which an address that sends no more wrong keys has all of them again. */
const FORGOTTEN = 60;

/** Answers that wait; beyond them a wrong key is answered at once, and its connection closed. */
const MOST_WAITING = 256;

/** Addresses that are remembered: those that sent wrong keys last. */
const ADDRESSES = 10_000;

/** What becomes of the answer to a wrong key. */
export interface WrongKeyAnswer {
  /** Whether the address has sent more than it may without being slowed. */
  readonly isMany: boolean;
  /** Whether the connection closes after it. */
  readonly isLast: boolean;
}

/**
 * Wrong keys, counted by address. Right keys are never slowed, whatever their address has sent: a key is looked up first.
 *
 * What one costs is bounded: a place in a map of as many addresses as are remembered, and a timer of as many as may wait.
 */
export class WrongKeys {
  readonly #addresses: Addresses;
  readonly #mostWaiting: number;
  #waiting = 0;
  /** All of them. */
  count = 0;

  /** `atOnce`: wrong keys that one address may send in a minute before their answers come late. */
  constructor(atOnce: number, mostWaiting = MOST_WAITING) {
    this.#addresses = new Addresses({ perSecond: atOnce / FORGOTTEN, burst: atOnce }, ADDRESSES);
    this.#mostWaiting = mostWaiting;
  }

  /** Counts one, and calls `answer` when it is to be answered. */
  take(address: string, answer: (how: WrongKeyAnswer) => void): void {
    this.count++;
    const isMany = this.#addresses.of(address).bucket!.take(performance.now() / 1000) > 0;
    if (!isMany || this.#waiting >= this.#mostWaiting) {
      answer({ isMany, isLast: isMany });
      return;
    }
    this.#waiting++;
    setTimeout(() => {
      this.#waiting--;
      answer({ isMany, isLast: false });
    }, DELAY);
  }
}
