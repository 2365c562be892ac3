import { readJsonFile } from '../json-file.ts';
import { builtInPresets, OWN } from '../presets/built-in.ts';
import { parsePreset } from '../presets/parse-preset.ts';
import type { Preset } from '../presets/preset.ts';
import { resolvePresets } from '../presets/resolve.ts';

/** What `--preset` takes beside a file. */
export const presetNamesHelp = ['auto', OWN, ...builtInPresets.map(({ name }) => name)].join(', ');

/**
 * The presets that `--preset` allows a file to have; `undefined` for all of them.
 *
 * - Errors: `invalid-input` for an unknown name, `invalid-config` for a file that cannot be read or is no preset.
 */
export async function readPresets(given: string): Promise<readonly (string | Preset)[] | undefined> {
  if (given === 'auto') return undefined;
  if (given.endsWith('.json')) return [parsePreset(await readJsonFile(given, 'the preset'), `The preset ${given}`)];
  resolvePresets([given]);
  return [given];
}
