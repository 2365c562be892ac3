import { readFile } from 'node:fs/promises';
import { SwapfoldError } from '@swapfold/core';
import { didYouMean } from '@swapfold/core/host';
import { builtInPresets } from '../built-in.ts';
import { resolvePresets } from '../choose.ts';
import { OWN, type Preset, parsePreset } from '../presets.ts';
import type { RowsName } from '../row-kinds.ts';

/** The names that `readPresets` takes beside a file. */
export const presetNamesHelp = (rows: RowsName): string =>
  ['auto', OWN, ...builtInPresets.filter((preset) => preset.rows === rows).map(({ name }) => name)].join(', ');

/**
 * The presets that a name, `auto` or the path of a preset allows a file to have; `undefined` for all of them.
 *
 * - Errors: `invalid-input` for an unknown name, `invalid-config` for a file that cannot be read or is no preset.
 */
export async function readPresets(
  given: string,
  rows: RowsName = 'swaps',
): Promise<readonly (string | Preset)[] | undefined> {
  if (given === 'auto') return undefined;
  if (given.endsWith('.json'))
    throw new SwapfoldError(
      'invalid-config',
      `The preset ${given} is JSON; a preset is a SELECT now. See what a dry run prints, change it, and give it with the option sql FILE.sql, or with a header as the option presets FILE.sql (docs/guides/import.md).`,
    );
  if (given.endsWith('.sql')) return [parsePreset(await readText(given, 'the preset'), `The preset ${given}`)];
  resolvePresets([given], rows);
  return [given];
}

/** A SELECT, given as text or by the path of its file. Errors: `invalid-config` where that cannot be read. */
export async function readSql(given: string): Promise<string> {
  return /^\S+\.sql$/i.test(given.trim()) ? readText(given.trim(), 'the SELECT') : given;
}

async function readText(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'there is no such file' : message;
    throw new SwapfoldError('invalid-config', `Cannot read ${what} ${path}: ${reason}.`, { cause });
  }
}

/** Errors: `invalid-input` for a constant that no SELECT reads: it would leave what it should give unknown. */
export function checkConstants(set: Readonly<Record<string, string>> = {}, selects: string): void {
  const read = Array.from(selects.matchAll(/getvariable\s*\(\s*'(\w+)'\s*\)/gi), ([, name]) => name!.toLowerCase());
  // A name that is written otherwise may be any.
  if ((selects.match(/getvariable/gi)?.length ?? 0) > read.length) return;
  for (const name of Object.keys(set))
    if (!read.includes(name.toLowerCase()))
      throw new SwapfoldError(
        'invalid-input',
        `The option set ${name}: no SELECT reads getvariable('${name}').${didYouMean(name, read)}`,
      );
}
