import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { windowSpecs } from '../src/bag/windows.ts';

const docs = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8');
const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

for (const [kind, name] of [
  ['wallets', 'wallet'],
  ['tokens', 'token'],
] as const)
  test(`the periods of ${kind} are those that docs/reference/metrics.md lists`, () => {
    const row =
      docs.split('\n').find((line) => line.startsWith(`| ${name} `) && line.includes(' x ')) ??
      assert.fail('no such row');
    const told = [...row.matchAll(/(\w+): (\d+) x (\d+)(s|m|h|d)/g)].map(([, window, periods, length, unit]) => ({
      name: window,
      periods: Number(periods),
      period: Number(length) * units[unit!]!,
    }));
    assert.deepEqual(
      told,
      windowSpecs[kind].map(({ name: window, periods, period }) => ({ name: window, periods, period })),
    );
  });
