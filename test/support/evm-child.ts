/** Follows a node of an EVM chain until it is killed: a line is printed once it is ready, and as each transaction begins. */
import { Swapfold } from '@swapfold/core';
import { evmSource } from '@swapfold/evm';
import { engines } from './engines.ts';

const [engine, folder, url, factory, from] = process.argv.slice(2) as [string, string, string, string, string];
const storage = engines[engine]!(folder);
const write = storage.write.bind(storage);
const dex = await Swapfold.open({ storage, config: { preset: 'ethereum' } });
storage.write = (change) => {
  process.stdout.write('write\n');
  return write(change);
};
process.stdout.write('ready\n');
await dex.follow(
  evmSource({
    url,
    factories: [factory],
    from_block: Number(from),
    poll_ms: 5,
    max_range: 20,
    onNotice: () => undefined,
  }),
);
