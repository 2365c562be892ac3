import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { memory, Swapfold } from '@swapfold/core';
import { profileFields } from '@swapfold/core/host';
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

test('all of the page, minified and compressed, has at most 141 kB', async () => {
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
  assert.ok(sizes.reduce((sum, size) => sum + size) <= 141_000, `${sizes}`);
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
  ['percent', 12.5, '12.5 %'],
  ['percent', -3, '−3.0 %'],
  ['percent', 5739.4, '5,739 %'],
  ['percent', 99.96, '100 %'],
  ['count', 12_345, '12,345'],
  ['seconds', 45, '45 s'],
  ['seconds', 3720, '1 h 2 m'],
  ['seconds', 90_000, '1 d 1 h'],
  ['ratio', 0.494661, '0.4947'],
  ['time', 1_735_689_600, '1 Jan 2025, 00:00:00'],
  ['USD', null, '–'],
];
for (const [unit, value, text] of cases) {
  test(`${value} in ${unit} is shown as ${text}`, async () => {
    const { format } = (await import(join(folder, 'format.js'))) as Format;
    assert.equal(format(unit, value), text);
  });
}

test('values beside words have the same percent as values of tables', async () => {
  const { format, brief } = (await import(join(folder, 'format.js'))) as Format & {
    brief(unit: string, value: number): string;
  };
  for (const value of [0.04, 12.345, 99.95, 512.7, 123_456])
    assert.equal(brief('percent', value), format('percent', value));
});

const marks: readonly (readonly [value: number, step: number, text: string])[] = [
  [-1.735e-18, 1e-6, '$0'],
  [2.1e-18, 1e-6, '$0'],
  [0, 0.01, '$0'],
  [0.00002, 1e-6, '$0.0₄2'],
  // The scale goes on below 0, where no price is.
  [-0.00002, 1e-6, ''],
];
for (const [value, step, text] of marks)
  test(`the mark ${value} of a price axis with steps of ${step} is ${text === '' ? 'left out' : text}`, async () => {
    const { axisPrice } = (await import(join(folder, 'format.js'))) as {
      axisPrice(value: number, step: number): string;
    };
    assert.equal(axisPrice(value, step), text);
  });

test('hashes have a site to be looked up at if one is named, and bad ones are refused with an example', async () => {
  const pageOf = async (transactions?: string): Promise<string> =>
    (await explorerFiles({ transactions })).find(({ path }) => path === '/')!.text;
  assert.doesNotMatch(await pageOf(), /name="transactions"/);
  assert.match(
    await pageOf('https://scan.example/tx/{hash}?a=1&b="2"'),
    /<meta name="transactions" content="https:\/\/scan\.example\/tx\/\{hash\}\?a=1&amp;b=&quot;2&quot;">/,
  );
  for (const bad of ['https://scan.example/tx/', 'javascript:alert("{hash}")', '{hash}', 'https://a b/{hash}'])
    await assert.rejects(explorerFiles({ transactions: bad }), {
      name: 'TypeError',
      message: `"transactions" takes an address with {hash} in it, such as "https://solscan.io/tx/{hash}", not "${bad}".`,
    });
});

interface Words {
  wordOf(path: string): string;
}

test('every field of a position has a word of its own, and no two have the same', async () => {
  const { wordOf } = (await import(join(folder, 'words.js'))) as Words;
  const { units } = (await import(join(folder, 'format.js'))) as { units: { native: string } };
  units.native = 'SOL';
  const paths = profileFields('positions', []).map(({ path }) => path);
  const held = paths.filter((path) => /^(holding|metadata)\./.test(path));
  assert.ok(held.length > 25, `${held}`);
  const words = new Map<string, string>();
  for (const path of held) {
    const word = wordOf(path);
    assert.doesNotMatch(word, /pnl|roi|usd|_|native| at$/i, path);
    assert.equal(words.get(word), undefined, `${word} of ${path} is that of another field`);
    words.set(word, path);
  }
  assert.equal(wordOf('holding.realized_pnl_native'), 'Realised in SOL');
});

const list = ['BONK', 'bonk', 'WIF'].map((name, i) => ({ kind: 'token', address: `Addr${i}`, name, more: null }));
const named: readonly (readonly [text: string, address: string | undefined, because: string])[] = [
  ['wif', 'Addr2', 'the symbol of one, in other letters'],
  ['BONK', undefined, 'the symbol of two'],
  ['Addr1', 'Addr1', 'an address'],
  ['WI', undefined, 'the beginning of a symbol'],
];
for (const [text, address, because] of named)
  test(`the header goes ${address === undefined ? 'to a list' : 'there'} for ${because}`, async () => {
    const { namedBy } = (await import(join(folder, 'named.js'))) as {
      namedBy(found: unknown, text: string): { address: string } | undefined;
    };
    assert.equal(namedBy(list, text)?.address, address);
  });

test('the page links to the documentation if the server has it, and to nothing else by itself', async () => {
  const pageOf = async (options?: { readonly docs: string }): Promise<string> =>
    (await explorerFiles(options)).find(({ path }) => path === '/')!.text;
  assert.match(await pageOf({ docs: 'docs/' }), /<link rel="help" href="docs\/">\s*<\/head>/);
  assert.doesNotMatch(await pageOf(), /rel="help"/);
});
