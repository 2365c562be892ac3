const FIRST_ROOM = 8;

/**
 * The legs of one token from a time on, oldest first, and the price before them; more legs may follow at any time.
 * `price` is `NaN` unless the leg is a print; `usd` is `NaN` where its value is unknown.
 */
export class RecentLegs {
  length = 0;
  time = new Float64Array(0);
  price = new Float64Array(0);
  usd = new Float64Array(0);
  /** Price of the last print before the legs; `NaN` if there is none. */
  priceBefore: number;
  /** The earliest as-of time that the legs go back far enough for. */
  #asOf: number;

  constructor(asOf: number, priceBefore: number) {
    this.#asOf = asOf;
    this.priceBefore = priceBefore;
  }

  /** Legs that there is room for. */
  get room(): number {
    return this.time.length;
  }

  /** Whether the legs answer for an as-of time: they go back far enough, and none is later. */
  reaches(asOf: number): boolean {
    return this.#asOf <= asOf && (this.length === 0 || this.time[this.length - 1]! <= asOf);
  }

  add(time: number, price: number, usd: number): void {
    if (this.length === this.room) this.#resize(Math.max(FIRST_ROOM, this.length + (this.length >> 1)));
    this.time[this.length] = time;
    this.price[this.length] = price;
    this.usd[this.length++] = usd;
  }

  /** Forgets the legs before a time, which no as-of time from `asOf` on needs, once they are the most. */
  forgetBefore(time: number, asOf: number): void {
    if (!(this.time[this.length >> 1]! < time)) return;
    let count = 0;
    for (; count < this.length && this.time[count]! < time; count++)
      if (!Number.isNaN(this.price[count]!)) this.priceBefore = this.price[count]!;
    for (const column of [this.time, this.price, this.usd]) column.copyWithin(0, count, this.length);
    this.length -= count;
    this.#asOf = asOf;
  }

  #resize(room: number): void {
    const { time, price, usd } = this;
    this.time = new Float64Array(room);
    this.price = new Float64Array(room);
    this.usd = new Float64Array(room);
    this.time.set(time);
    this.price.set(price);
    this.usd.set(usd);
  }
}
