/** Feeds one part on ClickHouse until it ends or is killed; a line is printed as each transaction begins. */
import { feedPart } from '../../../../test/support/shards.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from './chdb.ts';
import { fed } from './fed.ts';

const [folder, database] = process.argv.slice(2) as [string, string];
const { client } = await openClient(folder);
const storage = clickhouse({ server: client, database });
const write = storage.write.bind(storage);
storage.write = (change) => {
  process.stdout.write('write\n');
  return write(change);
};
await feedPart(storage, { ...fed, index: 2, of: 3, batch: fed.swaps.length / 4 });
