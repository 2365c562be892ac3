import { existsSync } from 'node:fs';
import { defineConfig } from 'tsup';

// One build for every package: tsup runs in the package's folder and takes the doors that exist there.
const doors = ['index', 'market', 'conformance', 'bin', 'reader']
  .map((name) => `src/${name}.ts`)
  .filter((path) => existsSync(path));

export default defineConfig({
  entry: doors,
  format: 'esm',
  target: 'node20',
  dts: { entry: doors.filter((path) => !['src/bin.ts', 'src/reader.ts'].includes(path)) },
  clean: true,
  splitting: true,
});
