import type { Swapfold, TokenBuyer, TokenBuyers } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import type { Command } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { parseAsOf, wholeNumber } from '../number-options.ts';
import { type StoreOptions, withStoreToAsk } from '../open-store.ts';
import { addAskOptions, addFormatOption } from '../options/ask-options.ts';
import { examplesHelp } from '../options/store-options.ts';
import { type AnswerFormat, printAnswer } from '../questions/answer.ts';
import { findToken } from '../questions/find-token.ts';
import { formatCompact, formatCount, formatDuration, formatPercent, formatUsd, NONE } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

interface BuyersOptions extends StoreOptions {
  readonly format: AnswerFormat;
  readonly before?: number;
  readonly limit: number;
}

/** `swapfold buyers TOKEN` */
export function addBuyers(program: Command, end: (code: ExitCode) => void): void {
  const command = program
    .command('buyers')
    .summary('first buyers of a token, and what they were at its launch')
    .description(
      'Lists the wallets that bought a token first, in chain order, with what they hold, sold and made, and their roles at the launch: dev, sniper, bundler, insider.',
    )
    .argument('<token>', 'its address, or its symbol if one token alone has it');
  addFormatOption(addAskOptions(command))
    .option('--before <time>', 'only wallets whose first buy is before this time (RFC 3339)', parseAsOf)
    .option('--limit <count>', 'how many', wholeNumber(1, 1000), 20)
    .addHelpText(
      'after',
      examplesHelp(['swapfold buyers WIF', 'swapfold buyers WIF --limit 1000 --format csv --db dex.db']),
    )
    .action(async (token: string, options: BuyersOptions) => {
      await withStoreToAsk(options, async (dex) => {
        const { data, ...launch } = await firstBuyers(dex, await findToken(dex, token), options);
        const json = { ...launch, data };
        await printAnswer({ json, rows: data, lines: () => buyerLines(json) }, options.format);
      });
      end(exitCodes.ok);
    });
}

async function firstBuyers(
  dex: Swapfold,
  token: string,
  { before, limit }: BuyersOptions,
): Promise<Omit<TokenBuyers, 'cursor'>> {
  const data: TokenBuyer[] = [];
  const request = { token, ...(before === undefined ? {} : { before: formatTime(before) }) };
  for await (const { cursor, ...page } of dex.pages('tokens.buyers', { ...request, limit: Math.min(limit, 100) })) {
    data.push(...page.data);
    if (data.length >= limit || cursor === undefined) return { ...page, data: data.slice(0, limit) };
  }
  throw new Error('every list has a page');
}

function buyerLines({ count, has_more, launch, bundles, insiders, data }: Omit<TokenBuyers, 'cursor'>): string[] {
  if (data.length === 0) return ['No buyer.'];
  const known = (list: readonly unknown[] | null): string => (list === null ? NONE : formatCount(list.length));
  const head =
    launch === null
      ? 'No launch is known: there may have been buyers before, and nobody has a role.'
      : `launch ${formatTime(launch.block_time)}, slot ${launch.block_slot ?? NONE}, by ${launch.source}; bundles ${known(bundles)}, insiders ${known(insiders)}`;
  const columns = [
    { title: '#', align: 'right' },
    { title: 'wallet', align: 'left' },
    ...['after', 'slots', 'bought', 'supply', 'held', 'sold', 'made'].map(
      (title) => ({ title, align: 'right' }) as const,
    ),
    { title: 'roles', align: 'left' },
  ] as const;
  const rows = data.map((buyer) => [
    buyer.rank === null ? NONE : String(buyer.rank),
    buyer.wallet,
    formatDuration(buyer.seconds_after),
    buyer.slots_after === null ? NONE : formatCount(buyer.slots_after),
    formatCompact(buyer.token_amount),
    formatPercent(buyer.supply_share),
    formatCompact(buyer.held),
    formatCompact(buyer.sold),
    formatUsd(buyer.made),
    buyer.roles.join(', '),
  ]);
  const listed = `${formatCount(data.length)} of ${has_more ? 'more than ' : ''}${formatCount(count)} buyers`;
  return [head, '', ...tableLines(columns, rows), '', listed, ...insiderLines(insiders ?? [])];
}

/** Insiders need not have bought. */
function insiderLines(insiders: NonNullable<TokenBuyers['insiders']>): string[] {
  if (insiders.length === 0) return [];
  const columns = [
    { title: 'insider', align: 'left' },
    ...['got', 'steps', 'held', 'sold', 'made'].map((title) => ({ title, align: 'right' }) as const),
  ] as const;
  const rows = insiders.map(({ wallet, held, sold, made, evidence }) => {
    const { token_amount: got = null, steps = null } = evidence.find(({ role }) => role === 'insider') ?? {};
    return [
      wallet,
      formatCompact(got),
      steps === null ? NONE : String(steps),
      formatCompact(held),
      formatCompact(sold),
      formatUsd(made),
    ];
  });
  return ['', ...tableLines(columns, rows)];
}
