import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { leaderboardLines, leadingWallets } from '../demo/leaderboard.ts';
import { hottestToken, hourlyCandles, tokenLines } from '../demo/token-page.ts';
import { walletLines } from '../demo/wallet-page.ts';
import { positionLines, walletPositions } from '../demo/wallet-positions.ts';
import { movedLines, movedOf } from '../demo/wallet-transfers.ts';
import type { ExitCode } from '../exit-codes.ts';
import { pathFrom, thisCommand } from '../invocation.ts';
import { wholeNumber } from '../number-options.ts';
import { lend } from '../open-store.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type FileEngine, fileEngines } from '../options/store-url.ts';
import { print } from '../output.ts';
import { explanationLines } from '../text/explanation.ts';
import { nativeSymbol } from '../text/native.ts';
import { formatCount, formatElapsed } from '../text/numbers.ts';
import { createPalette } from '../text/palette.ts';

interface DemoOptions {
  readonly swaps: number;
  readonly engine: FileEngine;
  readonly seed: number;
  /** False with `--no-serve`. */
  readonly serve: boolean;
  readonly live?: boolean | undefined;
}

/** An hour of a block of twenty swaps every half second. */
const LIVE_SWAPS = 144_000;

const FOLDER = '.swapfold';
const files: Readonly<Record<FileEngine, string>> = { sqlite: 'demo.db', duckdb: 'demo.duckdb' };

/** `swapfold demo` */
export function addDemo(program: Command, end: (code: ExitCode) => void): void {
  program
    .command('demo')
    .summary('make a market, import it, look at it, serve it')
    .description(
      `Makes a market of made-up swaps (the same for the same seed) and imports it into a store in ${FOLDER}/. Shows the wallets that lead, one wallet with its best positions and its transfers, what the profit of the best one is made of, and candles of a token. Then serves the store and prints curl lines to try. If no terminal is attached, or CI is set, it sends those requests once itself and ends.`,
    )
    .option('--swaps <count>', 'the number of swaps', wholeNumber(1000, 100_000_000), 200_000)
    .addOption(new Option('--engine <name>', 'where to store them').choices(fileEngines).default('sqlite'))
    .option('--seed <number>', 'another market for another number', wholeNumber(0, Number.MAX_SAFE_INTEGER), 7)
    .option('--no-serve', 'end after sending the requests once')
    .option('--live', 'let the market go on trading: follow it, serve it, and show its leaders as they change')
    .addHelpText(
      'after',
      examplesHelp([
        'swapfold demo',
        'swapfold demo --engine duckdb --seed 42',
        'swapfold demo --swaps 1_000_000 --no-serve',
        'swapfold demo --live',
      ]),
    )
    .action(async (options: DemoOptions) => end(await demo(options)));
}

async function demo({ swaps, engine, seed, serve, live }: DemoOptions): Promise<ExitCode> {
  const begun = performance.now();
  const palette = createPalette();
  const heading = (text: string) => print(`\n${palette.bold(text)}\n`);
  const url = { engine, path: join(FOLDER, files[engine]) };

  heading('A made-up market');
  const stays = serve && process.stdout.isTTY === true && !isContinuousIntegration();
  const { storeMarket } = await import('../demo/market-store.ts');
  const made = await storeMarket({ url, swaps, seed, more: live ? LIVE_SWAPS : 0 });
  return lend(made.dex, async (dex) => {
    if (live) return (await import('../demo/live.ts')).serveLive(dex, { rest: made.rest, stays, palette });
    const wallets = await leadingWallets(dex);
    const leader = wallets[0]!;
    const { wallet_address: wallet } = leader;
    heading('Who is ahead by what was realised, less every loss on paper, with ten trades and more in a week');
    print(leaderboardLines(wallets, '7d').join('\n'));

    heading('The leader');
    const native = nativeSymbol(dex.config);
    print(walletLines(leader, await dex.portfolios.get({ wallet }), native).join('\n'));

    const { count, best } = await walletPositions(dex, wallet);
    heading(`Which of the leader's ${formatCount(count)} positions earned most`);
    print(positionLines(best, native).join('\n'));

    heading('What came to the leader, and left, without a swap');
    print(movedLines(await movedOf(dex, wallet), wallet).join('\n'));

    const { wallet_address: winner, token_address: won } = best[0]!;
    heading('What the best of them earned in 30 days, and why');
    const why = { wallet: winner, token: won, metric: 'pnl', window: '30d', limit: 6 } as const;
    print(explanationLines(await dex.positions.explain(why), nativeSymbol(dex.config)).join('\n'));

    const hottest = await hottestToken(dex);
    const { token_address: token } = hottest;
    heading('The token that most wallets traded in a day, by the hour');
    print(tokenLines(hottest, await hourlyCandles(dex, token), palette).join('\n'));

    heading('Over HTTP');
    print(
      `All of this took ${formatElapsed((performance.now() - begun) / 1000)}. The store stays: ask it on the command line with`,
    );
    const [own, db] = [thisCommand(), pathFrom(url.path, { cwd: process.cwd(), env: process.env })];
    print(`${own} leaders --db ${db}`);
    print(`${own} explain ${winner} pnl --token ${won} --db ${db}`);
    const { serveDemo } = await import('../demo/served.ts');
    return serveDemo(dex, { wallet, token, stays, palette });
  });
}

function isContinuousIntegration(): boolean {
  return ![undefined, '', 'false', '0'].includes(process.env.CI);
}
