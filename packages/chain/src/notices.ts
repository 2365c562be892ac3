/** Says what happens to a source, each state once: when it begins, and when it is over. */
export class Notices {
  readonly #listen: (message: string) => void;
  readonly #open = new Set<string>();

  constructor(listen: (message: string) => void) {
    this.#listen = listen;
  }

  /** Says what happened. */
  tell(message: string): void {
    this.#listen(message);
  }

  /** Says that a state has begun, unless it is known. */
  say(state: string, message: string): void {
    if (this.#open.has(state)) return;
    this.#open.add(state);
    this.#listen(message);
  }

  /** Says that a state is over, if it was said to have begun. */
  over(state: string, message: string): void {
    if (this.#open.delete(state)) this.#listen(message);
  }
}
