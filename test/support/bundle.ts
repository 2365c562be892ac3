import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, parse, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, context, type Plugin } from 'esbuild';

/** A source file of ours, by its absolute path, and the text that takes the place of its own. */
export interface Change {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes a TypeScript file and everything that it imports as one module that Node runs without a loader, which starts in
 * an eighth of the time. What is compiled to machine code is left to be imported: `to` lies where its package is found.
 */
export async function bundle(from: string, to: string): Promise<void> {
  await build({ ...options, entryPoints: [from], outfile: to, plugins: [sources()] });
}

/** A module as `bundle` writes it, which is written again with other changes: what stays is read and parsed once. */
export interface Bundle {
  readonly write: (change?: Change) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openBundle(from: string, to: string): Promise<Bundle> {
  let changed: Change | undefined;
  const build = await context({ ...options, entryPoints: [from], outfile: to, plugins: [sources(() => changed)] });
  return {
    async write(change) {
      changed = change;
      await build.rebuild();
    },
    close: () => build.dispose(),
  };
}

/** So that a stack names the lines of the sources. */
export const withSourceMaps = ['--enable-source-maps'];

/**
 * Writes test files, the programs and the threads that they start as modules that share what they import, and calls `use` with where
 * the test files lie, in their order. Nothing of it is left afterwards.
 */
export async function withTests<T>(
  tests: readonly string[],
  use: (paths: readonly string[]) => T | Promise<T>,
): Promise<T> {
  const parent = join(root, 'node_modules', '.swapfold-tests');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'run-'));
  try {
    const paths = tests.map((path) => relative(root, resolve(path)));
    await build({
      ...options,
      entryPoints: [
        ...[...paths, ...programs].map((path) => ({ in: join(root, path), out: programName(path) })),
        ...threads.map((path) => ({ in: join(root, path), out: parse(path).name })),
      ],
      outdir: folder,
      // Where modules are split, a package of CommonJS that is imported when it is needed has only a default export; the validator
      // reads files that lie beside its own.
      external: [...options.external, '@duckdb/node-api', 'pino', '@seriousme/openapi-schema-validator'],
      splitting: true,
      sourcemap: true,
      sourcesContent: false,
      define: { 'process.env.SWAPFOLD_PROGRAMS': JSON.stringify(folder) },
      plugins: [sources(() => undefined, startsThread)],
    });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    return await use(paths.map((path) => join(folder, `${programName(path)}.js`)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const root = resolve(import.meta.dirname, '../..');

/** Programs that test files start, each of which would otherwise bundle its own. */
const programs = [
  'examples/page-with-a-price.ts',
  'examples/post-when-a-wallet-matches.ts',
  'examples/walk-forward.ts',
  'packages/cli/src/bin.ts',
  'packages/cli/test/many-commands.ts',
  'test/docs-code/explain-metric.ts',
  'test/docs-code/own-engine.ts',
  'test/docs-code/own-metric.ts',
  'test/support/aside-child.ts',
  'test/support/crash-child.ts',
  'test/support/fault-child.ts',
  'test/support/follow-child.ts',
  'test/support/solana-child.ts',
  'test/support/unclosed-child.ts',
];
/** What threads run, by the name that the built packages give it. */
const threads = [
  'packages/cli/src/chain-reader.ts',
  'packages/sqlite/src/scanner-thread.ts',
  'packages/sqlite/src/checkpoint-thread.js',
];
/** Files that look for the file of a thread beside the module that they have become. */
const startsThread = /\/src\/(threads\/start-thread|threads)\.ts$/;

const programName = (path: string): string => path.replace(/\.ts$/, '').replaceAll('/', '.');

/** A program of the project as such a module, which lasts as long as this process: where it lies. */
export async function bundled(path: string): Promise<string> {
  // Within `withTests` this is its folder; nowhere else is it set.
  const folder = process.env.SWAPFOLD_PROGRAMS;
  if (folder !== undefined && programs.includes(path)) return join(folder, `${programName(path)}.js`);
  const to = join(root, 'node_modules', `.swapfold-${basename(path, '.ts')}-${process.pid}.mjs`);
  process.on('exit', () => rmSync(to, { force: true }));
  await bundle(join(root, path), to);
  return to;
}

// In parts: whole, the text would get the place of this file when it is bundled itself.
const meta = 'import.meta';
/** Packages of CommonJS call it for the modules of Node. */
const requireForPackages = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${meta}.url);`;

const options: BuildOptions & { readonly external: string[] } = {
  bundle: true,
  external: ['better-sqlite3', '@duckdb/node-bindings', 'apache-arrow', 'esbuild', 'tsx', 'typescript'],
  banner: { js: requireForPackages },
  minifyWhitespace: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
};

/** Reads the sources; each keeps the place that it has in the project, but for those of `moved`. */
function sources(changed: () => Change | undefined = () => undefined, moved?: RegExp): Plugin {
  const texts = new Map<string, Promise<string>>();
  const textOf = (path: string): Promise<string> => {
    const text = texts.get(path) ?? readFile(path, 'utf8');
    texts.set(path, text);
    return text;
  };
  return {
    name: 'sources',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path.includes('/node_modules/')) return undefined;
        const change = changed();
        const text = path === change?.path ? change.text : await textOf(path);
        if (moved?.test(path)) return { contents: text, loader: 'ts' };
        const contents = text
          .replaceAll(/import\.meta\.dirname/g, JSON.stringify(dirname(path)))
          .replaceAll(/import\.meta\.filename/g, JSON.stringify(path))
          .replaceAll(/import\.meta\.url/g, JSON.stringify(pathToFileURL(path).href));
        return { contents, loader: 'ts' };
      });
    },
  };
}
