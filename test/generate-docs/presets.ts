import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtInPresets, type Preset } from 'swapfold';
import { docsPath, table } from './page.ts';

export const importPage = docsPath('guides/import.md');

/** The page with what follows from the presets made anew. */
export function renderImport(): string {
  const parts = { presets: presetTable(), selects: builtInPresets.map(section).join('\n\n') };
  return Object.entries(parts).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- generated: ${name} -->\n)[^]*?(<!-- end of what is generated -->)`),
        (_, start: string, end: string) => `${start}\n${part}\n\n${end}`,
      ),
    readFileSync(importPage, 'utf8'),
  );
}

function presetTable(): string {
  const rows = builtInPresets.map(({ name, source, needs, sets }) => [
    `\`${name}\``,
    source,
    needs.map(([first]) => `\`${first}\``).join(', '),
    sets.map((set) => `\`${set.name}\``).join(', '),
  ]);
  return table(['preset', 'what it reads', 'columns that a file must have', '`--set`'], rows);
}

function section({ name, layout, notes, only, chain, select }: Preset): string {
  const lines = select.map(([field, text]) => `  ${text === field ? text : `${text} as ${field}`}`);
  const rules = only.map(
    ({ column, is }) =>
      `Rows whose \`${column.split('|')[0]}\` is not ${is.map((text) => `\`${text}\``).join(' or ')} are passed over, if the file has that column.`,
  );
  const ofChain =
    chain.length === 0
      ? []
      : [
          `The chain of a row is in ${chain.map((column) => `\`${column}\``).join(' or ')}, if the file has one of them.`,
        ];
  return [
    `### ${name}`,
    '',
    ...[...notes, ...rules, ...ofChain].flatMap((text) => [text, '']),
    `Layout: ${layout}.`,
    '',
    '```sql',
    'select',
    lines.join(',\n'),
    'from input',
    '```',
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(importPage, renderImport());
