/** Something that is due at a time of its own, Unix seconds. */
export interface Due {
  readonly time: number;
}

/** What is due, the earliest first; of one time, what was added first. A binary heap. */
export class DueQueue<T extends Due> {
  readonly #heap: { readonly item: T; readonly order: number }[] = [];
  #added = 0;

  add(item: T): void {
    const heap = this.#heap;
    const entry = { item, order: this.#added++ };
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!isBefore(entry, heap[above]!)) break;
      heap[at] = heap[above]!;
      at = above;
    }
    heap[at] = entry;
  }

  /** Time of the earliest, or `Infinity`. */
  get next(): number {
    return this.#heap[0]?.item.time ?? Infinity;
  }

  /** Takes the earliest out. The queue must not be empty. */
  take(): T {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop()!;
    if (heap.length > 0) {
      let at = 0;
      for (;;) {
        const left = 2 * at + 1;
        if (left >= heap.length) break;
        const below = left + 1 < heap.length && isBefore(heap[left + 1]!, heap[left]!) ? left + 1 : left;
        if (!isBefore(heap[below]!, last)) break;
        heap[at] = heap[below]!;
        at = below;
      }
      heap[at] = last;
    }
    return first!.item;
  }
}

interface Entry {
  readonly item: Due;
  readonly order: number;
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.item.time < b.item.time || (a.item.time === b.item.time && a.order < b.order);
}
