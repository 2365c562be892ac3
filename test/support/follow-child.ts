/** Follows a file or a folder, or serves what is pushed, until it is killed: a line is printed once it is ready, and as each transaction begins. */
import { join } from 'node:path';
import { Swapfold } from '@swapfold/core';
import { serve } from '@swapfold/server';
import { generateMarket } from '@swapfold/testing';
import { growingFile } from '../../packages/files/src/follow/file-source.ts';
import { folder as folderSource } from '../../packages/files/src/follow/folder-source.ts';
import { engines } from './engines.ts';

const [engine, folder, kind, seed] = process.argv.slice(2) as [string, string, string, string];
const { config } = generateMarket({ seed: Number(seed), swaps: 1 });
const storage = engines[engine]!(folder);
const write = storage.write.bind(storage);
const dex = await Swapfold.open({ storage, config });
storage.write = (change) => {
  process.stdout.write('write\n');
  return write(change);
};
if (kind === 'push') {
  const keys = [{ key: 'change-me-please', operations: ['ingest'] }];
  const server = await serve(dex, { port: 0, ingest: true, keys });
  process.stdout.write(`ready ${server.url}\n`);
} else {
  process.stdout.write('ready\n');
  await dex.follow(
    kind === 'file' ? growingFile(join(folder, 'feed.ndjson'), {}) : folderSource(join(folder, 'spool'), {}),
  );
}
