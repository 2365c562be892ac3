import { text } from 'node:stream/consumers';
import { SwapfoldError } from '@swapfold/core';
import { findOperation, questions } from '@swapfold/core/host';
import { type Command, InvalidArgumentError } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { anyTable } from '../questions/any-table.ts';
import { rowsOfAnswer } from '../questions/flat-rows.ts';

/** `swapfold query OPERATION JSON --db URL` */
export function addQuery(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('query')
    .summary('ask a store: the answers of the HTTP routes, as JSON')
    .description(
      'Answers one request from a store, with the JSON that the HTTP route of the operation answers: indented on a terminal, else in one line. Other formats have the list of the answer, values within as columns such as metrics.7d.pnl.',
    )
    .argument('<operation>', 'its name, or the last part of its route, such as get-price', parseOperation)
    .argument('[json]', 'the request body, or - for standard input', '{}');
  addFormatOption(addAskOptions(command), 'json')
    .option('--as-of <time>', 'answer as if no later swap had happened (RFC 3339)')
    .addHelpText(
      'after',
      `
Operations:
${questions.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`).join('\n')}
${examplesHelp([
  `swapfold query wallets.search '{"filter": {"metrics.7d.pnl": {"$gt": 9}}}' --db dex.db`,
  `swapfold query prices.candles '{"token": "So11...", "interval": 3600}' --db dex.db`,
  'swapfold query get-swaps --db dex.db | jq .count',
  'swapfold query tokens.search - --db dex.db < request.json',
])}`,
    )
    .action(
      async (
        operation: string,
        json: string,
        options: StoreOptions & { readonly asOf?: string; readonly format: AnswerFormat },
      ) => {
        const request = parseRequest(json === '-' ? await text(process.stdin) : json);
        const answer = await withStoreToAsk(options, (dex) => dex.call(operation, request, { asOf: options.asOf }));
        const rows = rowsOfAnswer(answer);
        await printAnswer({ json: answer, rows, lines: () => anyTable(rows, process.stdout.columns) }, options.format);
        end(exitCodes.ok);
      },
    );
}

function parseOperation(name: string): string {
  try {
    return findOperation(name).name;
  } catch (error) {
    throw error instanceof SwapfoldError ? new InvalidArgumentError(error.message) : error;
  }
}

function parseRequest(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (cause) {
    throw new SwapfoldError('invalid-json', `The request is not JSON: ${(cause as Error).message}.`, { cause });
  }
}
