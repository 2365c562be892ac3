import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chains } from '@swapfold/evm';
import { isRight, recordedSource, recordedTransactions, swapsOf } from '../support/evm-transactions.ts';
import { docsPath, table, writeWhenRun } from './page.ts';

const recorded = await recordedTable();

/** The page of EVM chains with its tables of factories and managers, and of recorded transactions, made anew. */
export function renderChain(): string {
  const rows = chains.flatMap(({ id, name, factories }) =>
    factories.map(({ protocol, kind, address, source }, i) => [
      i === 0 ? `\`${name}\`, ${id}` : '',
      `\`${protocol}\``,
      `\`${kind}\``,
      `\`${address}\``,
      source,
    ]),
  );
  return readFileSync(docsPath('guides/chain.md'), 'utf8')
    .replace(
      /(<!-- generated: factories -->\n)[\s\S]*?(<!-- end of what is generated -->)/,
      (_, start: string, end: string) =>
        `${start}\n${table(['chain, id', 'name', 'kind', 'factory or manager', 'npm package'], rows)}\n\n${end}`,
    )
    .replace(
      /(<!-- generated: recorded -->\n)[\s\S]*?(<!-- end of recorded -->)/,
      (_, start: string, end: string) => `${start}\n${recorded}\n\n${end}`,
    );
}

/** The recorded transactions by kind: which swaps the source has right, and which wrong. */
async function recordedTable(): Promise<string> {
  const rows: string[][] = [];
  const all = recordedTransactions().sort((a, b) => (a.kind < b.kind ? -1 : Number(a.kind > b.kind)));
  for (const [i, of] of all.entries()) {
    const found = await swapsOf(recordedSource(of));
    const wrong = of.swaps.filter((swap) => !isRight(swap, found.get(swap.swap_index)));
    const numbers = wrong.map(({ swap_index }) => swap_index).join(', ');
    const kind = all[i - 1]?.kind === of.kind ? '' : of.kind;
    rows.push([kind, `\`${of.name}\``, of.why, String(of.swaps.length - wrong.length), numbers || 'none']);
  }
  return table(['kind', 'transaction', 'what it is', 'swaps right', 'swaps wrong'], rows);
}

writeWhenRun(fileURLToPath(import.meta.url), 'guides/chain.md', renderChain);
