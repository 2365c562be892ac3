import { generateMarket } from '@swapfold/testing';
import { writeMarketParquet } from './market-parquet.ts';

// A made-up market as a Parquet file such as Dune exports: npm run bench:dune -- FILE.parquet [SWAPS]
const [path, swaps = '1000000'] = process.argv.slice(2);
if (path === undefined) throw new Error('Give the file to write: npm run bench:dune -- FILE.parquet [SWAPS]');
await writeMarketParquet(generateMarket({ seed: 1, swaps: Number(swaps), withBalances: false }), [['dune', path]]);
console.log(`Wrote ${swaps} swaps to ${path}.`);
