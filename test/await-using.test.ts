import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { serve } from '@swapfold/server';
import { engines, withFolder } from './support/engines.ts';

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: a block that ends closes the store that it uses, and one that throws too`, () =>
    withFolder(async (folder) => {
      let left: Swapfold;
      {
        await using dex = await Swapfold.open({ storage: open(folder) });
        assert.equal((await dex.info()).swaps, 0);
        left = dex;
      }
      await assert.rejects(left.info(), { code: 'closed' });
      await assert.rejects(
        (async () => {
          await using dex = await Swapfold.open({ storage: open(folder) });
          left = dex;
          throw new Error('of the block');
        })(),
        { message: 'of the block' },
      );
      await assert.rejects(left.info(), { code: 'closed' });
      // A store that is still open would be locked.
      await (await Swapfold.open({ storage: open(folder) })).close();
    }));
}

for (const isClosedBefore of [false, true])
  test(`a block that ends closes a server and its store, ${isClosedBefore ? 'also a server that was closed before' : 'in this order'}`, () =>
    withFolder(async (folder) => {
      let url: string;
      let left: Swapfold;
      {
        await using dex = await Swapfold.open({ storage: engines.sqlite!(folder) });
        await using server = await serve(dex, { port: 0, keys: ['a-key-for-the-test'] });
        assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
        ({ url } = server);
        left = dex;
        if (isClosedBefore) await server.close();
      }
      await assert.rejects(fetch(`${url}/healthz`), TypeError);
      await assert.rejects(left.info(), { code: 'closed' });
    }));
