/**
 * Follows a node of Solana until it is killed: a line is printed once it is ready, as each transaction begins, and for each notice. What is followed is given
 * as options of the source.
 */
import { Swapfold } from '@swapfold/core';
import { solanaSource } from '@swapfold/solana';
import { engines } from './engines.ts';

const [engine, folder, url, options] = process.argv.slice(2) as [string, string, string, string];
const storage = engines[engine]!(folder);
const write = storage.write.bind(storage);
const dex = await Swapfold.open({ storage, config: { preset: 'solana' } });
storage.write = (change) => {
  process.stdout.write('write\n');
  return write(change);
};
process.stdout.write('ready\n');
const onNotice = (line: string): unknown => process.stdout.write(`notice ${line}\n`);
await dex.follow(solanaSource({ url, poll_ms: 5, onNotice, ...JSON.parse(options) }));
