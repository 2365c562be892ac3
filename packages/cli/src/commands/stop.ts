import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import { interruptible } from '../interruption.ts';
import { addUrlOption, examplesHelp } from '../options/store-options.ts';
import { print } from '../output.ts';
import { callServer, KEY_VARIABLE } from '../remote.ts';

/** `swapfold stop --url URL` */
export function addStop(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('stop')
    .summary('stop a server over HTTP')
    .description(
      `Has a server stop in order, as SIGTERM does: running requests end, and its store is closed. The key in the environment variable ${KEY_VARIABLE} needs "server.stop" among its "operations".`,
    );
  addUrlOption(command)
    .addHelpText(
      'after',
      examplesHelp([`${KEY_VARIABLE}=key-of-the-operator swapfold stop --url http://127.0.0.1:8080`]),
    )
    .action(async ({ url }: { readonly url: string }) => {
      end(
        await interruptible(async (signal) => {
          await callServer(url, '/v1/server/stop', signal);
          print(`${url} stops.`);
        }, 'Interrupted. The server may stop all the same.'),
      );
    });
}
