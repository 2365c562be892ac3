import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { memory, Swapfold } from '@swapfold/core';
import { serve } from '@swapfold/server';
import { build } from 'esbuild';
import { explorerFiles } from '../src/index.ts';

const folder = resolve(import.meta.dirname, '../page');

test('the page and its modules are served to anybody, under a policy that lets no other script run', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { api_keys: ['key-of-the-tests'] } });
  const server = await serve(dex, { port: 0, files: await explorerFiles() });
  try {
    const page = await fetch(`${server.url}/`);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = page.headers.get('content-security-policy')!;
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    for (const [, path] of (await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)) {
      const { status, headers } = await fetch(`${server.url}/${path}`);
      assert.deepEqual([status, headers.get('x-content-type-options')], [200, 'nosniff'], path);
    }
    const again = await fetch(`${server.url}/`, { headers: { 'if-none-match': page.headers.get('etag')! } });
    assert.deepEqual([again.status, await again.text()], [304, '']);
    const posted = await fetch(`${server.url}/`, { method: 'POST' });
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
  } finally {
    await server.close();
    await dex.close();
  }
});

test('the page asks at once for every module that its first view needs, and for no chart or other view', async () => {
  const { text } = (await explorerFiles()).find(({ path }) => path === '/')!;
  const asked = [...text.matchAll(/<link rel="modulepreload" href="explorer\/([^"]+)">/g)].map(([, path]) => path!);
  const { metafile } = await build({
    entryPoints: [join(folder, 'app.js')],
    bundle: true,
    write: false,
    metafile: true,
  });
  const needed = new Set(Object.keys(metafile.inputs).filter((path) => path.endsWith('page/app.js')));
  for (const path of needed)
    for (const { path: imported, kind } of metafile.inputs[path]!.imports)
      if (kind === 'import-statement') needed.add(imported);
  const names = [...needed].map((path) => relative(folder, resolve(path)));
  assert.deepEqual(asked.sort(), names.sort());
  for (const later of ['vendor/lightweight-charts.js', 'vendor/uplot.js', 'views/wallet.js']) {
    assert.ok(Object.keys(metafile.inputs).some((path) => path.endsWith(later)));
    assert.ok(!asked.includes(later), later);
  }
});

test('modules of the page import each other alone, by paths that exist', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.js') && !file.startsWith('vendor'),
  );
  assert.ok(files.length > 20);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    assert.ok(text.split('\n').length <= 301, `${file} is over 300 lines`);
    const code = text.replaceAll(/\/\*\*.*?\*\//gs, '');
    for (const [, path] of code.matchAll(/(?:from |import\()'([^']+)'/g)) {
      assert.match(path!, /^\.{1,2}\//, `${file} imports ${path}`);
      readFileSync(join(folder, dirname(file), path!));
    }
  }
});

test('the types of every module are checked, of which the first line says so', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.js') && !file.startsWith('vendor'),
  );
  const without = files.filter((file) => !readFileSync(join(folder, file), 'utf8').startsWith('// @ts-check\n'));
  assert.deepEqual(without, []);
});

test('all of the page, minified and compressed, has at most 132 kB', async () => {
  const { outputFiles } = await build({
    entryPoints: ['app.js', 'figures.css', 'parts.css', 'style.css'].map((name) => join(folder, name)),
    outdir: folder,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    write: false,
  });
  const sizes = outputFiles.map(
    ({ contents }) => brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).length,
  );
  assert.ok(outputFiles.length >= 3);
  assert.ok(sizes.reduce((sum, size) => sum + size) <= 132_000, `${sizes}`);
});

interface Format {
  format(unit: string, value: unknown): string;
}
const cases: readonly (readonly [unit: string, value: unknown, text: string])[] = [
  ['USD per token', 0.0000307, '$0.0₄307'],
  ['USD per token', 0.000000000001234, '$0.0₁₁1234'],
  ['USD per token', 1.5163, '$1.516'],
  ['USD per token', 96_123.4, '$96,123'],
  ['USD', 1596.0965, '$1,596.10'],
  ['USD', -1596.0965, '−$1,596.10'],
  ['USD', 445_128_885, '$445.1M'],
  ['USD', 0.004, '<$0.01'],
  ['USD', 0, '$0.00'],
  ['percent', 12.5, '12.50 %'],
  ['percent', -3, '−3.00 %'],
  ['count', 12_345, '12,345'],
  ['seconds', 45, '45 s'],
  ['seconds', 3720, '1 h 2 m'],
  ['seconds', 90_000, '1 d 1 h'],
  ['ratio', 0.494661, '0.4947'],
  ['time', 1_735_689_600, '2025-01-01 00:00:00Z'],
  ['USD', null, '–'],
];
for (const [unit, value, text] of cases) {
  test(`${value} in ${unit} is shown as ${text}`, async () => {
    const { format } = (await import(join(folder, 'format.js'))) as Format;
    assert.equal(format(unit, value), text);
  });
}

test('the page links to the documentation if the server has it, and to nothing else by itself', async () => {
  const pageOf = async (options?: { readonly docs: string }): Promise<string> =>
    (await explorerFiles(options)).find(({ path }) => path === '/')!.text;
  assert.match(await pageOf({ docs: 'docs/' }), /<link rel="help" href="docs\/">\s*<\/head>/);
  assert.doesNotMatch(await pageOf(), /rel="help"/);
});
