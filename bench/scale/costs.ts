/** What a store of one size costs. */
export interface Costs {
  readonly swaps: number;
  /** Profiles of wallets and tokens. */
  readonly profiles: number;
  /** Processor time of a swap's ingest, microseconds. */
  readonly ingest: number;
  /** Processor time of a profile's first refresh, microseconds. */
  readonly refresh: number;
  /** Processor time of 1,000 new swaps, ingested and refreshed, milliseconds. */
  readonly block: number;
  /** Processor time of a question, milliseconds, by its kind. */
  readonly questions: Readonly<Record<string, number>>;
  /** Bytes on disk of a swap, with all that is folded of it. */
  readonly swapBytes: number;
  /** Bytes on disk of a profile. */
  readonly profileBytes: number;
}

/** What a store of a size that was not measured needs. */
export interface Needs {
  readonly swaps: number;
  /** Bytes on disk, before replicas. */
  readonly disk: number;
  /** Hours of one core for the import and the first refresh. */
  readonly hours: number;
  /** Milliseconds of one core: 1,000 new swaps, and the dearest question. */
  readonly block: number;
  readonly question: number;
}

/**
 * What measured sizes say of another one.
 *
 * - A cost of a swap, a block or a question is a line over the logarithm of the size, by least squares, and never falls: merges rewrite
 *   each row once for every so many times that the store grows, and an index gets a level.
 * - Bytes and the refresh of a profile are those of the largest size; profiles grow with the swaps.
 */
export function extrapolate(measured: readonly Costs[], swaps: number): Needs {
  const largest = measured.reduce((a, b) => (b.swaps > a.swaps ? b : a));
  const profiles = (largest.profiles / largest.swaps) * swaps;
  const at = (cost: (costs: Costs) => number): number => lineAt(measured, cost, swaps);
  return {
    swaps,
    disk: largest.swapBytes * swaps + largest.profileBytes * profiles,
    hours: (at(({ ingest }) => ingest) * swaps + largest.refresh * profiles) / 3.6e9,
    block: at(({ block }) => block),
    question: Math.max(...Object.keys(largest.questions).map((kind) => at(({ questions }) => questions[kind]!))),
  };
}

function lineAt(measured: readonly Costs[], cost: (costs: Costs) => number, swaps: number): number {
  const points = measured.map((costs) => [Math.log10(costs.swaps), cost(costs)] as const);
  const mean = (place: 0 | 1): number => points.reduce((sum, point) => sum + point[place], 0) / points.length;
  const [x, y] = [mean(0), mean(1)];
  const spread = points.reduce((sum, [size]) => sum + (size - x) ** 2, 0);
  const slope = spread === 0 ? 0 : points.reduce((sum, [size, value]) => sum + (size - x) * (value - y), 0) / spread;
  return y + Math.max(0, slope) * (Math.log10(swaps) - x);
}
