import type { ImportFilesOptions } from '@swapfold/files';

/** What the command line calls the options that messages of a reading of files name. */
const words = {
  sql: '--sql',
  map: '--map',
  set: '--set',
  presets: '--preset',
  records: '--records',
  rowIds: '--row-ids',
  rejects: '--rejects',
  token: '--token',
  balances: '--balances',
  valueArrivals: '--value-arrivals',
  // What a file holds is a command.
  kind: 'swapfold import',
} as const satisfies Partial<Record<keyof ImportFilesOptions, `--${string}` | 'swapfold import'>>;

const named = new RegExp(`\\bthe option (${Object.keys(words).join('|')})\\b`, 'gi');

/** A message of `@swapfold/files` with the options of the command in place of those of the library. */
export function inOptionWords(message: string): string {
  return message.replace(named, (_, name: keyof typeof words) => words[name]);
}
