import { existsSync } from 'node:fs';
import { defineConfig } from 'tsup';

// One build for every package: tsup runs in the package's folder and takes the doors that exist there.
const doors = ['index.ts', 'bin.ts', 'reader.ts', 'folder.ts', 'scanner-thread.ts', 'checkpoint-thread.js']
  .map((name) => `src/${name}`)
  .filter((path) => existsSync(path));
/** Doors that are run, not imported. */
const programs = ['src/bin.ts', 'src/reader.ts', 'src/folder.ts', 'src/scanner-thread.ts', 'src/checkpoint-thread.js'];

export default defineConfig({
  entry: doors,
  format: 'esm',
  target: 'node20',
  dts: { entry: doors.filter((path) => !programs.includes(path)) },
  clean: true,
  splitting: true,
});
