import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

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
