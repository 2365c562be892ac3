import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { protocols } from '@swapfold/solana';
import { docsPath, table, writeWhenRun } from './page.ts';

/** The page of Solana with its table of programs made anew. */
export function renderSolana(): string {
  const rows = protocols.map(({ name, program, pool, pools }) => [
    `\`${name}\``,
    `\`${program}\``,
    pool === undefined && pools === undefined ? 'no' : 'yes',
  ]);
  return readFileSync(docsPath('guides/solana.md'), 'utf8').replace(
    /(<!-- generated: protocols -->\n)[\s\S]*?(<!-- end of what is generated -->)/,
    (_, start: string, end: string) => `${start}\n${table(['protocol', 'program', 'pool is known'], rows)}\n\n${end}`,
  );
}

writeWhenRun(fileURLToPath(import.meta.url), 'guides/solana.md', renderSolana);
