import type { Kept } from '../../cache/kept.ts';
import type { Changes } from '../../ingest/changes.ts';
import { ingestBytes } from '../../ingest/transactions.ts';
import type { Writer } from '../../storage/adapter.ts';
import type { Remembered } from './remembered.ts';

interface Begun {
  /** Absent for a transaction that began beside the writes. */
  readonly number: number | undefined;
  /** What the process remembers after it. */
  readonly next: () => Partial<Remembered>;
}

/** What the process remembers of the last committed state of the store, which the next write goes on from. */
export class StoreState implements Kept {
  /** Set before the first write. */
  remembered!: Remembered;
  registryChanges = 0;
  /** A write reads it anew by itself, and so does a question. */
  readonly outlastsOthers = true;
  /** Writes begun, and the last one whose commit is known: where they differ, what is remembered is read again. */
  #begun = 1;
  #settled = 0;
  readonly #writes = new Map<Changes, Begun>();
  readonly #suspect: () => void;

  /** `suspect`: has the next question read the state of the store. */
  constructor(suspect: () => void) {
    this.#suspect = suspect;
  }

  get bytes(): number {
    return ingestBytes(this.remembered.ingest);
  }

  /** Writes so far. */
  get begun(): number {
    return this.#begun;
  }

  /** Whether the next write can go on from what is remembered. */
  get isSettled(): boolean {
    return this.#settled === this.#begun;
  }

  /** Nothing has been written since it was read. */
  markRead(): void {
    this.#settled = this.#begun;
  }

  begin(changes: Changes, writer: Writer): Writer {
    this.#writes.set(changes, { number: ++this.#begun, next: () => ({}) });
    return writer;
  }

  /** `next`: what the process remembers once the write is committed, called then. */
  expect(changes: Changes, next: () => Partial<Remembered>): void {
    this.#writes.set(changes, { number: this.#writes.get(changes)?.number, next });
  }

  commit(changes: Changes): void {
    const write = this.#writes.get(changes);
    this.#writes.delete(changes);
    if (write === undefined) return;
    const isLast = write.number === this.#begun;
    // One that began since has read for itself what this one left.
    if (isLast || write.number === undefined) this.remembered = { ...this.remembered, ...write.next() };
    // Other texts have other ids, from which the next write is to go on.
    if (isLast && changes.isReplacing !== true) this.#settled = this.#begun;
    if (changes.hasRegistryChanged) this.registryChanges++;
  }

  fail(changes: Changes): void {
    this.#writes.delete(changes);
  }

  drop(): void {
    this.#settled = Number.NaN;
    this.registryChanges++;
    this.#suspect();
  }
}
