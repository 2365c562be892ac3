import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

/** Layers of core, from the ground up: a file may import from its own layer and those below. The longest prefix counts. */
const layers: readonly (readonly string[])[] = [
  [
    'errors',
    'faults',
    'nearest',
    'time',
    'addresses',
    'presets',
    'config',
    'memory-limit',
    'json-depth',
    'yielder',
    'work',
    'response',
    'ingest-result',
  ],
  ['records'],
  ['storage', 'options'],
  ['bag', 'copy', 'ledger', 'filter', 'memory'],
  ['metrics', 'ingest', 'market-data'],
  ['profiles', 'labels', 'registry', 'cache'],
  ['refresh'],
  ['search'],
  ['queries'],
  ['export', 'live'],
  ['swapfold-options'],
  ['api', 'store'],
  ['swapfold'],
  ['index', 'host', 'engine'],
];

/** The doors of core for those who serve, ask or feed a store. */
const hostDoors = ['@swapfold/core', '@swapfold/core/host'];
/** The doors of core for engines, and for the command line, which opens any of them. */
const engineDoors = [...hostDoors, '@swapfold/core/engine'];

/** What each package may import beside its own files and node's. */
const packageImports: Readonly<Record<string, readonly string[]>> = {
  core: [
    'valibot',
    'ts-pattern',
    'fastest-levenshtein',
    'lru-cache',
    '@scure/base',
    'hyparquet-writer',
    'apache-arrow',
  ],
  sql: [...engineDoors],
  testing: [...engineDoors],
  sqlite: [...engineDoors, '@swapfold/sql', 'better-sqlite3'],
  duckdb: [...engineDoors, '@swapfold/sql', '@duckdb/node-api'],
  clickhouse: [...engineDoors, '@swapfold/sql', '@clickhouse/client'],
  client: [],
  server: [...hostDoors, 'valibot', '@valibot/to-json-schema', 'prom-client', 'ws'],
  mcp: [
    ...['server/index', 'server/stdio', 'server/webStandardStreamableHttp', 'types'].map(
      (module) => `@modelcontextprotocol/sdk/${module}.js`,
    ),
    ...hostDoors,
    '@swapfold/server',
    'valibot',
  ],
  explorer: [],
  files: [...hostDoors, '@swapfold/duckdb', '@duckdb/node-api', 'apache-arrow', 'tinyglobby'],
  chain: ['@swapfold/core'],
  evm: ['@noble/hashes/sha3', '@swapfold/chain', ...hostDoors, 'viem'],
  solana: ['@swapfold/chain', ...hostDoors],
  cli: [
    ...engineDoors,
    '@swapfold/testing',
    '@swapfold/sqlite',
    '@swapfold/duckdb',
    '@swapfold/clickhouse',
    '@swapfold/server',
    '@swapfold/mcp',
    '@swapfold/explorer',
    '@swapfold/evm',
    '@swapfold/files',
    '@swapfold/solana',
    'commander',
    'cli-progress',
    'pino',
  ],
};

test('every package is a workspace, has its imports above, its doors in tsconfig.json, and its place in the house', () => {
  const read = (file: string): string => readFileSync(join(root, file), 'utf8');
  const folders = readdirSync(join(root, 'packages')).sort();
  const { workspaces } = JSON.parse(read('package.json')) as { readonly workspaces: readonly string[] };
  assert.deepEqual(
    [...workspaces].sort(),
    folders.map((name) => `packages/${name}`),
  );
  assert.deepEqual(Object.keys(packageImports).sort(), folders);
  const [paths, house] = [read('tsconfig.json'), read('CONTRIBUTING.md').split('## The house')[1]!.split('\n## ')[0]!];
  const missing = (text: string, shown: (name: string) => string): string[] =>
    folders.filter((name) => !text.includes(shown(name)));
  assert.deepEqual(
    missing(paths, (name) => `./packages/${name}/src/index.ts"`),
    [],
  );
  assert.deepEqual(
    missing(house.replaceAll('packages/', ''), (name) => `\`${name}`),
    [],
  );
});

test('sources hold code and no notes: every file of packages/*/src is a module or data of one', () => {
  const others = readdirSync(join(root, 'packages')).flatMap((name) =>
    readdirSync(join(root, 'packages', name, 'src'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.(ts|js|mjs|json|sql)$/.test(entry.name))
      .map((entry) => `${name}: ${entry.name}`),
  );
  assert.deepEqual(others, []);
});

test('no source file is over 500 lines, but for what is generated', () => {
  const long = readdirSync(join(root, 'packages')).flatMap((name) =>
    filesOf(`packages/${name}/src`).filter((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return !text.startsWith('// Generated') && text.split('\n').length > 501;
    }),
  );
  assert.deepEqual(long, []);
});

interface Import {
  readonly from: string;
  readonly to: string;
}

function importsOf(folder: string): Import[] {
  return filesOf(folder).flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const targets = [
      ...text.matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)';|import\('([^']+)'\)|^import\s+'([^']+)';/gm),
    ];
    return targets.map((match) => ({ from: file, to: (match[1] ?? match[2] ?? match[3])! }));
  });
}

function filesOf(folder: string): string[] {
  // What is installed, or generated, below a folder may come and go meanwhile.
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'generated'].includes(entry.name) ? [] : filesOf(path);
    return entry.name.endsWith('.ts') ? [path] : [];
  });
}

function layerOf(path: string): number {
  let best = { layer: -1, length: -1 };
  for (const [layer, prefixes] of layers.entries()) {
    for (const prefix of prefixes) {
      const isInside = path === `${prefix}.ts` || path.startsWith(`${prefix}/`);
      if (isInside && prefix.length > best.length) best = { layer, length: prefix.length };
    }
  }
  return best.layer;
}

test('inside core, imports go down the layers only', () => {
  const folder = 'packages/core/src';
  const wrong = importsOf(folder).flatMap(({ from, to }) => {
    if (!to.startsWith('.')) return [];
    const own = relative(folder, from);
    const other = relative(folder, join(dirname(from), to));
    return layerOf(own) >= layerOf(other) && layerOf(other) >= 0 ? [] : [`${own} imports ${other}`];
  });
  assert.deepEqual(wrong, []);
});

for (const name of Object.keys(packageImports)) {
  const folder = `packages/${name}/src`;
  const imports = importsOf(folder).flatMap(({ from, to }) =>
    to.startsWith('.') ? [{ from: relative(folder, from), to: relative(folder, join(dirname(from), to)) }] : [],
  );

  test(`no files of ${name} import each other in a circle, types included: what depends on what has one direction`, () => {
    assert.deepEqual(circlesOf(imports), []);
  });

  test(`no rooms of ${name} import each other in a circle: a room is a folder, or a file beside the folders`, () => {
    const roomOf = (file: string): string => file.split('/', 1)[0]!;
    const between = imports.map(({ from, to }) => ({ from: roomOf(from), to: roomOf(to) }));
    assert.deepEqual(circlesOf(between.filter(({ from, to }) => from !== to)), []);
  });
}

/** Names that reach themselves by imports, each circle as one text. */
function circlesOf(imports: readonly Import[]): string[] {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) {
    targets.set(from, [...(targets.get(from) ?? []), to]);
    targets.set(to, targets.get(to) ?? []);
  }
  const reached = new Map([...targets.keys()].map((name) => [name, reachedFrom(name, targets)]));
  const circles = [...reached].flatMap(([name, others]) => {
    if (!others.has(name)) return [];
    return [
      [...others]
        .filter((other) => reached.get(other)?.has(name))
        .sort()
        .join(' '),
    ];
  });
  return [...new Set(circles)].sort();
}

function reachedFrom(file: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const reached = new Set<string>();
  const next = [...imports.get(file)!];
  for (let other = next.pop(); other !== undefined; other = next.pop()) {
    if (reached.has(other)) continue;
    reached.add(other);
    next.push(...(imports.get(other) ?? []));
  }
  return reached;
}

test('every file of core belongs to a layer', () => {
  const folder = 'packages/core/src';
  const homeless = filesOf(folder)
    .map((file) => relative(folder, file))
    .filter((file) => layerOf(file) < 0);
  assert.deepEqual(homeless, []);
});

test('a package imports what its row allows: no adapter knows another, core knows no engine', () => {
  const wrong = Object.entries(packageImports).flatMap(([name, allowed]) =>
    importsOf(`packages/${name}/src`).flatMap(({ from, to }) =>
      to.startsWith('.') || to.startsWith('node:') || allowed.includes(to) ? [] : [`${from} imports ${to}`],
    ),
  );
  assert.deepEqual(wrong, []);
});

test('a file of a package reaches no file of another by its path', () => {
  const wrong = Object.keys(packageImports).flatMap((name) =>
    importsOf(`packages/${name}/src`).flatMap(({ from, to }) => {
      const isInside = !to.startsWith('.') || join(dirname(from), to).startsWith(`packages/${name}/src/`);
      return isInside ? [] : [`${from} imports ${to}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('a metric file imports the bag, the number helpers, the declaration and its stories, nothing else', () => {
  const allowed = ['bag/bag.ts', 'metrics/declare.ts', 'metrics/metric.ts', 'metrics/numbers.ts', 'metrics/story.ts'];
  const wrong = ['shared', 'wallets', 'tokens'].flatMap((folder) =>
    importsOf(`packages/core/src/metrics/${folder}`).flatMap(({ from, to }) => {
      const other = relative('packages/core/src', join(dirname(from), to));
      return allowed.includes(other) ? [] : [`${from} imports ${other}`];
    }),
  );
  assert.deepEqual(wrong, []);
});

test('the SQL compiler knows no metric and no profile', () => {
  const wrong = filesOf('packages/sql/src').flatMap((file) => {
    const imports = readFileSync(join(root, file), 'utf8').match(/^import [^;]*'@swapfold\/core(\/host)?';/gm) ?? [];
    return imports.filter((names) => /metric|profile|bag|ledger/i.test(names)).map((names) => `${file}: ${names}`);
  });
  assert.deepEqual(wrong, []);
});

test('no test reads a file from beside the project but for the recorded day, which runs in addition when it is there', () => {
  const folders = ['test', 'bench', ...Object.keys(packageImports).map((name) => `packages/${name}/test`)];
  const outside = folders.flatMap((folder) =>
    filesOf(folder).flatMap((file) => {
      const paths = [...readFileSync(join(root, file), 'utf8').matchAll(/'((?:\.\.\/)+[^']*)'/g)];
      return paths
        .filter(([, path]) => join(dirname(file), path!).startsWith('..'))
        .map(([, path]) => `${file}: ${path}`);
    }),
  );
  assert.deepEqual(outside, ['test/support/uniswap.ts: ../../../shared/data/uniswap-v3-2024-01-05/swaps.csv']);
});
