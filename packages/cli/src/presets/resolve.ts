import { didYouMean, SwapfoldError } from '@swapfold/core';
import { builtInPresets, OWN } from './built-in.ts';
import { parsePreset } from './parse-preset.ts';
import type { Preset } from './preset.ts';

/** The shapes that a file may have. */
export interface Shapes {
  /** Whether it may have Swapfold's own columns. */
  readonly isOwn: boolean;
  readonly presets: readonly Preset[];
}

/**
 * The shapes that names and presets stand for. Default: Swapfold's own columns and every built-in preset.
 *
 * - Errors: `invalid-input` for an unknown name, `invalid-config` for a preset that is none.
 */
export function resolvePresets(given: readonly (string | Preset)[] = [OWN, ...builtInPresets]): Shapes {
  const presets = given
    .filter((one) => one !== OWN)
    .map((one) => (typeof one === 'string' ? named(one) : checked(one)));
  return { isOwn: given.includes(OWN), presets };
}

function named(name: string): Preset {
  const preset = builtInPresets.find((one) => one.name === name);
  if (preset !== undefined) return preset;
  const names = [OWN, ...builtInPresets.map((one) => one.name)];
  throw new SwapfoldError(
    'invalid-input',
    `There is no preset "${name}".${didYouMean(name, names)} There are ${names.join(', ')}; a file of your own ends in .json.`,
  );
}

function checked(preset: Preset): Preset {
  return builtInPresets.includes(preset) ||
    builtInPresets.some((one) => one.name === preset.name && JSON.stringify(one) === JSON.stringify(preset))
    ? preset
    : parsePreset(preset, `Preset "${preset.name}"`);
}
