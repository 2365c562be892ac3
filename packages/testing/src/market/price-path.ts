import { growth, type Random } from './random.ts';

/** What becomes of a launched token. */
export type Fate = 'rug' | 'fade' | 'pump' | 'survivor';

const LAUNCH_KNOTS = 192;
const LOWEST = 1e-13;

/** A price in USD over time. */
export interface Price {
  at(time: number): number;
}

/** Straight lines between knots, which lie denser at the start where `isWarped`. */
export class PricePath implements Price {
  constructor(
    private readonly from: number,
    private readonly span: number,
    private readonly knots: Float64Array,
    private readonly isWarped: boolean,
  ) {}

  at(time: number): number {
    const part = Math.min(1, Math.max(0, (time - this.from) / this.span));
    const place = (this.isWarped ? Math.sqrt(part) : part) * (this.knots.length - 1);
    const left = Math.min(this.knots.length - 2, Math.floor(place));
    const low = this.knots[left]!;
    return low + (this.knots[left + 1]! - low) * (place - left);
  }

  timeOf(knot: number): number {
    const part = knot / (this.knots.length - 1);
    return Math.ceil(this.from + this.span * (this.isWarped ? part * part : part));
  }
}

/** The path of something that was there before the period: a random walk with rare jumps. */
export function establishedPath(
  random: Random,
  o: { from: number; span: number; start: number; deviation: number },
): PricePath {
  const knots = new Float64Array(512);
  let price = o.start;
  for (let k = 0; k < knots.length; k++) {
    knots[k] = price;
    price *= growth(o.deviation * random.normal());
    if (random.chance(0.004)) price *= random.between(0.85, 1.15);
    price = Math.min(o.start * 8, Math.max(o.start / 8, price));
  }
  return new PricePath(o.from, o.span, knots, false);
}

/** The path of a launched token, and the time at which its pool is drained, if it is. */
export function launchPath(
  random: Random,
  o: { from: number; span: number; start: number; fate: Fate },
): { path: PricePath; rugTime: number } {
  const knots = new Float64Array(LAUNCH_KNOTS);
  const turn = 6 + random.below(110);
  const strength = random.between(0.4, 1.4);
  let price = o.start;
  for (let k = 0; k < knots.length; k++) {
    knots[k] = price;
    price *= growth(driftOf(o.fate, k - turn, strength) + (o.fate === 'survivor' ? 0.06 : 0.12) * random.normal());
    if (random.chance(0.03)) price *= random.chance(0.5) ? random.between(1.2, 2.5) : random.between(0.4, 0.85);
    if (o.fate === 'rug' && k === turn) price *= random.decades(-6, -3);
    price = Math.max(LOWEST, Math.min(o.start * 3000, price));
  }
  const path = new PricePath(o.from, o.span, knots, true);
  return { path, rugTime: o.fate === 'rug' ? path.timeOf(turn) : Infinity };
}

function driftOf(fate: Fate, sinceTurn: number, strength: number): number {
  switch (fate) {
    case 'rug':
      return sinceTurn < 0 ? 0.04 * strength : -0.02;
    case 'fade':
      return -0.025 * strength;
    case 'pump':
      return sinceTurn >= 0 && sinceTurn < 4 ? strength : sinceTurn >= 4 ? -0.03 : 0;
    case 'survivor':
      return 0.012;
    default:
      return fate satisfies never;
  }
}
