import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { ANN, START, startService, T, USDC } from './service.ts';

const path = join(resolve(import.meta.dirname, '../../..'), 'examples/deploy/grafana-dashboard.json');

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly description: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const dashboard = JSON.parse(readFileSync(path, 'utf8')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
};

const followed = {
  tx_hash: 'followed',
  swap_index: 0,
  block_time: START + 9001,
  wallet: ANN,
  token_in: USDC,
  token_amount_in: 1,
  token_out: T,
  token_amount_out: 1,
};

/** What a scrape gives: the labels of the samples of each name. */
async function scraped(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const service = await startService({ metrics: { port: 0 } });
  await service.post('/swaps/get-swaps', {});
  const stop = new AbortController();
  const source = {
    name: 'feed',
    async *read(_: string | null, { signal }: { readonly signal: AbortSignal }) {
      yield { rows: [followed], place: '1' };
      await once(signal, 'abort');
    },
  };
  const stored = new Promise<void>((resolve) => {
    void service.dex.follow(source, { signal: stop.signal, onItem: () => resolve() }).catch(() => undefined);
  });
  await stored;
  const text = await (await fetch(service.metricsUrl!)).text();
  stop.abort();
  await service.close();
  const found = new Map<string, Set<string>>();
  for (const [, name, labels = ''] of text.matchAll(/^([a-z_]+)(?:\{(.*)\})? \S+$/gm)) {
    const known = found.get(name!) ?? new Set(['instance']);
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
    found.set(name!, known);
  }
  return found;
}

const namesIn = (text: string): readonly string[] => text.match(/\b(?:swapfold|process)_[a-z_]+/g) ?? [];

test('the dashboard asks for metrics that are served, by labels that they have', async () => {
  const served = await scraped();
  const asked = dashboard.panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target })));
  assert.ok(asked.length >= 16);
  for (const { title, expr, legendFormat } of asked) {
    const names = namesIn(expr);
    assert.equal(names.length, 1, title);
    const labels = served.get(names[0]!);
    assert.ok(labels !== undefined, `${title}: ${names[0]} is not served`);
    const used = [
      ...[...expr.matchAll(/(\w+)=~?"/g)].map(([, label]) => label!),
      ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(', ')),
      ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
    ];
    for (const label of used) assert.ok(labels.has(label), `${title}: ${names[0]} has no label "${label}"`);
  }
  for (const { query } of dashboard.templating.list)
    for (const name of namesIn(JSON.stringify(query))) assert.ok(served.has(name), name);
});

test('the dashboard shows every metric that the server has of its own', async () => {
  const shown = new Set(dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => namesIn(expr))));
  const own = [...(await scraped()).keys()].filter((name) => !/_(sum|count)$/.test(name));
  assert.deepEqual(
    own.filter((name) => !shown.has(name)),
    [],
  );
});

test('every panel has a number of its own, a sentence, and a place that no other takes', () => {
  const { panels } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const { title, description, gridPos } of panels) {
    assert.match(description, /\.$/, title);
    assert.ok(gridPos.x + gridPos.w <= 24, title);
  }
  const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  );
  assert.equal(new Set(places).size, places.length);
});
