import { readFileSync, rmSync } from 'node:fs';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { fillCompanions } from '../packages/core/src/filter/companions.ts';
import { memory } from '../packages/core/src/memory/memory.ts';
import { builtInMetrics } from '../packages/core/src/metrics/built-in.ts';
import { profileFields } from '../packages/core/src/profiles/catalogue.ts';
import { profileTable } from '../packages/core/src/profiles/table.ts';
import { newBatch } from '../packages/core/src/records/columns.ts';
import { searchProfiles } from '../packages/core/src/search/search.ts';
import { defaultSorts } from '../packages/core/src/search/sort.ts';

const N = Number(process.argv[2] ?? 200_000);
const fields = profileFields('tokens', builtInMetrics);
const table = profileTable('tokens', fields);
const tokens = readFileSync('/work/shared/data/token-registry/solana-tokens.ndjson', 'utf8')
  .trim()
  .split('\n')
  .map((l) => JSON.parse(l));
function build(from: number, n: number) {
  const b = newBatch(table, n);
  const c = b.columns as any;
  for (let i = 0; i < n; i++) {
    const j = from + i;
    const t = tokens[j % tokens.length];
    const k = Math.floor(j / tokens.length);
    c.id[i] = j;
    c.fresh_until[i] = 1;
    c['token_address'][i] = t.address.slice(0, -3) + String(k).padStart(3, '1');
    c['metadata.symbol'][i] = k ? t.symbol + k : t.symbol;
    c['metadata.name'][i] = t.name + (k ? ' ' + tokens[(j * 7) % tokens.length].name.split(' ')[0] : '');
    c['labels'][i] = null;
  }
  for (const f of fields)
    if (f.type === 'number' || f.type === 'date' || f.type === 'boolean') {
      const a = c[f.path];
      for (let i = 0; i < n; i++)
        a[i] =
          f.type === 'number'
            ? Math.random() * 1e6
            : f.type === 'boolean'
              ? Math.random() < 0.05
                ? 1
                : 0
              : 1704000000 + Math.floor(Math.random() * 400000);
    }
  fillCompanions('tokens', fields, b);
  return b;
}
rmSync('/tmp/zzb.db', { force: true });
rmSync('/tmp/zzb.duckdb', { force: true });
const stores = [memory()];
const ctx = {
  kind: 'tokens' as const,
  table,
  fields: new Map(fields.map((f) => [f.path, f])),
  asOf: 1704412800,
  defaultSort: defaultSorts.tokens,
  columns: fields.map((f) => f.path).filter((p) => !p.startsWith('metrics.') || p.startsWith('metrics.7d')),
};
console.log(Object.keys(table.columns).length, 'columns', ctx.columns.length, 'read');
for (const s of stores) {
  await s.open({ tables: [table] });
  const t = performance.now();
  for (let f = 0; f < N; f += 20000) await s.write((w) => w.append(table, build(f, Math.min(20000, N - f))));
  console.log(s.engine, 'load', ((performance.now() - t) / 1000).toFixed(1), 's');
}
const reqs: Record<string, any> = {
  'filter4+sort': {
    filter: {
      'market.liquidity': { $gt: 500000 },
      'metrics.1d.volume': { $gt: 300000 },
      'metrics.7d.trade_count': { $gt: 500000 },
      'metadata.verified': false,
    },
    sort: { field: 'metrics.1h.volume' },
    limit: 50,
  },
  default: {},
  'query bonk': { query: { text: 'bonk' } },
  'query usdc': { query: { text: 'usdc' } },
  'query sol auto': { query: { text: 'sol', autocomplete: true } },
  'query s auto': { query: { text: 's', autocomplete: true } },
  'fuzzy raydum': { query: { text: 'raydum', fuzzy: true } },
  'fuzzy dogcoin': { query: { text: 'dogcoin', fuzzy: true } },
  'fuzzy marinade staked': { query: { text: 'marinad stked sol', fuzzy: true } },
  miss: { query: { text: 'zzzqqq' } },
};
for (const s of stores)
  for (const [name, r] of Object.entries(reqs)) {
    const times: number[] = [];
    let count = 0;
    for (let i = 0; i < (s.engine === 'sqlite' ? 4 : 8); i++) {
      const t = performance.now();
      const p = await s.snapshot((rd) => searchProfiles(rd, r, ctx));
      times.push(performance.now() - t);
      count = p.count;
    }
    times.sort((a, b) => a - b);
    console.log(
      s.engine.padEnd(8),
      name.padEnd(24),
      String(count).padStart(7),
      'p50',
      times[times.length >> 1]!.toFixed(1),
      'ms  min',
      times[0]!.toFixed(1),
    );
  }
for (const s of stores) await s.close();
