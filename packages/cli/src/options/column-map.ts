import { InvalidArgumentError } from 'commander';

/** Column names of a file by the field they hold: `{ their_name: 'our_name' }`. */
export type ColumnMap = Readonly<Record<string, string>>;

/** Adds one `--map theirs=ours`. The last `=` parts them: a field has none in its name, a column may. */
export function addToColumnMap(text: string, map: ColumnMap = {}): ColumnMap {
  const at = text.lastIndexOf('=');
  const [theirs, ours] = [text.slice(0, at), text.slice(at + 1)];
  if (at < 1 || ours === '') throw new InvalidArgumentError('Write THEIRS=OURS, as in --map sender=wallet.');
  if (Object.hasOwn(map, theirs))
    throw new InvalidArgumentError(`The column "${theirs}" is mapped already, to "${map[theirs]}".`);
  return { ...map, [theirs]: ours };
}
