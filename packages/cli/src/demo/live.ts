import { clearScreenDown, moveCursor } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import {
  columnsToObjects,
  type Source,
  type SwapColumns,
  type Swapfold,
  SwapfoldError,
  type SwapInput,
} from '@swapfold/core';
import { explorerFiles } from '@swapfold/explorer';
import { serve } from '@swapfold/server';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { watchInterruption } from '../interruption.ts';
import { note, print } from '../output.ts';
import { textLog } from '../request-log.ts';
import type { Palette } from '../text/palette.ts';
import { leaderboardLines, topWallets } from './leaderboard.ts';
import { KEY } from './served.ts';

/** A block of the market, and how long it is until the next one, ms. */
const BLOCK = { swaps: 20, interval: 500 };

/** Leaderboards that are shown if nobody looks on. */
const ROUNDS = 3;

export interface LiveOptions {
  /** The swaps to come. */
  readonly rest: Iterable<SwapColumns>;
  /** Whether to stay until Ctrl-C or the market's end. */
  readonly stays: boolean;
  readonly palette: Palette;
}

/** Follows a market that goes on trading, serves it, and shows who leads after each refresh. */
export async function serveLive(dex: Swapfold, { rest, stays, palette }: LiveOptions): Promise<ExitCode> {
  const stop = new AbortController();
  const { signal } = stop;
  const interruption = watchInterruption(() => {
    note('\nStopping ...');
    stop.abort();
  });
  const server = await serve(dex, { port: 0, keys: [KEY], files: await explorerFiles(), logger: textLog(false) });
  try {
    await server.ready;
    print(`\nThe market goes on at ${palette.bold(`${server.url}/`)}, key ${KEY}; Ctrl-C stops it.\n`);
    const board = new Board(stays);
    let showing = Promise.resolve();
    const show = async (): Promise<void> => {
      if (signal.aborted) return;
      const { profiles_as_of: asOf } = await dex.status();
      const head = `Who earned most in a day, as of ${asOf === null ? 'now' : new Date(asOf * 1000).toISOString()}:`;
      board.draw([head, '', ...leaderboardLines(await topWallets(dex, '1d'), '1d')]);
      if (!stays && board.drawn === ROUNDS) stop.abort();
    };
    const fresh = dex.keepFresh({
      every: 1,
      allEvery: 0,
      signal,
      onRefresh: () => {
        showing = showing.then(show);
      },
    });
    await dex.follow(marketSource(rest), { signal }).catch((error: unknown) => {
      if (!(error instanceof SwapfoldError && error.code === 'aborted')) throw error;
    });
    stop.abort();
    await Promise.all([fresh, showing]);
    return exitCodes.ok;
  } finally {
    stop.abort();
    interruption.dispose();
    await server.close();
  }
}

/** The swaps to come, block by block. */
function marketSource(rest: Iterable<SwapColumns>): Source {
  return {
    name: 'the market of the demo',
    async *read(_after, { signal }) {
      let block: SwapInput[] = [];
      let number = 0;
      for (const batch of rest)
        for (const swap of columnsToObjects(batch)) {
          block.push(swap);
          if (block.length < BLOCK.swaps) continue;
          yield { rows: block, place: String(number++) };
          block = [];
          await pause(BLOCK.interval, undefined, { signal });
        }
    },
  };
}

/** Lines that take the place of those before, on a terminal. */
class Board {
  drawn = 0;
  readonly #isInPlace: boolean;
  #height = 0;

  constructor(isInPlace: boolean) {
    this.#isInPlace = isInPlace;
  }

  draw(lines: readonly string[]): void {
    if (this.#isInPlace && this.drawn > 0) {
      moveCursor(process.stdout, 0, -this.#height);
      clearScreenDown(process.stdout);
    }
    print(`${lines.join('\n')}\n`);
    this.#height = lines.length + 1;
    this.drawn++;
  }
}
