/**
 * A sum of doubles without rounding, of which `value` is rounded once: what it is depends on the terms alone, not on their order, nor on
 * what was added and taken back before (Shewchuk's expansions, as `math.fsum` of Python has them).
 */
export class ExactSum {
  #parts: number[] = [];

  clear(): void {
    this.#parts = [];
  }

  add(value: number): void {
    const parts = this.#parts;
    let [x, length] = [value, 0];
    for (let i = 0; i < parts.length; i++) {
      let y = parts[i]!;
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) parts[length++] = low;
      x = high;
    }
    parts.length = length;
    parts.push(x);
  }

  get value(): number {
    const parts = this.#parts;
    let i = parts.length - 1;
    if (i < 0) return 0;
    let [high, low] = [parts[i]!, 0];
    while (i > 0) {
      const x = high;
      const y = parts[--i]!;
      high = x + y;
      low = y - (high - x);
      if (low !== 0) break;
    }
    // Half-way cases are rounded by what is left.
    if (i > 0 && ((low < 0 && parts[i - 1]! < 0) || (low > 0 && parts[i - 1]! > 0))) {
      const y = low * 2;
      const x = high + y;
      if (y === x - high) return x;
    }
    return high;
  }
}
