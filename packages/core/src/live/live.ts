import type { CommitObserver } from '../cache/query-cache.ts';
import type { Changes } from '../ingest/changes.ts';
import { commitsOf } from './commit.ts';
import { CommitLog } from './log.ts';
import { type Ask, CommitView } from './view.ts';

/** Commits whose items are cached: subscriptions that keep up share them. */
const MOST_VIEWS = 8;

/**
 * How long the items of a commit are cached, ms: subscriptions that keep up have read them by then, and garbage that never was in the old
 * generation costs next to nothing.
 */
const KEPT = 250;

/** Commits that the log keeps at most. */
const MOST_COMMITS = 10_000;

/** What subscriptions of a store share. Until the first one it notes nothing. */
export class Live implements CommitObserver {
  readonly ask: Ask;
  readonly log: CommitLog;
  readonly #views = new Map<number, CommitView>();
  readonly #observers: Set<CommitObserver>;

  /** `bytes`: what the log may take; `observers`: what receives commits. */
  constructor(ask: Ask, bytes: number, observers: Set<CommitObserver>) {
    this.ask = ask;
    this.#observers = observers;
    this.log = new CommitLog({ commits: MOST_COMMITS, bytes });
  }

  /** Whether there has been a subscription. */
  get isWatched(): boolean {
    return this.#observers.has(this);
  }

  /** From now on the log has every commit. */
  watch(): void {
    this.#observers.add(this);
  }

  /** A write is durable. */
  commit(changes: Changes): void {
    const isUnknown = changes.isEverything && changes.rolledBack === undefined;
    if (changes.isIncomplete || isUnknown) this.log.reset();
    else for (const commit of commitsOf(changes)) this.log.push(commit);
  }

  /** What has changed is unknown: another process has written, or a commit failed. */
  reset(): void {
    this.log.reset();
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
