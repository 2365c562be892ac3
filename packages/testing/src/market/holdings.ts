import { QUOTES } from './tokens.ts';

/** What every wallet holds: quote tokens in a table, other tokens in one short list a wallet. A balance of 0 is not listed. */
export class Holdings {
  private readonly quotes: Float64Array;
  private readonly head: Int32Array;
  private readonly counts: Int32Array;
  private token = new Int32Array(1024);
  private amount = new Float64Array(1024);
  private next = new Int32Array(1024);
  private used = 0;
  private free = -1;

  constructor(wallets: number) {
    this.quotes = new Float64Array(wallets * QUOTES);
    this.head = new Int32Array(wallets).fill(-1);
    this.counts = new Int32Array(wallets);
  }

  /** Number of tokens held beside quote tokens. */
  count(wallet: number): number {
    return this.counts[wallet]!;
  }

  /** The `n`th token held, the latest bought first. */
  nth(wallet: number, n: number): number {
    let entry = this.head[wallet]!;
    for (let i = 0; i < n; i++) entry = this.next[entry]!;
    return this.token[entry]!;
  }

  get(wallet: number, token: number): number {
    if (token < QUOTES) return this.quotes[wallet * QUOTES + token]!;
    const entry = this.find(wallet, token);
    return entry < 0 ? 0 : this.amount[entry]!;
  }

  set(wallet: number, token: number, balance: number): void {
    if (token < QUOTES) {
      this.quotes[wallet * QUOTES + token] = balance;
      return;
    }
    const entry = this.find(wallet, token);
    if (balance <= 0) {
      if (entry >= 0) this.remove(wallet, entry);
    } else if (entry >= 0) {
      this.amount[entry] = balance;
    } else {
      this.insert(wallet, token, balance);
    }
  }

  private find(wallet: number, token: number): number {
    let entry = this.head[wallet]!;
    while (entry >= 0 && this.token[entry] !== token) entry = this.next[entry]!;
    return entry;
  }

  private insert(wallet: number, token: number, balance: number): void {
    let entry = this.free;
    if (entry >= 0) {
      this.free = this.next[entry]!;
    } else {
      entry = this.used++;
      if (entry === this.token.length) this.grow();
    }
    this.token[entry] = token;
    this.amount[entry] = balance;
    this.next[entry] = this.head[wallet]!;
    this.head[wallet] = entry;
    this.counts[wallet]!++;
  }

  private remove(wallet: number, entry: number): void {
    if (this.head[wallet] === entry) {
      this.head[wallet] = this.next[entry]!;
    } else {
      let before = this.head[wallet]!;
      while (this.next[before] !== entry) before = this.next[before]!;
      this.next[before] = this.next[entry]!;
    }
    this.next[entry] = this.free;
    this.free = entry;
    this.counts[wallet]!--;
  }

  private grow(): void {
    const larger = <T extends Int32Array | Float64Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    const length = this.token.length * 2;
    this.token = larger(this.token, new Int32Array(length));
    this.amount = larger(this.amount, new Float64Array(length));
    this.next = larger(this.next, new Int32Array(length));
  }
}
