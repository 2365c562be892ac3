/** Indexes the swaps of two factories' pools into CSV files with Subsquid's processor; it ends after the last block. */
import { EvmBatchProcessor } from '@subsquid/evm-processor';
import { Database, LocalDest } from '@subsquid/file-store';
import { decodeEventLog, parseAbi } from 'viem';

const { BENCH_RPC, BENCH_DATABASE, BENCH_FACTORIES, BENCH_TO, BENCH_CAPACITY } = process.env;
const factories = new Set(BENCH_FACTORIES.toLowerCase().split(','));
const events = parseAbi([
  'event PairCreated(address indexed token0, address indexed token1, address pair, uint256 index)',
  'event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)',
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
  'event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)',
]);
const topics = {
  created: [
    '0x0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9',
    '0x783cca1c0412dd0d695e784568c96da2e9c22ff989357a2e8b1d9b2b4e6b7118',
  ],
  swap: [
    '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822',
    '0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67',
  ],
};

/** A table of one file: rows as lines of JSON. */
class Lines {
  name = 'swaps.ndjson';
  createWriter() {
    let text = '';
    return {
      get size() {
        return text.length;
      },
      write(row) {
        text += `${JSON.stringify(row)}\n`;
        return this;
      },
      writeMany(rows) {
        for (const row of rows) this.write(row);
        return this;
      },
      flush() {
        const bytes = Buffer.from(text);
        text = '';
        return bytes;
      },
    };
  }
}

const processor = new EvmBatchProcessor()
  .setRpcEndpoint({ url: BENCH_RPC, ...(BENCH_CAPACITY && { capacity: Number(BENCH_CAPACITY) }) })
  .setFinalityConfirmation(10)
  .setBlockRange({ from: 0, to: Number(BENCH_TO) })
  .setFields({
    log: { address: true, topics: true, data: true, transactionHash: true },
    transaction: { from: true, hash: true },
  })
  .addLog({ address: [...factories], topic0: topics.created })
  .addLog({ topic0: topics.swap, transaction: true });

const pools = new Set();
const database = new Database({ tables: { swaps: new Lines() }, dest: new LocalDest(BENCH_DATABASE) });
processor.run(database, async (ctx) => {
  for (const { logs } of ctx.blocks)
    for (const log of logs) {
      const { eventName, args } = decodeEventLog({ abi: events, topics: log.topics, data: log.data });
      if (eventName !== 'Swap') {
        pools.add((args.pair ?? args.pool).toLowerCase());
        continue;
      }
      if (!pools.has(log.address)) continue;
      const [amount0, amount1] =
        'amount0' in args
          ? [args.amount0, args.amount1]
          : [args.amount0In - args.amount0Out, args.amount1In - args.amount1Out];
      ctx.store.swaps.write([log.address, log.transaction.from, String(amount0), String(amount1)]);
    }
  if (ctx.blocks.at(-1).header.height >= Number(BENCH_TO)) ctx.store.setForceFlush(true);
});
