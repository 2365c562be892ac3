import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { everyPosition } from './support/compare-positions.ts';
import { engines, withFolder } from './support/engines.ts';
import { askOracle, hasPython } from './support/oracle.ts';
import { transferConfig } from './support/transfer-rows.ts';
import { firstInFirstOut, type Result, walletExport } from './support/wallet-export.ts';

const SEED = 64;
const made = walletExport(SEED, { swaps: 3000, transfers: 500 });
const wanted = firstInFirstOut(made);
const CENT = 0.01;

/** The fields of a position that an independent first-in-first-out says, to the cent; amounts here to a billionth. */
function compare(
  found: readonly { token: string; holding: Readonly<Record<string, unknown>>; unmatched: number }[],
): void {
  const shown = found.filter(({ token }) => token.startsWith('T'));
  assert.deepEqual(shown.map(({ token }) => token).sort(), [...wanted.keys()].sort());
  for (const { token, holding, unmatched } of shown) {
    const one = wanted.get(token)!;
    const is: Omit<Result, 'amount_here'> = {
      pnl: Number(holding.realized_pnl),
      unmatched,
      cost_here: Number(holding.cost_basis),
      cost_away: Number(holding.away_cost),
    };
    for (const [name, value] of Object.entries(is))
      assert.ok(
        Math.abs(value - one[name as keyof Result]) < CENT,
        `${token} ${name}: ${value}, not ${one[name as keyof Result]}`,
      );
    const here = Number(holding.balance) - Number(holding.arrived_amount);
    assert.ok(
      Math.abs(here - one.amount_here) <= 1e-9 * (1 + one.amount_here),
      `${token}: ${here} here, not ${one.amount_here}`,
    );
  }
}

test('the made-up export has lots that are away, that came back, and sells without a cost', () => {
  const sum = (name: keyof Result) => [...wanted.values()].reduce((total, one) => total + one[name], 0);
  assert.ok(sum('cost_away') > 1000 && sum('unmatched') > 1000 && sum('cost_here') > 1000);
});

test(
  'the independent script gives what a plain first-in-first-out over the export gives, to the cent',
  {
    skip: hasPython ? false : 'python3 is not installed',
  },
  () =>
    withFolder(async (folder) => {
      const write = (name: string, rows: readonly object[]): string => {
        writeFileSync(join(folder, name), rows.map((row) => JSON.stringify(row)).join('\n'));
        return join(folder, name);
      };
      const { positions, trades } = askOracle({
        config: transferConfig,
        swaps: [write('swaps.ndjson', made.swaps)],
        transfers: write('transfers.ndjson', made.transfers),
        include: ['positions'],
      });
      compare(
        Object.values(positions!).map(({ token_address: token, holding }) => ({
          token,
          holding,
          unmatched: trades
            .filter((trade) => trade.token === token)
            .reduce((sum, trade) => sum + Number(trade.unmatched_proceeds), 0),
        })),
      );
    }),
);

for (const [engine, open] of Object.entries(engines))
  test(`${engine}: the positions of an export of 3,000 swaps and 500 transfers are those of a plain first-in-first-out, to the cent`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: transferConfig });
      await dex.ingest(made.swaps);
      await dex.transfers.ingest(made.transfers);
      await dex.refresh();
      const found = await everyPosition(dex, { filter: { wallet_address: 'Ann' } });
      const lifetime = await Promise.all(
        found.map(async ({ token_address: token, holding }) => ({
          token,
          holding,
          unmatched: await unmatchedOf(dex, token),
        })),
      );
      compare(lifetime);
      await dex.close();
    }));

/** Over all sells, from what they brought and what of it has a cost. */
async function unmatchedOf(dex: Swapfold, token: string): Promise<number> {
  const sold = made.swaps
    .filter((swap) => swap.token_in === token)
    .reduce((sum, swap) => sum + swap.token_amount_out, 0);
  const { holding } = (await dex.positions.get({ wallet: 'Ann', token })) as { holding: Record<string, number | null> };
  const { realized_pnl: pnl, realized_roi: roi } = holding;
  if (!roi) return sold - Number(pnl);
  return sold - Number(pnl) * (1 + 100 / roi);
}
