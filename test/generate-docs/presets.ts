import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { builtInPresets, type Preset } from 'swapfold';
import { compilePreset } from '../../packages/cli/src/presets/compile.ts';
import { describeFields } from '../../packages/cli/src/presets/describe.ts';
import { choices } from '../../packages/cli/src/presets/preset.ts';
import { docsPath, table } from './page.ts';

export const importPage = docsPath('guides/import.md');

/** The preset that documents the form: it has sides by sign, nested columns, a rule and a value. */
const EXAMPLE = 'uniswap-v3-subgraph';

/** The page with what follows from the declarations made anew. */
export function renderImport(): string {
  const example = builtInPresets.find(({ name }) => name === EXAMPLE)!;
  const parts = {
    presets: presetTable(),
    mappings: builtInPresets.map(mappingSection).join('\n\n'),
    example: ['```json', JSON.stringify({ ...example, name: 'mine' }, null, 2), '```'].join('\n'),
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

function presetTable(): string {
  const rows = builtInPresets.map((preset) => [
    `\`${preset.name}\``,
    preset.source,
    needed(preset).join(', '),
    (preset.records ?? []).map((path) => `\`${path}\``).join(', '),
  ]);
  return table(['preset', 'what it reads', 'columns that a file must have', 'records of JSON documents'], rows);
}

/** What a file without any column lacks. */
function needed(preset: Preset): string[] {
  const { missing } = compilePreset(preset, []);
  const names = missing.map((columns) => choices(columns)[0]!);
  return [...new Set(names)].map((name) => `\`${name}\``);
}

function mappingSection(preset: Preset): string {
  const column = (columns: Parameters<typeof choices>[0]): string =>
    choices(columns)
      .map((name) => `\`${name}\``)
      .join(' or ');
  const rows = describeFields(preset, column).map(([field, source]) => [`\`${field}\``, source]);
  const rules = (preset.rows ?? []).map(
    ({ column: name, is }) =>
      `Rows whose ${column(name)} is not ${is.map((text) => `\`${text}\``).join(' or ')} are passed over, if the file has that column.`,
  );
  return [
    `### ${preset.name}`,
    '',
    table(['field', 'comes from'], rows),
    ...(rules.length > 0 ? ['', ...rules] : []),
  ].join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(importPage, renderImport());
