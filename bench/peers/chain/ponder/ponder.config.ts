import { createConfig, factory } from 'ponder';
import { type Address, parseAbi, parseAbiItem } from 'viem';

const [v2, v3] = process.env.BENCH_FACTORIES!.split(',') as [Address, Address];

export default createConfig({
  database: { kind: 'pglite', directory: process.env.BENCH_DATABASE! },
  chains: { anvil: { id: 31337, rpc: process.env.BENCH_RPC!, pollingInterval: 100 } },
  contracts: {
    V2: {
      chain: 'anvil',
      startBlock: 0,
      abi: parseAbi([
        'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
      ]),
      address: factory({
        address: v2,
        event: parseAbiItem('event PairCreated(address indexed token0, address indexed token1, address pair, uint256)'),
        parameter: 'pair',
      }),
    },
    V3: {
      chain: 'anvil',
      startBlock: 0,
      abi: parseAbi([
        'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
      ]),
      address: factory({
        address: v3,
        event: parseAbiItem(
          'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
        ),
        parameter: 'pool',
      }),
    },
  },
});
