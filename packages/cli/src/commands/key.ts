import { hash, randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { examplesHelp } from '../options/store-options.ts';
import { print } from '../output.ts';

/** `swapfold key` */
export function addKey(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('key')
    .summary('make an API key')
    .description(
      'Makes a random API key. Its first line is for the caller, who sends it in the X-Api-Key header, and is kept nowhere; the second, its hash, is for "api_keys" of the configuration, SWAPFOLD_API_KEYS or the file of serve --keys.',
    )
    .addHelpText('after', examplesHelp(['swapfold key', 'swapfold key > anna.key']))
    .action(() => {
      // 256 bits.
      const key = randomBytes(32).toString('base64url');
      print(key);
      print(`sha256:${hash('sha256', key, 'hex')}`);
      end(exitCodes.ok);
    });
}
