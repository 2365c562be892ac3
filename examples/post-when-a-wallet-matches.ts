// A service that posts a wallet to a URL when it begins to match a filter. Run it with: npx tsx examples/post-when-a-wallet-matches.ts
// Give a URL of your own as WEBHOOK; without one it posts to a server in this program, which prints what comes.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { columnsToObjects, memory, Swapfold } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';

const receiver = createServer(async (request, response) => {
  const { wallet, pnl } = (await json(request)) as { wallet: string; pnl: number };
  console.log(`${wallet} has made ${pnl.toFixed(0)} USD in 7 days`);
  response.end();
});
await once(receiver.listen(0, '127.0.0.1'), 'listening');
const webhook = process.env.WEBHOOK ?? `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

const market = generateMarket({ seed: 5, swaps: 4000, wallets: 200 });
const dex = await Swapfold.open({ storage: memory(), config: market.config });

const winners = dex.subscribe('profiles.wallet', {
  filter: { 'metrics.7d.pnl': { $gt: 5000 }, 'metrics.7d.winrate': { $gte: 60 } },
  options: { include_metrics: ['7d'] },
});
await winners.ready;

async function post(): Promise<void> {
  for await (const { data, began = [] } of winners) {
    for (const { wallet_address: wallet, metrics } of data) {
      if (!began.includes(wallet)) continue;
      const body = JSON.stringify({ wallet, pnl: metrics?.['7d']?.pnl });
      const { status } = await fetch(webhook, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
      });
      if (status >= 400) console.error(`${webhook} answered ${status} for ${wallet}`);
    }
  }
}
const posting = post();

// The market of this example: some swaps, then a refresh, which is what profiles follow.
const swaps = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
for (let from = 0; from < swaps.length; from += 1000) {
  await dex.ingest(swaps.slice(from, from + 1000));
  await dex.refresh();
}
// A service would go on. This one ends when the subscription has come as far as one that begins now.
const { cursor } = dex.subscribe('swaps');
while (winners.cursor !== cursor) await nextTurn();
await nextTurn();
await dex.close();
await posting;
receiver.closeAllConnections();
receiver.close();
