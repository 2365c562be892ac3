/**
 * How long the history of an entity with many trades takes, and how long it holds the event loop.
 * `npm run bench:histories -- --trades N --engine sqlite|duckdb --threads never`; the last keeps SQLite's reads on one thread.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Swapfold, SwapInput } from '@swapfold/core';
import type { Engine } from './files.ts';
import { holdOf } from './hold.ts';
import { openStore } from './open.ts';

const { values: options } = parseArgs({
  options: {
    trades: { type: 'string', default: '100000' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'duckdb'] },
    threads: { type: 'string' },
  },
});
const trades = Number(options.trades);
const settings = options.threads === 'never' ? { threads_from_mb: Number.POSITIVE_INFINITY } : {};
const [START, DAY] = [1_700_006_400, 86_400];
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** A base58 address of 32 bytes: the number stands at its end, in a base of 32 of its letters. */
function address(kind: string, n: number): string {
  const letters = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghi';
  const digits = [15, 10, 5, 0].map((shift) => letters[(n >> shift) & 31]).join('');
  return `So${kind.repeat(37)}${digits}2`;
}

const [BOT, HOT] = [address('W', 0), address('T', 0)];

/** A bot with so many trades of 300 tokens, and a token with as many of 5,000 wallets, over 30 days. */
function* swaps(): Generator<SwapInput[]> {
  for (let from = 0; from < trades; from += 10_000) {
    const rows: SwapInput[] = [];
    for (let i = from; i < Math.min(from + 10_000, trades); i++) {
      const base = { swap_index: 0, block_time: START + Math.floor((i * 30 * DAY) / trades), block_slot: i };
      const isBuy = Math.floor(i / 300) % 2 === 0;
      const price = 1 + (i % 977) / 100;
      const side = (wallet: string, token: string): Omit<SwapInput, 'tx_hash'> => ({
        ...base,
        wallet,
        token_in: isBuy ? USDC : token,
        token_out: isBuy ? token : USDC,
        token_amount_in: isBuy ? 10 * price : 10,
        token_amount_out: isBuy ? 10 : 10 * price,
      });
      rows.push({ tx_hash: `bot${i}`, ...side(BOT, address('T', 1 + (i % 300))) });
      rows.push({ tx_hash: `hot${i}`, ...side(address('W', 1 + (i % 5000)), HOT) });
    }
    yield rows;
  }
}

console.log(`${trades} trades, Node ${process.version}, load ${loadavg()[0]!.toFixed(2)}`);
for (const engine of options.engine as Engine[]) {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-histories-'));
  try {
    const path = join(folder, 'store');
    const dex = await openStore(engine, path, settings);
    for (const rows of swaps()) {
      const { rejected } = await dex.ingest(rows);
      if (rejected > 0) throw new Error(`${rejected} swaps were rejected`);
    }
    await dex.close();
    for (const minutes of [1440, 60, 10]) await measure(engine, await openStore(engine, path, settings), minutes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(engine: Engine, dex: Swapfold, minutes: number): Promise<void> {
  const interval = minutes * 60;
  const asked = {
    'a wallet': () => dex.wallets.history({ wallet: BOT, interval }),
    'a token': () => dex.tokens.history({ token: HOT, interval }),
    "a token's holders": () => dex.tokens.history({ token: HOT, interval, metrics: ['holders'] }),
  };
  for (const [name, ask] of Object.entries(asked)) {
    const begun = performance.now();
    const { worked, elapsed } = await holdOf(ask);
    const took = performance.now() - begun;
    console.log(
      `${engine.padEnd(7)} ${name.padEnd(18)} every ${minutes} min: ${took.toFixed(0)} ms, longest hold ${worked.toFixed(1)} ms of work, ${elapsed.toFixed(1)} ms elapsed`,
    );
  }
  await dex.close();
}
