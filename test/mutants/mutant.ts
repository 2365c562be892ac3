/** Tests that run in seconds, by name: those that must notice a mutant. */
export const detectors = {
  boundaries: ['test/boundaries.test.ts'],
  golden: ['test/golden.test.ts', '--test-name-pattern=frozen market has'],
  examples: ['packages/core/test/metric-examples.test.ts'],
  explain: [
    'test/explain.test.ts',
    '--test-name-pattern=says from|no sum|equal results|exactly at|left behind|earlier instant|own metrics|walk of|late swap|quote tokens|all pages of|beside another|asked again|fold is for|to the bit|the registry says',
  ],
  series: ['packages/core/test/series.test.ts'],
  laws: ['packages/core/test/laws.test.ts'],
  'netting laws': ['packages/core/test/netting-laws.test.ts'],
  'partial-sums': ['packages/core/test/partial-sums.test.ts'],
  'position laws': ['packages/core/test/position-laws.test.ts'],
  'comings and goings': ['test/comings-and-goings.test.ts', '--test-name-pattern=^memory'],
  'independent ledger': ['test/ledger-oracle.test.ts', '--test-name-pattern=^sqlite'],
  record: ['test/record.test.ts', '--test-name-pattern=^memory|unknown, not 0'],
  positions: ['packages/core/test/position-profiles.test.ts'],
  histories: ['test/histories.test.ts', '--test-name-pattern=sold twice'],
  'position answers': ['test/positions.test.ts'],
  refresh: ['packages/core/test/refresh-laws.test.ts', '--test-name-pattern=seed 1|turned over'],
  'as of': ['test/as-of.test.ts', '--test-name-pattern=^memory'],
  reorganisations: ['test/reorganisations.test.ts', '--test-name-pattern=memory, scope'],
  filter: ['packages/core/test/filter.test.ts'],
  search: ['packages/core/test/search.test.ts'],
  order: ['test/order.test.ts', '--test-name-pattern=^memory'],
  'time order': ['test/time-order.test.ts', '--test-name-pattern=^a batch|^rows that|^a stream|^an import'],
  'process memory': ['packages/core/test/process-memory.test.ts'],
  'after a commit': ['packages/core/test/after-commit.test.ts', '--test-name-pattern=^memory'],
  budget: ['packages/core/test/budget.test.ts'],
  'profile cache': ['packages/core/test/profile-cache.test.ts'],
  'pooled columns': ['packages/core/test/pooled-columns.test.ts'],
  'cache races': ['packages/core/test/cache-races.test.ts'],
  launches: ['test/launches.test.ts'],
  insiders: ['test/launch-insiders.test.ts'],
  worth: ['test/worth.test.ts', '--test-name-pattern=^memory'],
  'native votes': ['packages/core/test/native-votes.test.ts'],
  'native price': ['test/native-price.test.ts'],
  votes: ['packages/core/test/votes.test.ts'],
  voices: ['packages/core/test/voice.test.ts'],
  attacks: ['test/mark-attacks.test.ts'],
  'wash shares': ['test/wash-shares.test.ts'],
  'round trips': ['packages/core/test/round-trips.test.ts'],
  'judged prices': ['test/judged-prices.test.ts', '--test-name-pattern=^memory'],
  'moving marks': ['test/moving-marks.test.ts', '--test-name-pattern=^memory|search by what|labels of'],
  marks: ['test/marks.test.ts', '--test-name-pattern=^memory.*(names its mark|suspect prints alone)'],
  pools: ['test/pools.test.ts', '--test-name-pattern=^memory'],
  'pools of an EVM chain': ['test/pools.test.ts', '--test-name-pattern=whatever its case'],
  'cached answers': ['test/query-cache.test.ts', '--test-name-pattern=memory: nothing'],
  'cached profiles': ['test/profile-cache.test.ts', '--test-name-pattern=memory: answers'],
  horizon: ['test/horizon.test.ts', '--test-name-pattern=^memory: within'],
  'horizon rules': [
    'test/horizon-rules.test.ts',
    '--test-name-pattern=horizon|lots that|keeps 31|forgets as|another century|does not wait',
  ],
  'horizon steps': ['test/horizon-rules.test.ts', '--test-name-pattern=many small'],
  frames: ['packages/server/test/frame.test.ts'],
  'frames of clients': ['packages/server/test/live.test.ts', '--test-name-pattern=a frame over'],
  'hostile names': ['packages/mcp/test/hostile-names.test.ts'],
  'agents over HTTP': ['packages/mcp/test/http.test.ts'],
  'questions of agents': ['packages/mcp/test/tools.test.ts', '--test-name-pattern=sqlite'],
  charts: ['packages/server/test/udf.test.ts', '--test-name-pattern=sqlite|keys, errors'],
  'storage of SQLite': [
    'packages/sqlite/test/storage.test.ts',
    '--test-name-pattern=a write finds the rows|the rows that the first write',
  ],
  'sorted tables': ['packages/duckdb/test/duckdb.test.ts', '--test-name-pattern=emptied before'],
  'reads of a block': ['test/block-reads.test.ts'],
  'row shapes': ['packages/sqlite/test/row-shapes.test.ts'],
  'token names': ['test/token-names.test.ts', '--test-name-pattern=^memory|^sqlite: a store that holds'],
  'equal swaps': ['test/same-swaps.test.ts', '--test-name-pattern=^of equal swaps'],
  aggregates: ['packages/core/test/aggregates.test.ts'],
  depth: ['packages/core/test/copy-depth.test.ts', '--test-name-pattern=pairs|suspect|sell a buy|next print'],
  copies: [
    'test/simulate.test.ts',
    '--test-name-pattern=100 USD|prints count|another buy|a sell sells|own prints|above the limit',
  ],
  permissions: ['packages/server/test/ingest.test.ts', '--test-name-pattern=what a key may push'],
  'operator calls': [
    'packages/server/test/operator.test.ts',
    '--test-name-pattern=no other key may|without keys refuses both|choose no path',
  ],
} as const satisfies Readonly<Record<string, readonly [file: string, only?: string]>>;

export type Detector = keyof typeof detectors;

/**
 * The code broken on purpose in one place.
 *
 * - `file` below packages/core/src, or of another package from the root on; `find` stands there exactly once, `replace` takes its place.
 * - `breaks`: what the mutant gets wrong, as the product would.
 * - `noticedBy`: the tests that must notice it.
 */
export interface Mutant {
  readonly breaks: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly noticedBy: Detector;
}

/** The path of a mutant's file from the root. */
export const sourceOf = ({ file }: Mutant): string =>
  file.startsWith('packages/') ? file : `packages/core/src/${file}`;
