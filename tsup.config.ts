import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { build } from 'esbuild';
import { defineConfig } from 'tsup';

// One build for every package: tsup runs in the package's folder and takes the doors that exist there.
const names = ['index.ts', 'host.ts', 'engine.ts', 'bin.ts', 'chain-reader.ts', 'scanner-thread.ts'];
const doors = [...names, 'checkpoint-thread.js'].map((name) => `src/${name}`).filter((path) => existsSync(path));
/** Doors that are run, not imported. */
const programs = ['bin.ts', 'chain-reader.ts', 'scanner-thread.ts', 'checkpoint-thread.js'].map(
  (name) => `src/${name}`,
);

/** The explorer's page: its modules and styles as few small files; charts are a file that comes with the first one. */
async function buildPage(): Promise<void> {
  await build({
    entryPoints: ['page/app.js', 'page/figures.css', 'page/parts.css', 'page/style.css'],
    outdir: 'dist/page',
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    legalComments: 'none',
  });
  for (const name of ['index.html', 'icon.svg', 'licences.txt', 'vendor/uplot.css'])
    await cp(`page/${name}`, `dist/page/${name}`);
}

/** The presets of files, which are read when they are wanted. */
async function copyPresets(): Promise<void> {
  await cp('src/presets', 'dist/presets', { recursive: true });
}

export default defineConfig({
  entry: doors,
  format: 'esm',
  target: 'node20',
  // Types of packages that are built already come from what was built, not from their sources, which would be checked once a package.
  dts: { entry: doors.filter((path) => !programs.includes(path)), compilerOptions: { paths: {} } },
  clean: true,
  splitting: true,
  ...(existsSync('page') ? { onSuccess: buildPage } : {}),
  ...(existsSync('src/presets') ? { onSuccess: copyPresets } : {}),
});
