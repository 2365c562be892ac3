import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chains } from '@swapfold/evm';
import { docsPath, table, writeWhenRun } from './page.ts';

/** The page of EVM chains with its table of factories and managers made anew. */
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
  return readFileSync(docsPath('guides/chain.md'), 'utf8').replace(
    /(<!-- generated: factories -->\n)[\s\S]*?(<!-- end of what is generated -->)/,
    (_, start: string, end: string) =>
      `${start}\n${table(['chain, id', 'name', 'kind', 'factory or manager', 'npm package'], rows)}\n\n${end}`,
  );
}

writeWhenRun(fileURLToPath(import.meta.url), 'guides/chain.md', renderChain);
