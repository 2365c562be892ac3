import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { withFolder } from './support/engines.ts';

const engines = { sqlite, duckdb };

for (const [name, engine] of Object.entries(engines)) {
  test(`${name}: a folder, and a file that is no database, are called that, and not files that cannot be written`, () =>
    withFolder(async (folder) => {
      const [other, text] = [join(folder, 'folder'), join(folder, 'text')];
      await mkdir(other);
      await writeFile(text, 'no database, but longer than the head of one '.repeat(500));
      for (const path of [other, text])
        await assert.rejects(
          Swapfold.open({ storage: engine(path) }),
          (error: Swapfold & { code: string; message: string }) => {
            assert.equal(error.code, 'foreign-store', error.message);
            assert.ok(error.message.includes(path) && !/written/.test(error.message), error.message);
            return true;
          },
        );
    }));

  // Root reads every file, so that another user has to try.
  test(`${name}: a file without the right to read is called that, and not one that cannot be written`, (t) =>
    withFolder(async (folder) => {
      const path = join(folder, 'store');
      await (await Swapfold.open({ storage: engine(path) })).close();
      await chmod(folder, 0o755);
      await chmod(path, 0o000);
      const script = `
        const { Swapfold } = await import('@swapfold/core');
        const { ${name} } = await import('@swapfold/${name}');
        try {
          await Swapfold.open({ storage: ${name}(${JSON.stringify(path)}) });
          console.log('opened');
        } catch ({ code, message }) {
          console.log(JSON.stringify([code, message]));
        }`;
      const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
      const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
        cwd: import.meta.dirname,
        ...nobody,
      });
      const ran = await run.catch((error: Error) => error);
      if (ran instanceof Error) {
        assert.match(ran.message, /EACCES|ERR_MODULE_NOT_FOUND/);
        t.skip('another user than root cannot read the packages here');
        return;
      }
      const [code, message] = JSON.parse(ran.stdout);
      assert.deepEqual([code, message], ['store-failed', `"${path}" cannot be read: this user has no right to.`]);
    }));
}
