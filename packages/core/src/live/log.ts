import { randomUUID } from 'node:crypto';
import { SwapfoldError } from '../errors.ts';
import type { LiveCommit } from './commit.ts';

/** How much of the latest commits a log keeps. */
interface LogBounds {
  readonly commits: number;
  readonly bytes: number;
}

/** Subscriptions that are woken in one round of the event loop. */
const WOKEN = 32;

/**
 * The latest commits of this process, numbered, for subscriptions that read them in order, each at its own pace.
 *
 * An epoch begins with the process, and anew where the log cannot say what has changed: then no earlier place is in it.
 */
export class CommitLog {
  readonly #bounds: LogBounds;
  readonly #commits = new Map<number, LiveCommit>();
  #epoch = newEpoch();
  #first = 0;
  #end = 0;
  #bytes = 0;
  #isClosed = false;
  readonly #watchers = new Set<() => void>();

  constructor(bounds: LogBounds) {
    this.#bounds = bounds;
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** The number that the next commit gets. */
  get end(): number {
    return this.#end;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  push(commit: LiveCommit): void {
    this.#commits.set(this.#end++, commit);
    this.#bytes += commit.bytes;
    while (this.#commits.size > this.#bounds.commits || this.#bytes > this.#bounds.bytes) {
      this.#bytes -= this.#commits.get(this.#first)!.bytes;
      this.#commits.delete(this.#first++);
    }
    this.#wake();
  }

  /** Begins another epoch: what changed is unknown. */
  reset(): void {
    this.#epoch = newEpoch();
    this.#commits.clear();
    this.#bytes = 0;
    this.#first = this.#end = 0;
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The commit of a number of an epoch; `undefined` if it is to come. Errors: `cursor-expired`. */
  at(epoch: string, number: number): LiveCommit | undefined {
    this.#check(epoch, number);
    return this.#commits.get(number);
  }

  /** Whether commits have been dropped, and those from `number` on are among the next half to go. */
  isAging(number: number): boolean {
    return this.#first > 0 && number < (this.#first + this.#end) / 2;
  }

  /** Calls `listen` at each commit, reset and close, until the function that is returned is called. */
  watch(listen: () => void): () => void {
    this.#watchers.add(listen);
    return () => this.#watchers.delete(listen);
  }

  /** Resolves at the next commit, reset or close, or once `wake` is called on what it gives. */
  wait(): { readonly done: Promise<void>; readonly wake: () => void } {
    let wake = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      wake = () => {
        unwatch();
        resolve();
      };
    });
    const unwatch = this.watch(wake);
    return { done, wake };
  }

  /** The cursor after the commits before `number`. */
  cursorAt(epoch: string, number: number): string {
    return `${epoch}.${number}`;
  }

  /** The number of the commit that follows a cursor. Errors: `invalid-cursor`, `cursor-expired`. */
  placeAfter(cursor: string): number {
    const [, epoch, number] = /^([0-9a-f]{12})\.(\d{1,15})$/.exec(cursor) ?? [];
    if (epoch === undefined)
      throw new SwapfoldError('invalid-cursor', '"after" is no cursor of a subscription; subscribe without it.');
    this.#check(epoch, Number(number));
    return Number(number);
  }

  #check(epoch: string, number: number): void {
    if (epoch === this.#epoch && number >= this.#first && number <= this.#end) return;
    throw new SwapfoldError(
      'cursor-expired',
      'The commits that follow the cursor are not kept any more: read the list again, and subscribe without "after".',
    );
  }

  /** Once who told of the commit has done so everywhere; some in each round, so that many subscriptions do not keep requests waiting. */
  #wake(): void {
    const waiting = [...this.#watchers];
    const wakeSome = (): void => {
      for (const wake of waiting.splice(0, WOKEN)) wake();
      if (waiting.length > 0) setImmediate(wakeSome);
    };
    queueMicrotask(wakeSome);
  }
}

const newEpoch = (): string => randomUUID().replaceAll('-', '').slice(0, 12);
