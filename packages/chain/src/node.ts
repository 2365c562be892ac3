import type { NodeFailure } from './node-errors.ts';
import type { Notices } from './notices.ts';
import { pause } from './pause.ts';

/** One call of JSON-RPC. `read` makes a value of the bytes of its result; if it gives `undefined`, or the transport has no bytes, the value is the result itself. */
export type Call = readonly [method: string, params: readonly unknown[], read?: (json: Buffer) => unknown];

/** An answer, or a failure that means something to the one who asked. */
export type Outcome<T> =
  | { readonly value: T; readonly failure?: undefined }
  | { readonly failure: NodeFailure; readonly value?: undefined };

/** Sends calls to the node in one message, or each alone, and gives what became of each. It throws nothing. */
export type SendCalls = (calls: readonly Call[], signal: AbortSignal) => Promise<readonly Outcome<unknown>[]>;

/** Waits between tries, in milliseconds: doubled up to the longest. */
const FIRST_WAIT = 200;
const LONGEST_WAIT = 30_000;

/** Milliseconds without an answer after which that is said. */
const SILENCE = 8000;

/** Calls answered in a row before a batch is tried that was too large. */
const TRUST = 200;

/** Kinds of failures that a later try may mend without the caller. */
const isPassing = ({ kind }: NodeFailure): boolean =>
  kind === 'rate-limited' || kind === 'timeout' || kind === 'unavailable';

/** A node of a chain, asked in batches, again and again until it answers. */
export class Node {
  readonly #sendCalls: SendCalls;
  readonly #signal: AbortSignal;
  readonly #notices: Notices;
  readonly #largest: number;
  /** Calls that the node takes in one message, as far as is known. */
  #limit: number;
  /** Calls that the next message has at most: fewer after a failure, soon as many again. */
  #size: number;
  #answered = 0;

  constructor(send: SendCalls, of: { batch: number; signal: AbortSignal; notices: Notices }) {
    this.#sendCalls = send;
    this.#signal = of.signal;
    this.#notices = of.notices;
    this.#largest = of.batch;
    this.#limit = of.batch;
    this.#size = of.batch;
  }

  /** Calls that the node takes at once, as far as is known: fewer after a failure, soon as many again. */
  get size(): number {
    return this.#size;
  }

  /** The answer of one call. Errors: a `NodeFailure` that no later try mends. */
  async call<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const [outcome] = await this.ask<T>([[method, params]]);
    if (outcome!.failure !== undefined) throw outcome!.failure;
    return outcome!.value;
  }

  /** The answers of calls, of which none may fail. */
  async all<T>(calls: readonly Call[]): Promise<T[]> {
    return (await this.ask<T>(calls)).map((outcome) => {
      if (outcome.failure !== undefined) throw outcome.failure;
      return outcome.value;
    });
  }

  /**
   * Sends calls in batches and repeats what failed in passing.
   *
   * - `isFinal`: failures in passing that the caller looks at itself.
   * - Errors: that of the signal.
   */
  async ask<T>(
    calls: readonly Call[],
    isFinal: (failure: NodeFailure) => boolean = () => false,
  ): Promise<Outcome<T>[]> {
    const outcomes = new Array<Outcome<T>>(calls.length);
    let open = calls.map((_, i) => i);
    let wait = FIRST_WAIT;
    while (open.length > 0) {
      const now = open.slice(0, this.#size);
      const answers = await this.#send<T>(now.map((i) => calls[i]!));
      const again: number[] = [];
      // Of a list of which no call was answered, nobody knows what the node refused: its calls, or so many of them.
      const isRefused = now.length > 1 && answers.every(({ failure }) => failure !== undefined && isPassing(failure));
      let longest: NodeFailure | undefined;
      for (const [n, i] of now.entries()) {
        const outcome = answers[n]!;
        const { failure } = outcome;
        const isTooLong = failure?.kind === 'too-much' && now.length > 1;
        const isOpen = failure !== undefined && ((isPassing(failure) && (isRefused || !isFinal(failure))) || isTooLong);
        if (!isOpen) outcomes[i] = outcome;
        else {
          again.push(i);
          longest ??= failure;
        }
      }
      open = [...again, ...open.slice(now.length)];
      if (longest === undefined) {
        this.#grow(now.length);
        wait = FIRST_WAIT;
        continue;
      }
      this.#size = Math.max(1, Math.floor(now.length / 2));
      this.#answered = 0;
      if (longest.kind === 'too-much') {
        this.#limit = this.#size;
        continue;
      }
      // The caller waits itself: contracts that fail by design, one list after the other, cost no time here.
      if (isRefused && isFinal(longest)) continue;
      this.#notices.say('node', `The node does not answer: ${longest.message}`);
      await pause(Math.max(wait, longest.retryAfter ?? 0), this.#signal);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
    return outcomes;
  }

  /** Waits. Errors: that of the signal. */
  async pause(millis: number): Promise<void> {
    await pause(millis, this.#signal);
  }

  /** One try of one call, without any repetition. */
  async attempt<T>(method: string, ...params: readonly unknown[]): Promise<Outcome<T>> {
    return (await this.#send<T>([[method, params]]))[0]!;
  }

  async #send<T>(calls: readonly Call[]): Promise<readonly Outcome<T>[]> {
    this.#signal.throwIfAborted();
    const silent = setTimeout(() => {
      this.#notices.say(
        'node',
        `The node has taken a call of ${calls[0]![0]} and has not answered for ${SILENCE / 1000} seconds.`,
      );
    }, SILENCE);
    silent.unref();
    try {
      const outcomes = await this.#sendCalls(calls, this.#signal);
      this.#signal.throwIfAborted();
      return outcomes as readonly Outcome<T>[];
    } finally {
      clearTimeout(silent);
    }
  }

  #grow(calls: number): void {
    this.#notices.over('node', 'The node answers again.');
    this.#answered += calls;
    if (this.#answered >= TRUST) {
      this.#limit = Math.min(this.#largest, 2 * this.#limit);
      this.#answered = 0;
    }
    this.#size = Math.min(this.#limit, 2 * this.#size);
  }
}
