import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { protocols } from '@swapfold/solana';
import { Reader } from '../../packages/solana/src/block-reader.ts';
import { faultsOf, recordedTransactions } from '../support/solana-transactions.ts';
import { docsPath, table, writeWhenRun } from './page.ts';

/** The recorded transactions by kind, and what is wrong with those that are not read as they are. */
function recordedTable(): string {
  const all = [...recordedTransactions()].sort((a, b) => (a.kind < b.kind ? -1 : Number(a.kind > b.kind)));
  const rows = all.map((one, i) => {
    const faults = faultsOf(new Reader().transaction(one.raw).rows, one);
    const read = faults.length === 0 ? 'right' : `wrong: ${faults.join('; ')}`;
    return [all[i - 1]?.kind === one.kind ? '' : one.kind, `\`${one.name}\``, read];
  });
  return table(['kind', 'recorded transaction', 'read'], rows);
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
