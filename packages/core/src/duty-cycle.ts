/** The part of the time that work takes which has to be done again and again. */
const PART = 0.1;

/** Work in the background that may have to be done again at any time, but is not done all the time. */
export class DutyCycle {
  /** When it may begin again, on the clock of `performance.now`. */
  #next = 0;

  /** Whether it may begin: not while it runs, nor until it has rested for nine times as long as it ran. */
  get isDue(): boolean {
    return performance.now() >= this.#next;
  }

  async run(work: () => Promise<void>): Promise<void> {
    const begin = performance.now();
    this.#next = Number.POSITIVE_INFINITY;
    try {
      await work();
    } finally {
      const end = performance.now();
      this.#next = end + (end - begin) * (1 / PART - 1);
    }
  }
}
