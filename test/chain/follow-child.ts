/** Follows a chain into a store until it is killed: URL, engine, file, and the options as JSON. */
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { evmSource } from '@swapfold/evm';
import { sqlite } from '@swapfold/sqlite';

const [engine, path, config, options] = process.argv.slice(2) as [string, string, string, string];
const dex = await Swapfold.open({
  storage: engine === 'duckdb' ? duckdb(path) : sqlite(path),
  config: JSON.parse(config),
});
process.stdout.write('open\n');
await dex.follow(evmSource({ ...JSON.parse(options), onNotice: () => undefined }));
