import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { presets, Swapfold } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import fc from 'fast-check';
import { Comparison } from './support/compare.ts';
import { comparePosition, everyPosition, everything, type ServedPosition } from './support/compare-positions.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { askOracles, hasPython } from './support/oracle.ts';
import { cases, isWhole } from './support/whole.ts';

const seed = 20_240_105;
const { swaps, market } = smallMarket({
  wallets: cases(60, 30),
  tokens: cases(15, 10),
  days: 35,
  swaps: cases(1500, 500),
  seed: 21,
});
const config = presets.solana;

interface Condition {
  readonly filter: object;
  readonly holds: (position: ServedPosition) => boolean;
}

const valueAt = (position: ServedPosition, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], position);

const paths = [
  'holding.value',
  'holding.price',
  'holding.unrealized_roi',
  'holding.realized_pnl',
  'metrics.30d.win_pnl',
  'metrics.7d.pnl',
  'metrics.14d.avg_holding_duration',
  'metrics.3d.trade_count',
];
const bound = fc.constantFrom(-80, -1, 0, 0.001, 1, 2, 50, 1000, 86_400);

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(fc.constantFrom(...paths), fc.constantFrom('$gt', '$lte'), bound).map(
    ([path, operator, than]): Condition => ({
      filter: { [path]: { [operator]: than } },
      holds(position) {
        const value = valueAt(position, path) as number | null;
        return value !== null && (operator === '$gt' ? value > than : value <= than);
      },
    }),
  ),
  fc.constantFrom('flip', 'diamond', 'bagholder').map(
    (label): Condition => ({
      filter: { labels: label },
      holds: ({ labels }) => labels.includes(label),
    }),
  ),
  fc.constantFrom('open', 'closed', 'unknown').map(
    (state): Condition => ({
      filter: { 'metadata.state': state },
      holds: ({ metadata }) => metadata.state === state,
    }),
  ),
  fc.constantFrom('a', 'so', 'x').map(
    (part): Condition => ({
      filter: { 'metadata.symbol': { $contains: part } },
      holds: ({ metadata }) =>
        String(metadata.symbol ?? '')
          .toLowerCase()
          .includes(part),
    }),
  ),
);

const { condition } = fc.letrec<{ condition: Condition }>((tie) => {
  const several = fc.array(tie('condition'), { minLength: 1, maxLength: 3 });
  const group = fc.tuple(fc.constantFrom('$and', '$or', '$nor'), several).map(
    ([operator, parts]): Condition => ({
      filter: { [operator]: parts.map(({ filter }) => filter) },
      holds(position) {
        const held = parts.map(({ holds }) => holds(position));
        return operator === '$and' ? held.every(Boolean) : held.some(Boolean) === (operator === '$or');
      },
    }),
  );
  return { condition: fc.oneof({ maxDepth: 3, depthSize: 'small' }, leaf, group) };
});

/** Memory compares by its own columns; SQLite and DuckDB compile the same SQL, which test/search-pages.test.ts asks of both. */
for (const engine of isWhole ? Object.keys(engines) : ['memory', 'sqlite']) {
  const open = engines[engine]!;
  test(`${engine}: a search finds, counts and orders what a filter over all single answers does (seed ${seed})`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      await dex.tokens.upsert([...market.tokens()]);
      await dex.ingest(swaps);
      await dex.refresh();
      const all: ServedPosition[] = [];
      for (const { wallet_address: wallet, token_address: token } of await everyPosition(dex))
        all.push((await dex.positions.get({ wallet, token, options: everything })) as unknown as ServedPosition);
      const of = (name: 'wallet_address' | 'token_address') => fc.constantFrom(...new Set(all.map((one) => one[name])));
      const place = fc.oneof(
        of('token_address').map(
          (token): Condition => ({ filter: { token_address: token }, holds: (one) => one.token_address === token }),
        ),
        fc.array(of('wallet_address'), { maxLength: 12 }).map(
          (wallets): Condition => ({
            filter: { wallet_address: { $in: wallets } },
            holds: (one) => wallets.includes(one.wallet_address),
          }),
        ),
        fc.constant<Condition>({ filter: {}, holds: () => true }),
      );
      const sort = fc.record({ field: fc.constantFrom(...paths), direction: fc.constantFrom('asc', 'desc') });
      const property = fc.asyncProperty(
        place,
        condition,
        sort,
        fc.integer({ min: 1, max: 30 }),
        async (one, other, by, limit) => {
          const { field, direction } = by;
          const filter = { $and: [other.filter, one.filter] };
          const expected = all.filter((position) => one.holds(position) && other.holds(position));
          const sign = direction === 'asc' ? 1 : -1;
          expected.sort((a, b) => {
            const [x, y] = [valueAt(a, field), valueAt(b, field)] as (number | null)[];
            if (x !== y) return x == null ? 1 : y == null ? -1 : (x - y) * sign;
            const tie = (position: ServedPosition): string => `${position.wallet_address} ${position.token_address}`;
            return tie(a) < tie(b) ? -1 : 1;
          });
          const found: unknown[] = [];
          let cursor: string | undefined;
          do {
            const page = await dex.positions.search({
              filter,
              sort: by,
              options: everything,
              limit,
              ...(cursor === undefined ? {} : { cursor }),
            } as object);
            assert.equal(page.count, expected.length);
            found.push(...page.data);
            cursor = page.cursor;
          } while (cursor !== undefined);
          assert.deepEqual(found, expected);
        },
      );
      await fc.assert(property, { seed, numRuns: cases(300, engine === 'memory' ? 30 : 12) });
      await dex.close();
    }));
}

test(
  'as of any instant a position is what an independent computation makes of the swaps until then',
  {
    skip: hasPython ? false : 'python3 is not installed',
  },
  () =>
    withFolder(async (folder) => {
      const [start, end] = [swaps[0]!.block_time, swaps.at(-1)!.block_time];
      const instants = Array.from(
        { length: 20 },
        (_, i) => start + Math.floor(((end - start) * ((i * 7919) % 1000)) / 1000),
      ).filter((_, i) => i % cases(1, 6) === cases(0, 1));
      const [path, tokens] = [join(folder, 'swaps.ndjson'), join(folder, 'tokens.ndjson')];
      writeFileSync(path, swaps.map((swap) => JSON.stringify(swap)).join('\n'));
      writeFileSync(tokens, [...market.tokens()].map((token) => JSON.stringify(token)).join('\n'));
      const answers = askOracles(
        instants.map((as_of) => ({ config, swaps: [path], tokens, as_of, include: ['positions'] as const })),
      );
      const dex = await Swapfold.open({ storage: engines.memory!(folder), config });
      await dex.tokens.upsert([...market.tokens()]);
      await dex.ingest(swaps);
      const to = new Comparison();
      for (const [i, { positions = {} }] of answers.entries()) {
        const then = dex.at(formatTime(instants[i]!));
        const chosen = Object.values(positions).filter((_, place) => place % cases(1, 3) === 0);
        for (const expected of chosen) {
          const { wallet_address: wallet, token_address: token } = expected;
          const actual = await then.positions.get({ wallet, token, options: everything });
          comparePosition(to, actual as unknown as ServedPosition, expected);
        }
      }
      await dex.close();
      assert.ok(to.cells > 5000);
      assert.deepEqual(to.differences.slice(0, 20), []);
    }),
);
