import test, { after } from 'node:test';
import { describeStorage } from '@swapfold/testing';
import { shortSuite } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

let stores = 0;

describeStorage({
  test,
  ...shortSuite,
  open: async () => {
    const database = `swapfold_test_${process.pid}_${stores++}`;
    return {
      adapter: clickhouse({ server: client, database }),
      reopen: async () => clickhouse({ server: client, database }),
      dispose: async () => {
        await client.command({ query: `drop database if exists ${database} sync` });
      },
    };
  },
});
