import { SwapfoldError } from '@swapfold/core';
import { findOperation, questions } from '@swapfold/core/host';
import { type Command, InvalidArgumentError } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { parseTime } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { rowsOfAnswer } from '../questions/flat-rows.ts';
import { operationLines } from '../questions/operation-tables.ts';
import { inFull, readRequest } from '../questions/read-request.ts';
import { requestHelp, type SchemaOf } from '../questions/request-help.ts';

interface QueryOptions extends StoreOptions {
  readonly asOf?: string;
  readonly format: AnswerFormat;
}

/** `swapfold query OPERATION JSON --db URL` */
export function addQuery(program: Command, end: (code: ExitCode) => void): void {
  let schemaOf: SchemaOf | undefined;
  const command = program
    .command('query')
    .summary('ask a store: the answers of the HTTP routes, as JSON')
    .description(
      'Answers one request from a store, with the JSON that the HTTP route of the operation answers: indented on a terminal, else in one line. Other formats have the list of the answer, values within as columns such as metrics.7d.pnl; tables of profiles and trades have the columns of the commands that list them. An interval may be "1d", a time a day such as "2025-01-31", and a token its symbol. "swapfold query OPERATION --help" lists the fields of its requests.',
    )
    .argument('<operation>', 'its name, or the last part of its route, such as get-price', parseOperation)
    .argument('[json]', 'the request body, or - for standard input', '{}');
  addFormatOption(addAskOptions(command), 'json')
    .option('--as-of <time>', 'answer as if no later swap had happened (RFC 3339, or a day)', parseTime)
    .addHelpText('after', () => {
      const [operation] = command.args;
      if (schemaOf !== undefined && operation !== undefined && isOperation(operation))
        return `\n${requestHelp(operation, schemaOf).join('\n')}`;
      return `
Operations:
${questions.map(({ name, summary }) => `  ${name.padEnd(18)}${summary}`).join('\n')}
${examplesHelp([
  `swapfold query wallets.search '{"filter": {"metrics.7d.pnl": {"$gt": 9}}}' --format table`,
  `swapfold query prices.candles '{"token": "WIF", "interval": "1h", "from": "2025-01-01"}'`,
  'swapfold query prices.candles --help',
  'swapfold query get-swaps --db dex.db | jq .count',
  'swapfold query tokens.search - --db dex.db < request.json',
])}`;
    })
    .action(async (operation: string, json: string, options: QueryOptions) => {
      const given = await readRequest(json);
      await withStoreToAsk(options, async (dex) => {
        const request = await inFull(dex, given);
        const answer = await dex.call(operation, request, { asOf: options.asOf });
        const rows = rowsOfAnswer(answer);
        const lines = () => operationLines(dex, operation, { answer, rows, request });
        await printAnswer({ json: answer, rows, lines }, options.format);
      });
      end(exitCodes.ok);
    });
  // The help of an operation is made of its schema, by what the server brings.
  program.hook('preSubcommand', async (_, called) => {
    if (called !== command || !program.args.some((word) => word === '--help' || word === '-h')) return;
    ({ closedSchema: schemaOf } = await import('@swapfold/server'));
  });
}

function isOperation(name: string): boolean {
  try {
    findOperation(name);
    return true;
  } catch {
    return false;
  }
}

function parseOperation(name: string): string {
  try {
    return findOperation(name).name;
  } catch (error) {
    throw error instanceof SwapfoldError ? new InvalidArgumentError(error.message) : error;
  }
}
