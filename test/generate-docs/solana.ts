import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { protocols } from '@swapfold/solana';
import { Reader } from '../../packages/solana/src/block-reader.ts';
import { faultsOf, recordedTransactions } from '../support/solana-transactions.ts';
import { docsPath, table, writeWhenRun } from './page.ts';

/** How many recorded transactions of each kind are read as they are, and the names of the others. */
function recordedTable(): string {
  const kinds = new Map<string, { right: number; readonly wrong: string[] }>();
  for (const one of recordedTransactions()) {
    const known = kinds.get(one.kind) ?? { right: 0, wrong: [] };
    kinds.set(one.kind, known);
    if (faultsOf(new Reader().transaction(one.raw).rows, one).length === 0) known.right++;
    else known.wrong.push(`\`${one.name}\``);
  }
  const rows = [...kinds]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([kind, { right, wrong }]) => [kind, String(right), wrong.length === 0 ? 'none' : wrong.join(', ')]);
  return table(['recorded transactions', 'right', 'wrong'], rows);
}

/** The page of Solana with its tables of programs and of recorded transactions made anew. */
export function renderSolana(): string {
  const rows = protocols.map(({ name, program, pool, pools }) => [
    `\`${name}\``,
    `\`${program}\``,
    pool === undefined && pools === undefined ? 'no' : 'yes',
  ]);
  const tables: Readonly<Record<string, string>> = {
    protocols: table(['protocol', 'program', 'pool is known'], rows),
    recorded: recordedTable(),
  };
  return readFileSync(docsPath('guides/solana.md'), 'utf8').replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end of what is generated -->)/g,
    (_, start: string, name: string, end: string) => `${start}\n${tables[name]!}\n\n${end}`,
  );
}

writeWhenRun(fileURLToPath(import.meta.url), 'guides/solana.md', renderSolana);
