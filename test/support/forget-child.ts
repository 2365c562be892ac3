/** Forgets the swaps of a store some at a time, until it is done or killed: a line is printed as each transaction begins. */
import { Swapfold } from '@swapfold/core';
import { engines } from './engines.ts';
import { moveOnce } from './forget.ts';
import { horizonConfig as config } from './horizon.ts';

const [engine, folder, target, chunk] = process.argv.slice(2) as [string, string, string, string];
const storage = engines[engine]!(folder);
const dex = await Swapfold.open({ storage, config });
process.stdout.write('ready\n');
for (let horizon = 0; horizon < Number(target); ) {
  process.stdout.write('write\n');
  horizon = await moveOnce(dex, storage, Number(target), Number(chunk));
}
await dex.close();
