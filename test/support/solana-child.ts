/** Follows a node of Solana until it is killed: a line is printed once it is ready, and as each transaction begins. */
import { Swapfold } from '@swapfold/core';
import { solanaSource } from '@swapfold/solana';
import { engines } from './engines.ts';

const [engine, folder, url, from] = process.argv.slice(2) as [string, string, string, string];
const storage = engines[engine]!(folder);
const write = storage.write.bind(storage);
const dex = await Swapfold.open({ storage, config: { preset: 'solana' } });
storage.write = (change) => {
  process.stdout.write('write\n');
  return write(change);
};
process.stdout.write('ready\n');
await dex.follow(solanaSource({ url, from_slot: Number(from), poll_ms: 5, onNotice: () => undefined }));
