import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** MB of packages and of all that they depend on, as they lie in `node_modules`. Of our own packages only what is published counts. */
export function installSize(names: readonly string[], modules: string): number {
  const folders = new Set<string>();
  const add = (name: string, from: string): void => {
    const folder = find(name, from);
    if (folder === undefined || folders.has(folder)) return;
    folders.add(folder);
    const { dependencies, optionalDependencies } = JSON.parse(
      readFileSync(join(folder, 'package.json'), 'utf8'),
    ) as Manifest;
    for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies })) add(dependency, folder);
  };
  for (const name of names) add(name, modules);
  let bytes = 0;
  for (const folder of folders) bytes += sizeOfPackage(folder);
  return bytes / 1e6;
}

/** The folder of a package that a module in `from` imports. An optional one of another system is not there. */
function find(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = folder.endsWith('node_modules') ? join(folder, name) : join(folder, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return realpathSync(path);
    if (folder === dirname(folder)) return undefined;
  }
}

function sizeOfPackage(folder: string): number {
  const isOurs = !folder.includes('node_modules');
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || (isOurs && !['dist', 'package.json', 'README.md'].includes(entry.name)))
      continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += sizeOfFolder(path);
    else if (entry.isFile()) bytes += statSync(path).size;
  }
  return bytes;
}

/** Bytes of the files in a folder. */
export function sizeOfFolder(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
}
