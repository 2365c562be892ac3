/**
 * Seeded random numbers (sfc32). Only integer operations, + - * / and Math.sqrt, whose results are the same on every machine;
 * Math.exp, log, pow and sin differ in their last bits from one engine version to the next.
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  /** `stream` separates the draws of parts that share a seed. */
  constructor(seed: number, stream: number) {
    this.a = seed | 0;
    this.b = Math.floor(seed / 2 ** 32) | 0;
    this.c = Math.imul(stream, 0x9e3779b1) | 0;
    for (let i = 0; i < 16; i++) this.bits();
  }

  /** 32 random bits, unsigned. */
  bits(): number {
    const sum = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = ((this.c << 21) | (this.c >>> 11)) + sum;
    this.c |= 0;
    return sum >>> 0;
  }

  /** Uniform in (0, 1): never 0, so that it may stand under a fraction. */
  unit(): number {
    return (this.bits() + 0.5) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.unit();
  }

  /** A whole number from 0 to n - 1. */
  below(n: number): number {
    return Math.floor(this.unit() * n);
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }

  /** Mean 0, deviation 1, bell-shaped within +-3.46: four uniforms. */
  normal(): number {
    return (this.unit() + this.unit() + this.unit() + this.unit() - 2) * 1.7320508075688772;
  }

  /** Heavy-tailed, at least 1, capped: Pareto with exponent 4/3. */
  pareto(cap: number): number {
    const root = Math.sqrt(this.unit());
    return Math.min(cap, 1 / (root * Math.sqrt(root)));
  }

  /** Spread evenly over the decades from 10^low to 10^high, as a mantissa times a power. */
  decades(low: number, high: number): number {
    return this.between(1, 10) * Number(`1e${low + this.below(high - low)}`);
  }
}

/** A factor near exp(x), positive for every x: the Pade approximant, which needs no more than * and /. */
export function growth(x: number): number {
  return (12 + 6 * x + x * x) / (12 - 6 * x + x * x);
}

/** Draws indices in proportion to weights, each in constant time (Vose's alias method). */
export class WeightedChoice {
  private readonly threshold: Float64Array;
  private readonly alias: Int32Array;

  constructor(weights: ArrayLike<number>) {
    const n = weights.length;
    this.threshold = new Float64Array(n).fill(1);
    this.alias = new Int32Array(n);
    let sum = 0;
    for (let i = 0; i < n; i++) sum += weights[i]!;
    const scaled = new Float64Array(n);
    // Two stacks in one array: the light ones grow from its start, the heavy ones from its end.
    const stack = new Int32Array(n);
    let light = 0;
    let heavy = n;
    for (let i = 0; i < n; i++) {
      scaled[i] = (weights[i]! * n) / sum;
      stack[scaled[i]! < 1 ? light++ : --heavy] = i;
    }
    while (light > 0 && heavy < n) {
      const low = stack[--light]!;
      const high = stack[heavy]!;
      this.threshold[low] = scaled[low]!;
      this.alias[low] = high;
      scaled[high] = scaled[high]! + scaled[low]! - 1;
      if (scaled[high]! < 1) {
        heavy++;
        stack[light++] = high;
      }
    }
  }

  draw(random: Random): number {
    const place = random.unit() * this.threshold.length;
    const slot = Math.floor(place);
    return place - slot < this.threshold[slot]! ? slot : this.alias[slot]!;
  }
}

const base58 = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 'latin1');
const scratch = Buffer.alloc(96);

/** Random base58 characters: shaped like an address or a transaction hash, and no encoding of anything. */
export function base58Text(random: Random, length: number): string {
  for (let i = 0; i < length; ) {
    let bits = random.bits();
    for (let k = 0; k < 5 && i < length; k++, i++) {
      const rest = (bits / 58) >>> 0;
      scratch[i] = base58[bits - rest * 58]!;
      bits = rest;
    }
  }
  return scratch.toString('latin1', 0, length);
}

export function addressText(random: Random): string {
  const u = random.unit();
  return base58Text(random, u < 0.75 ? 44 : u < 0.99 ? 43 : 32 + random.below(11));
}
