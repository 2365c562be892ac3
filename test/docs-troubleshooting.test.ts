import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/guides/troubleshooting.md'), 'utf8');

/** Messages of Node.js. */
const foreign = ['JavaScript heap out of memory'];

test('every message of docs/guides/troubleshooting.md is one that a source has', () => {
  const sources = readdirSync(join(root, 'packages')).flatMap((name) =>
    ['src', 'bin'].flatMap((folder) => textsBelow(join(root, 'packages', name, folder))),
  );
  const messages = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, message]) => message!);
  assert.ok(messages.length >= 20);
  const parts = messages.flatMap((message) => message.split('…')).filter((part) => part !== '');
  assert.deepEqual(
    parts.filter((part) => !foreign.includes(part) && !sources.some((text) => text.includes(part))),
    [],
  );
});

test('docs/guides/troubleshooting.md has at most 80 lines', () => {
  assert.ok(page.split('\n').length <= 81);
});

function textsBelow(folder: string): string[] {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
  return names.filter((name) => /\.[jt]s$/.test(name)).map((name) => readFileSync(join(folder, name), 'utf8'));
}
