/** Gives the ids that come up numbers, from 0. */
export interface Numbers {
  readonly count: number;
  of(id: number): number;
  /** The number of an id, -1 if it has none. */
  find(id: number): number;
  clear(): void;
  /** The same numbers for the same ids, to go on with. */
  copy(): Numbers;
}

/** Numbers for one entity after the other: an array over all ids, of which only those of this round count. */
export class SharedNumbers implements Numbers {
  count = 0;
  #ids = new Int32Array(256);
  #numbers = new Int32Array(1024);
  #rounds = new Int32Array(1024);
  #round = 1;

  of(id: number): number {
    if (id >= this.#numbers.length) {
      const length = 2 ** Math.ceil(Math.log2(id + 1));
      this.#numbers = extended(this.#numbers, length);
      this.#rounds = extended(this.#rounds, length);
    }
    if (this.#rounds[id] !== this.#round) {
      if (this.count === this.#ids.length) this.#ids = extended(this.#ids, this.count * 2);
      this.#ids[this.count] = id;
      this.#rounds[id] = this.#round;
      this.#numbers[id] = this.count++;
    }
    return this.#numbers[id]!;
  }

  find(id: number): number {
    return this.#rounds[id] === this.#round ? this.#numbers[id]! : -1;
  }

  clear(): void {
    this.count = 0;
    this.#round++;
  }

  copy(): Numbers {
    return new OwnNumbers(this.#ids.subarray(0, this.count));
  }
}

/** Numbers of one entity. */
export class OwnNumbers implements Numbers {
  readonly #numbers = new Map<number, number>();

  constructor(ids = new Int32Array()) {
    for (const id of ids) this.of(id);
  }

  get count(): number {
    return this.#numbers.size;
  }

  of(id: number): number {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(id, number);
    }
    return number;
  }

  find(id: number): number {
    return this.#numbers.get(id) ?? -1;
  }

  clear(): void {
    this.#numbers.clear();
  }

  copy(): Numbers {
    return new OwnNumbers(Int32Array.from(this.#numbers.keys()));
  }
}

function extended(array: Int32Array, length: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(length);
  larger.set(array);
  return larger;
}
