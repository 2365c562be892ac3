import { formatCount, formatElapsed } from '../text/numbers.ts';

/** Counts units of one piece of work against the clock. */
export class Meter {
  count = 0;
  private readonly begun = performance.now();

  constructor(
    readonly label: string,
    readonly unit: string,
  ) {}

  get seconds(): number {
    return (performance.now() - this.begun) / 1000;
  }

  /** `200,000 rows` */
  get counted(): string {
    return `${formatCount(this.count)} ${this.unit}`;
  }

  /** `61,000 rows/s` */
  get rate(): string {
    return `${formatCount(this.count / Math.max(this.seconds, 0.001))} ${this.unit}/s`;
  }

  /** `swaps.csv: 200,000 rows in 3.1 s, 64,000 rows/s` */
  get summary(): string {
    return `${this.label}: ${this.counted} in ${formatElapsed(this.seconds)}, ${this.rate}`;
  }
}
