import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** A source file of ours, by its absolute path, and the text that takes the place of its own. */
export interface Change {
  readonly path: string;
  readonly text: string;
}

/**
 * Writes a TypeScript file and everything that it imports as one module that Node runs without a loader, which starts in
 * an eighth of the time. What is compiled to machine code is left to be imported: `to` lies where its package is found.
 */
export async function bundle(from: string, to: string, change?: Change): Promise<void> {
  await build({
    entryPoints: [from],
    outfile: to,
    bundle: true,
    external: ['better-sqlite3', '@duckdb/node-bindings', 'esbuild', 'tsx'],
    banner: { js: requireForPackages },
    minifyWhitespace: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [sources(change)],
  });
}

const root = resolve(import.meta.dirname, '../..');

/** A program of the project as such a module, which lasts as long as this process: where it lies. */
export async function bundled(path: string): Promise<string> {
  const to = join(root, 'node_modules', `.swapfold-${basename(path, '.ts')}-${process.pid}.mjs`);
  process.on('exit', () => rmSync(to, { force: true }));
  await bundle(join(root, path), to);
  return to;
}

/** Packages of CommonJS call it for the modules of Node. */
const requireForPackages =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Reads the sources; each keeps the place that it has in the project. */
function sources(change: Change | undefined): Plugin {
  return {
    name: 'sources',
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (path.includes('/node_modules/')) return undefined;
        const text = path === change?.path ? change.text : await readFile(path, 'utf8');
        const contents = text
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
        return { contents, loader: 'ts' };
      });
    },
  };
}
