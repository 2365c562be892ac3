import { existsSync } from 'node:fs';
import { defineConfig } from 'tsup';

// One build for every package: tsup runs in the package's folder and takes the doors that exist there.
const doors = ['index', 'market', 'conformance', 'bin']
  .map((name) => `src/${name}.ts`)
  .filter((path) => existsSync(path));

export default defineConfig({
  entry: doors,
  format: 'esm',
  target: 'node20',
  dts: { entry: doors.filter((path) => path !== 'src/bin.ts') },
  clean: true,
  splitting: true,
});
