import type { Swapfold } from '@swapfold/core';
import { explorerFiles } from '@swapfold/explorer';
import { serve } from '@swapfold/server';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { watchInterruption } from '../interruption.ts';
import { note, print } from '../output.ts';
import { textLog } from '../request-log.ts';
import type { Palette } from '../text/palette.ts';
import { curlLine, type DemoRequest, demoRequests, send } from './requests.ts';

export const KEY = 'swapfold-demo';
const SHOWN = 160;

export interface ServedOptions {
  readonly wallet: string;
  readonly token: string;
  /** Whether to stay until Ctrl-C, rather than to send the requests once. */
  readonly stays: boolean;
  readonly palette: Palette;
}

/** Serves the store on a free port, with curl lines to try. Exit code: `failed` where one that it tried itself was not answered with 200. */
export async function serveDemo(dex: Swapfold, { wallet, token, stays, palette }: ServedOptions): Promise<ExitCode> {
  const interruption = watchInterruption(() => note('\nStopping ...'));
  const server = await serve(dex, { port: 0, keys: [KEY], files: await explorerFiles(), logger: textLog(false) });
  try {
    await server.ready;
    const requests = demoRequests(dex, { server: server.url, key: KEY, wallet, token });
    for (const request of requests) print(`\n${palette.dim(`# ${request.title}`)}\n${curlLine(request)}`);
    if (!stays) return await tryAll(requests);
    print(`\nSee all of it at ${palette.bold(`${server.url}/`)} with the key ${KEY}; Ctrl-C stops it.`);
    await interruption.requested;
    return exitCodes.ok;
  } finally {
    interruption.dispose();
    await server.close();
  }
}

async function tryAll(requests: readonly DemoRequest[]): Promise<ExitCode> {
  print('\nNobody is there to try them, so the demo sends each of them once, over HTTP:');
  let code: ExitCode = exitCodes.ok;
  for (const request of requests) {
    const { status, millis, body } = await send(request);
    print(`\n${request.title}: ${status} in ${millis.toFixed(1)} ms, ${body.length} characters`);
    print(body.length > SHOWN ? `${body.slice(0, SHOWN)} ...` : body);
    if (status !== 200) code = exitCodes.failed;
  }
  return code;
}
