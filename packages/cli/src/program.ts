import { Command } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addBackup } from './commands/backup.ts';
import { addCandles } from './commands/candles.ts';
import { addCopy } from './commands/copy.ts';
import { addDemo } from './commands/demo.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addFollow } from './commands/follow.ts';
import { addImport } from './commands/import.ts';
import { addInfo } from './commands/info.ts';
import { addKey } from './commands/key.ts';
import { addLeaders } from './commands/leaders.ts';
import { addMcp } from './commands/mcp.ts';
import { addPrune } from './commands/prune.ts';
import { addQuery } from './commands/query.ts';
import { addRebuild } from './commands/rebuild.ts';
import { addRefresh } from './commands/refresh.ts';
import { addRollback } from './commands/rollback.ts';
import { addServe } from './commands/serve.ts';
import { addSimulate } from './commands/simulate.ts';
import { addToken } from './commands/token.ts';
import { addTop } from './commands/top.ts';
import { addTrades } from './commands/trades.ts';
import { addVerify } from './commands/verify.ts';
import { addWallet } from './commands/wallet.ts';
import { type ExitCode, exitCodesHelp } from './exit-codes.ts';
import { examplesHelp } from './options/store-options.ts';

/** The command line. `end` takes the exit code of the command that ran. */
export function createProgram(end: (code: ExitCode) => void): Command {
  const program = new Command('swapfold')
    .description(
      'Folds swaps of decentralised exchanges into token and wallet profiles, prices, candles and portfolios, on SQLite, DuckDB or ClickHouse.',
    )
    .version(manifest.version)
    .option('--verbose', 'print more: the place of a failure, the requests of a server')
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('Add --help for options and examples.')
    .exitOverride()
    .addHelpText(
      'after',
      `${examplesHelp([
        'swapfold demo',
        'swapfold import swaps swaps.csv --db dex.duckdb',
        'swapfold top WIF --db dex.duckdb',
        `swapfold query wallets.search '{"limit": 3}' --db dex.duckdb`,
        'SWAPFOLD_API_KEYS=a-long-random-key swapfold serve --db dex.duckdb',
      ])}

${exitCodesHelp}`,
    );
  for (const add of [
    addDemo,
    addImport,
    addCopy,
    addBackup,
    addRefresh,
    addRebuild,
    addRollback,
    addPrune,
    addVerify,
    addInfo,
    addLeaders,
    addTop,
    addWallet,
    addToken,
    addTrades,
    addCandles,
    addExplain,
    addSimulate,
    addQuery,
    addExport,
    addFollow,
    addServe,
    addMcp,
    addKey,
  ])
    add(program, end);
  return program;
}
