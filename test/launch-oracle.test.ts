import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConfigInput, Swapfold, type SwapInput, type TokenInput, type TransferInput } from '@swapfold/core';
import { Random } from './support/attacks/prints.ts';
import { engines, withFolder } from './support/engines.ts';
import { askOracles, hasPython, type OracleLaunch } from './support/oracle.ts';

const START = 1_700_000_000;
const SUPPLY = 1_000_000;
const roles = ['dev', 'sniper', 'bundler', 'insider'] as const;

interface Story {
  readonly swaps: readonly SwapInput[];
  readonly transfers: readonly TransferInput[];
  readonly tokens: readonly TokenInput[];
}

/** Launches of some tokens, in a crowd so small that every rule has something to decide. */
function storyOf(seed: number): Story {
  const random = new Random(seed);
  const wallets = Array.from({ length: 14 }, (_, i) => `w${i}`);
  const swaps: SwapInput[] = [];
  const transfers: TransferInput[] = [];
  const tokens: TokenInput[] = [];
  const maybe = <T>(chance: number, value: T): T | undefined => (random.next() < chance ? value : undefined);
  const pick = <T>(items: readonly T[]): T => items[random.below(items.length)]!;
  for (let t = 0; t < 6; t++) {
    const token = `token${t}`;
    const start = START + t * 2000;
    const [hasSlots, hasIndexes] = [random.next() < 0.85, random.next() < 0.8];
    const facts = {
      created_at: maybe(0.75, start - 20 + random.below(40)),
      total_supply: maybe(0.85, SUPPLY),
      creator_address: maybe(0.85, pick(wallets)),
    };
    tokens.push({
      address: token,
      ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
    });
    const seconds = pick([0.5, 2, 6]);
    const places = Array.from({ length: 18 }, (_, i) => {
      const after = random.next() < 0.6 ? random.below(8) : random.below(80);
      const slot = 1000 + t * 10_000 + Math.floor(after / seconds);
      return {
        tx_hash: `${token}-${i}`,
        block_time: start + after,
        ...(hasSlots ? { block_slot: slot } : {}),
        // No two of a block have the same.
        ...(hasIndexes && hasSlots ? { tx_index: (i * 7) % 18 } : {}),
      };
    });
    for (let i = 0; i < 40; i++) {
      const place = pick(places);
      const isBuy = random.next() < 0.7;
      const [amount, usd] = [1 + random.below(20_000), 1 + random.below(500)];
      swaps.push({
        ...place,
        swap_index: i,
        wallet: pick(wallets),
        ...(isBuy
          ? { token_in: 'USDC', token_amount_in: usd, token_out: token, token_amount_out: amount }
          : { token_in: token, token_amount_in: amount, token_out: 'USDC', token_amount_out: usd }),
        ...(random.next() < 0.3 ? { pool: `pool${t}` } : {}),
      });
    }
    for (let i = 0; i < 14; i++) {
      const after = random.below(60) - 10;
      const sender = random.next() < 0.5 ? (facts.creator_address ?? 'w0') : pick([...wallets, `pool${t}`]);
      const isOfSwap = random.next() < 0.25;
      transfers.push({
        ...(isOfSwap ? pick(places) : { tx_hash: `${token}-t${i}`, block_time: start + after }),
        transfer_index: i,
        token,
        token_amount: pick([400, 600, 999, 1000, 5000]),
        from: sender,
        to: pick([...wallets, `pool${t}`]),
        ...(random.next() < 0.3 ? { includes_swaps: true } : {}),
      });
    }
  }
  return { swaps, transfers, tokens };
}

const config = {
  address_format: 'any',
  quote_tokens: [{ address: 'USDC', symbol: 'USDC', kind: 'stable' }],
  chain: 'story',
  launch: { bundle_wallets: 3, activity_seconds: 1500, block_seconds: 0.5 },
} as const satisfies ConfigInput;

const near = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));

/** Asks for the launch of each token, and compares every field with what the script says. */
async function compare(dex: Swapfold, launches: Readonly<Record<string, OracleLaunch>>, asOf: number): Promise<void> {
  for (const [token, expected] of Object.entries(launches)) {
    const at = dex.at(asOf);
    const { data, launch, bundles, insiders } = await at.tokens.buyers({ token, limit: 100 });
    assert.deepEqual(
      data.map(({ wallet }) => wallet),
      expected.buyers,
      token,
    );
    assert.equal(launch?.source ?? null, expected.source, token);
    const section = (await at.tokens.get({ token, options: { include_launch: true } })).launch!;
    if (launch === null) {
      assert.deepEqual(new Set(Object.values(section)), new Set([null]));
      continue;
    }
    assert.deepEqual([launch.block_time, launch.tx_hash], [expected.launched_at, expected.tx_hash], token);
    assert.equal(bundles?.length ?? null, expected.bundle_count, token);
    const known = [...data, ...(insiders ?? []).filter(({ wallet }) => !expected.buyers.includes(wallet))];
    const of = (role: string) => known.filter((one) => one.roles.includes(role as never)).map(({ wallet }) => wallet);
    for (const role of roles) {
      const wallets = expected.roles![role] ?? null;
      // A dev need not have bought.
      if (role !== 'dev') assert.deepEqual(of(role).sort(), wallets ?? [], `${token}: ${role}`);
      if (role !== 'dev') assert.equal(section[`${role}_count`], wallets === null ? null : wallets.length, role);
      for (const name of ['bought_share', 'held_share', 'pnl'] as const) {
        const [found, right] = [section[`${role}_${name}`], expected.sums![role]?.[name] ?? null];
        assert.ok(near(found, right), `${token}: ${role}_${name} is ${found}, and by the script ${right}`);
      }
    }
  }
}

const seeds = [501, 502, 503, 504, 505, 506];

test('an independent script finds the same launches, roles, shares and results', { skip: !hasPython }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-launches-'));
  const stories = seeds.map(storyOf);
  const instants = [START + 4, START + 2006, START + 6030, START + 10_100];
  try {
    const lines = (name: string, rows: readonly object[]): string => {
      const path = join(folder, name);
      writeFileSync(path, rows.map((row) => JSON.stringify(row)).join('\n'));
      return path;
    };
    const answers = askOracles(
      stories.flatMap(({ swaps, transfers, tokens }, i) => {
        const request = {
          config,
          swaps: [lines(`swaps-${i}.ndjson`, swaps)],
          transfers: lines(`transfers-${i}.ndjson`, transfers),
          tokens: lines(`tokens-${i}.ndjson`, tokens),
          include: ['launch'] as const,
        };
        return instants.map((as_of) => ({ ...request, as_of }));
      }),
    );
    const counted: Record<string, number> = {};
    for (const [i, { swaps, transfers, tokens }] of stories.entries()) {
      // Engines share the code that the script is held against.
      for (const engine of i < 2 ? (['memory', 'sqlite', 'duckdb'] as const) : (['memory'] as const)) {
        await withFolder(async (place) => {
          const dex = await Swapfold.open({ storage: engines[engine]!(place, i), config });
          await dex.tokens.upsert(tokens);
          await dex.transfers.ingest(transfers);
          await dex.ingest(swaps);
          for (const [k, instant] of instants.entries()) {
            const { launches } = answers[i * instants.length + k]!;
            await compare(dex, launches!, instant);
            if (engine !== 'memory') continue;
            for (const { source, roles: found = {} } of Object.values(launches!)) {
              counted[`${source}`] = (counted[`${source}`] ?? 0) + 1;
              for (const [role, of] of Object.entries(found))
                counted[of === null ? `no ${role}` : role] =
                  (counted[of === null ? `no ${role}` : role] ?? 0) + (of?.length ?? 1);
            }
          }
          await dex.close();
        });
      }
    }
    // Each branch decided somewhere.
    const branches = ['created_at', 'first_swap', 'activity', 'null', ...roles, 'no dev', 'no bundler', 'no insider'];
    for (const branch of branches) assert.ok((counted[branch] ?? 0) > 5, `${branch}: ${counted[branch]}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
