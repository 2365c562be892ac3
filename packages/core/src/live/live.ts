import { randomUUID } from 'node:crypto';
import type { Kept } from '../cache/kept.ts';
import { SwapfoldError } from '../errors.ts';
import type { Changes } from '../ingest/changes.ts';
import { commitsOf, type LiveCommit } from './commit.ts';
import { type Ask, CommitView } from './view.ts';

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

  get end(): number {
    return this.#end;
  }

  get bytes(): number {
    return this.#bytes;
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

  /** Wakes the watchers after the call that reports the commit has ended: some in each round, so that many subscriptions do not keep requests waiting. */
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

/** Commits whose items are cached: subscriptions that keep up share them. */
const MOST_VIEWS = 8;

/** How long the items of a commit are cached, ms: subscriptions that keep up have read them by then, and a quiet process holds none. */
const KEPT = 250;

/** Commits that the log keeps at most. */
const MOST_COMMITS = 10_000;

/** What subscriptions of a store share. Until the first one it notes nothing. */
export class Live implements Kept {
  readonly log: CommitLog;
  readonly #views = new Map<number, CommitView>();
  #isWatched = false;

  /** `bytes`: what the log may take. */
  constructor(
    readonly ask: Ask,
    bytes: number,
  ) {
    this.log = new CommitLog({ commits: MOST_COMMITS, bytes });
  }

  get isWatched(): boolean {
    return this.#isWatched;
  }

  /** From now on the log has every commit. */
  watch(): void {
    this.#isWatched = true;
  }

  get bytes(): number {
    return this.log.bytes;
  }

  /** Keeps what a write changed. If it may have changed anything, or did not collect what, no cursor from before holds. */
  commit(changes: Changes): void {
    if (!this.#isWatched) return;
    const isUnknown = changes.isEverything && changes.rolledBack === undefined;
    if (changes.isIncomplete || isUnknown) this.log.reset();
    else for (const commit of commitsOf(changes)) this.log.push(commit);
  }

  /** What has changed is unknown: no place in the log is one any more. */
  drop(): void {
    this.log.reset();
    this.#views.clear();
  }

  /** The commit of a number, with its items; `undefined` if it is to come. Errors: `cursor-expired`. */
  view(epoch: string, number: number): CommitView | undefined {
    const commit = this.log.at(epoch, number);
    if (commit === undefined) return undefined;
    const known = this.#views.get(number);
    // Another epoch counts from 0 again.
    if (known?.commit === commit) return known;
    const [before, after] = [this.log.cursorAt(epoch, number), this.log.cursorAt(epoch, number + 1)];
    const view = new CommitView(commit, { before, after }, this.ask);
    this.#views.set(number, view);
    if (this.#views.size > MOST_VIEWS) this.#views.delete(this.#views.keys().next().value!);
    setTimeout(() => {
      if (this.#views.get(number) === view) this.#views.delete(number);
    }, KEPT).unref();
    return view;
  }
}
