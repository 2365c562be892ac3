import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { siteFiles } from '../src/site-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'swapfold-site-'));
after(() => rmSync(folder, { recursive: true }));

test('the pages of a site are answered below /docs/, at each address that leads to them, with no file of another kind', async () => {
  mkdirSync(join(folder, 'guides'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<script src="a.js"></script><script id="x">one()</script><p>Hello');
  writeFileSync(join(folder, 'guides', 'import.html'), 'import');
  writeFileSync(join(folder, 'guides', 'index.html'), 'all guides');
  writeFileSync(join(folder, 'guides.html'), 'on guides');
  writeFileSync(join(folder, 'assets', 'a.js'), 'one()');
  writeFileSync(join(folder, 'guides', '.env'), 'SECRET=1');
  const files = await siteFiles(folder);
  assert.deepEqual(
    files.map(({ path, text }) => [path, text]),
    [
      ['/docs/assets/a.js', 'one()'],
      ['/docs/guides.html', 'on guides'],
      ['/docs/guides', 'on guides'],
      ['/docs/guides/import.html', 'import'],
      ['/docs/guides/import', 'import'],
      ['/docs/guides/index.html', 'all guides'],
      ['/docs/guides/', 'all guides'],
      ...['/docs/index.html', '/docs/', '/docs'].map((path) => [path, files.at(-1)!.text]),
    ],
  );
  assert.deepEqual(
    new Set(files.map(({ type }) => type)),
    new Set(['text/javascript; charset=utf-8', 'text/html; charset=utf-8']),
  );
});

test('a page runs the scripts that stand in it by their hashes, and no others', async () => {
  const page = (await siteFiles(folder)).find(({ path }) => path === '/docs/')!;
  const hash = createHash('sha256').update('one()').digest('base64');
  const policy = page.headers!['Content-Security-Policy']!;
  assert.ok(policy.includes(`script-src 'self' 'sha256-${hash}';`), policy);
  assert.ok(policy.startsWith("default-src 'none'"));
});

test('a folder without a site is refused, and the message names the command that makes one', async () => {
  await assert.rejects(siteFiles(join(folder, 'assets')), { code: 'invalid-input', message: /npm run docs:site/ });
  await assert.rejects(siteFiles(join(folder, 'nothing')), { code: 'invalid-input', message: /holds no index.html/ });
});
