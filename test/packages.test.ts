import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { allExports } from './generate-docs/api.ts';
import { fencedBlocks } from './support/shell-lines.ts';
import { unexportedIn } from './support/unexported.ts';

interface Manifest {
  readonly name: string;
  readonly description?: string;
  readonly license: string;
  readonly workspaces: readonly string[];
  readonly repository?: { readonly type: string; readonly url: string; readonly directory: string };
  readonly publishConfig?: { readonly access: string; readonly provenance: boolean };
}

const root = resolve(import.meta.dirname, '..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');
const { workspaces } = JSON.parse(read('package.json')) as Manifest;

for (const folder of workspaces) {
  test(`${folder} holds README and LICENSE, says where it comes from, and is published with its provenance`, () => {
    const { name, description, license, repository, publishConfig } = JSON.parse(
      read(folder, 'package.json'),
    ) as Manifest;
    assert.match(read(folder, 'README.md'), new RegExp(`^# ${name}\\n`));
    assert.equal(read(folder, 'LICENSE'), read('LICENSE'));
    assert.equal(license, 'Apache-2.0');
    assert.ok(description);
    assert.equal(repository?.type, 'git');
    assert.match(repository?.url ?? '', /^git\+https:\/\/.*\.git$/);
    assert.equal(repository?.directory, folder);
    assert.deepEqual(publishConfig, { access: 'public', provenance: true });
  });
}

const door = `
import { S as Shared } from './part-abc.js';
export { H as Hidden } from './part-abc.js';
interface Inner { readonly shared: Shared }
type Own<T> = T extends Set<infer Item> ? Item : never;
interface Open<Inner> extends Own<Inner> { call<Shared>(shared: Shared): { [Key in 'a']: Key } }
declare class Store { private readonly part: Inner; constructor(); }
declare const value: Array<Store>;
export { type Open, Store, value };
`;
const part = 'interface Deeper { }\ninterface H { readonly deeper: Deeper }\ninterface S { }\nexport type { H, S };\n';
const declarations = (text: string): ReadonlyMap<string, string> =>
  new Map([
    ['index.d.ts', text],
    ['part-abc.d.ts', part],
  ]);

test('a type is missed that an exported declaration names and no door exports, also in a part that doors share', () => {
  assert.deepEqual(unexportedIn(declarations(door), ['index.d.ts']), ['H names Deeper', 'Open names Own']);
  const exported = door.replace('Store, value', 'Store, value, type Own');
  assert.deepEqual(unexportedIn(declarations(exported), ['index.d.ts']), ['H names Deeper']);
  const opened = exported.replace('private readonly', 'readonly');
  assert.deepEqual(unexportedIn(declarations(opened), ['index.d.ts']), ['H names Deeper', 'Store names Inner']);
});

const exported = allExports();
const namesOf = (door: string): readonly string[] => exported.get(door)!.map(({ name }) => name);
const coreDoors = ['@swapfold/core', '@swapfold/core/host', '@swapfold/core/engine'] as const;

test('each name of core stands behind exactly one of its doors', () => {
  const doorsOf = new Map<string, string[]>();
  for (const name of coreDoors) for (const one of namesOf(name)) doorsOf.set(one, [...(doorsOf.get(one) ?? []), name]);
  assert.deepEqual(
    [...doorsOf].filter(([, found]) => found.length > 1),
    [],
  );
});

test('the doors of core have as many names as here: one more behind the first is a promise, and a decision', () => {
  assert.deepEqual(
    coreDoors.map((name) => namesOf(name).length),
    [99, 179, 100],
  );
});

test('the three doors are those of package.json, and stability.md says for whom each is', () => {
  const { exports } = JSON.parse(read('packages/core/package.json')) as { readonly exports: object };
  assert.deepEqual(
    Object.keys(exports),
    coreDoors.map((name) => name.replace('@swapfold/core', '.')),
  );
  const page = read('docs/stability.md');
  for (const name of coreDoors) assert.match(page, new RegExp(`^\\| \`${name}\` \\| [A-Z][^|]+\\. \\|$`, 'm'));
});

test('examples, and code of the pages, need the first door of core alone, but for a share of the turns', () => {
  const pages = pagesOf('docs', '.md').concat('README.md', ...workspaces.map((folder) => join(folder, 'README.md')));
  const code = [
    ...pagesOf('examples', '.ts').map((path) => [path, read(path)] as const),
    ...pages.flatMap((path) => fencedBlocks(read(path), ['ts']).map((block) => [path, block] as const)),
  ];
  assert.ok(code.filter(([, text]) => text.includes(`from '@swapfold/core'`)).length > 20);
  const other = code.flatMap(([path, text]) =>
    [...text.matchAll(/^import .* from '@swapfold\/core\/\w+';$/gm)].map(([line]) => `${path}: ${line}`),
  );
  assert.deepEqual(other, ["docs/reference/configuration.md: import { newShare } from '@swapfold/core/host';"]);
});

function pagesOf(folder: string, end: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end) && !name.includes('node_modules'))
    .map((name) => join(folder, name));
}
