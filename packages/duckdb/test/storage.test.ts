import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createSqlAdapter } from '@swapfold/sql';
import { describeStorage } from '@swapfold/testing';
import { isWhole, shortSuite } from '../../../test/support/whole.ts';
import { createDriver } from '../src/duckdb.ts';
import { duckdb } from '../src/index.ts';

const adapters = {
  'as it comes': duckdb,
  'sorting after every write': (path: string) =>
    createSqlAdapter(createDriver(path, { rows: 0, share: 0, bulk: 1e9, slice: 1e6 })),
};

// By default a third of the tests run on a store that sorts after every write.
for (const [name, adapter] of Object.entries(adapters)) {
  let number = 0;
  describeStorage({
    ...shortSuite,
    ...(isWhole || name === 'as it comes' ? {} : { rows: 10_000 }),
    test: (title, body) => {
      number++;
      if (isWhole || name === 'as it comes' || number % 3 === 2) test(`${name}: ${title}`, body);
    },
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'swapfold-duckdb-'));
      const path = join(folder, 'store.duckdb');
      return {
        adapter: adapter(path),
        reopen: async () => adapter(path),
        dispose: () => rm(folder, { recursive: true }),
      };
    },
  });
}
