import type { Anvil } from '../../test/chain/anvil.ts';
import { startAnvil } from '../../test/chain/anvil.ts';
import { send, sending } from '../../test/chain/contracts.ts';
import { deployExchange, type Exchange, units } from '../../test/chain/exchange.ts';
import { randomOf, routesOf, typical } from '../../test/chain/traffic.ts';

/** A chain of swaps that the contestants read. */
export interface Market {
  readonly chain: Anvil;
  readonly exchange: Exchange;
  /** Mines blocks of as many swap events each. */
  readonly mine: (blocks: number) => Promise<void>;
  /** Mines blocks of nothing. */
  readonly mineEmpty: (blocks: number) => Promise<void>;
  /** Takes the newest blocks back, in whose place come as many empty ones. */
  readonly reorganise: (depth: number) => Promise<void>;
  readonly newest: () => Promise<number>;
}

/** Wallets that trade. */
const WALLETS = 200;

/** A chain of Uniswap V2 and V3, five pools and 200 wallets, whose blocks hold `perBlock` swap events each, in routes of one to three pools. */
export async function startMarket(perBlock: number): Promise<Market> {
  // Its blocks are a second apart, and may not lie in the future.
  const chain = await startAnvil(['--timestamp', String(Math.floor(Date.now() / 1000) - 50_000)], WALLETS);
  const exchange = await deployExchange(chain);
  const random = randomOf(perBlock);
  const routes = routesOf(exchange);
  const transactions = function* (): Generator<ReturnType<typeof sending>> {
    for (let open = perBlock; open > 0; ) {
      const fitting = routes.filter(({ path }) => path.length - 1 <= open);
      const route = fitting[Math.floor(random() * fitting.length)]!;
      const trader = exchange.traders[Math.floor(random() * exchange.traders.length)]!;
      const first = route.path[0]!;
      open -= route.path.length - 1;
      yield sending(exchange.swap(trader, route, units(first, typical[first.symbol]! * (0.2 + random()))));
    }
  };
  return {
    chain,
    exchange,
    async mine(blocks) {
      for (let i = 0; i < blocks; i++) {
        await send(chain, [...transactions()]);
        await chain.call('anvil_mine', '0x1');
      }
    },
    mineEmpty: async (blocks) => {
      await chain.call('anvil_mine', `0x${blocks.toString(16)}`);
    },
    reorganise: async (depth) => {
      await chain.call('anvil_reorg', depth, []);
    },
    newest: async () => Number(await chain.call('eth_blockNumber')),
  };
}
