/**
 * Prints a software bill of materials of what ships, by `npm sbom` (CycloneDX). npm leaves out what the root package lists for development, also
 * where a package of Swapfold needs it: so it is asked about a copy of the lock file whose root lists nothing.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

interface Manifest {
  devDependencies?: unknown;
  readonly workspaces?: readonly string[];
  readonly packages?: Record<string, Manifest>;
}

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'swapfold-sbom-'));

function copy(path: string, edit: (manifest: Manifest) => void): Manifest {
  const manifest = JSON.parse(readFileSync(join(root, path), 'utf8')) as Manifest;
  edit(manifest);
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), JSON.stringify(manifest));
  return manifest;
}

try {
  const { workspaces = [] } = copy('package.json', (manifest) => delete manifest.devDependencies);
  for (const path of workspaces) copy(join(path, 'package.json'), (manifest) => delete manifest.devDependencies);
  copy('package-lock.json', ({ packages = {} }) => {
    for (const path of ['', ...workspaces]) delete packages[path]?.devDependencies;
  });
  const args = ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--package-lock-only'];
  process.stdout.write(
    execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26 }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
