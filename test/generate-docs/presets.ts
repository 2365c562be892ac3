import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtInPresets, type Preset } from 'swapfold';
import { docsPath, table } from './page.ts';

export const importPage = docsPath('guides/import.md');

/** The page with what follows from the presets made anew. */
export function renderImport(): string {
  const of = (rows: Preset['rows']): readonly Preset[] => builtInPresets.filter((preset) => preset.rows === rows);
  const parts = {
    presets: presetTable(of('swaps'), true),
    selects: of('swaps').map(section).join('\n\n'),
    'transfer presets': presetTable(of('transfers'), false),
    'transfer selects': of('transfers').map(section).join('\n\n'),
  };
  return Object.entries(parts).reduce(
    (text, [name, part]) =>
      text.replace(
        new RegExp(`(<!-- generated: ${name} -->\n)[^]*?(<!-- end of what is generated -->)`),
        (_, start: string, end: string) => `${start}\n${part}\n\n${end}`,
      ),
    readFileSync(importPage, 'utf8'),
  );
}

function presetTable(presets: readonly Preset[], hasAmounts: boolean): string {
  const rows = presets.map(({ name, source, needs, sets, amounts }) => [
    `\`${name}\``,
    source,
    needs.map(([first]) => `\`${first}\``).join(', '),
    sets.map((set) => `\`${set.name}\``).join(', '),
    ...(hasAmounts ? [amounts ?? 'unknown'] : []),
  ]);
  const names = ['preset', 'what it reads', 'columns that a file must have', '`--set`'];
  return table(hasAmounts ? [...names, 'amounts'] : names, rows);
}

function section({ name, rows, layout, notes, only, chain, select, value }: Preset): string {
  const lines = select.map(([field, text]) => {
    const quoted = field === 'from' || field === 'to' ? `"${field}"` : field;
    return `  ${text === quoted ? text : `${text} as ${quoted}`}`;
  });
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
  const ofValue = value.length === 0 ? [] : [`\`--value-arrivals\` takes \`${value[0]}\`.`];
  return [
    `### ${rows === 'swaps' ? name : `${name} of transfers`}`,
    '',
    ...[...notes, ...rules, ...ofChain, ...ofValue].flatMap((text) => [text, '']),
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
