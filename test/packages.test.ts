import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
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
