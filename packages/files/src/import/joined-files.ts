import type { Reject } from '@swapfold/core/host';
import type { FileReject } from '../batches.ts';
import { joinSmall } from '../join-small.ts';
import type { RowFileOptions } from '../options.ts';
import type { HeldPart, JoinedFile } from '../read-parts.ts';
import type { RowKind } from '../row-kinds.ts';
import type { Batch, Books } from './books.ts';
import type { Input } from './inputs.ts';
import type { JoinedInputs } from './read-inputs.ts';

/** A part of several files. */
export type JoinedPart = HeldPart & { readonly joined: readonly JoinedFile[] };

export function isJoined(part: HeldPart): part is JoinedPart {
  return part.joined !== undefined;
}

/** What reads small files together, from a place among the inputs on. */
export function joinerOf(
  inputs: readonly Input[],
  options: RowFileOptions,
  kind: RowKind,
): (at: number) => Promise<JoinedInputs<HeldPart> | undefined> {
  // Files that DuckDB cannot read together are read by themselves.
  let after = 0;
  return async (at) => {
    if (at < after) return undefined;
    const taken: string[] = [];
    function* paths(): Generator<string> {
      for (let next = at; typeof inputs[next]?.from === 'string'; next++) {
        taken.push(inputs[next]!.file);
        yield inputs[next]!.from as string;
      }
    }
    try {
      const found = await joinSmall(paths(), options, kind);
      const count = found?.joined?.length ?? 0;
      return found === undefined ? undefined : { name: `files ${at + 1} to ${at + count}`, count, found };
    } catch {
      after = at + taken.length;
      return undefined;
    }
  };
}

/** The files of joined parts, by the name that a part has in their place. */
export class JoinedFiles {
  readonly #parts = new Map<string, readonly JoinedFile[]>();

  add(name: string, { joined }: JoinedPart): void {
    this.#parts.set(name, joined);
  }

  /** A row of a joined part by its own file and number there; one of another file as it is. */
  placed<T extends Pick<Reject, 'from'>>(found: T): T {
    const joined = found.from === undefined ? undefined : this.#parts.get(found.from.file);
    return joined === undefined ? found : { ...found, from: placeOf(joined, found.from!.row) };
  }
}

/** The file of a row of a joined part, and its number there. */
function placeOf(joined: readonly JoinedFile[], row: number): { readonly file: string; readonly row: number } {
  let [from, to] = [0, joined.length - 1];
  while (from < to) {
    const middle = (from + to + 1) >> 1;
    if (joined[middle]!.before < row) from = middle;
    else to = middle - 1;
  }
  const { file, before } = joined[from]!;
  return { file, row: row - before };
}

/** Books the rows of a joined part, file by file. Files without rows are not mentioned, as where they are read by themselves. */
export function bookJoined(
  books: Books,
  part: JoinedPart,
  { rejects, counts = {} }: { readonly rejects: readonly FileReject[] } & Pick<Batch, 'counts'>,
): void {
  const byPlace = new Map<JoinedFile, FileReject[]>(part.joined.map((one) => [one, []]));
  let [at, one] = [0, part.joined[0]!];
  for (const reject of rejects.toSorted((a, b) => a.row - b.row)) {
    while (reject.row > one.before + one.rows) one = part.joined[++at]!;
    byPlace.get(one)!.push({ ...reject, row: reject.row - one.before });
  }
  // What is counted over all files is added with the first one.
  const [first, ...others] = part.joined.filter(({ rows }) => rows > 0);
  if (first === undefined) return;
  const batchOf = (found: JoinedFile) => ({
    file: found.file,
    shape: { ...part, ...found.info, isZoneless: found.isZoneless },
    rows: found.rows,
    rejects: byPlace.get(found)!,
    fraction: 1,
  });
  const { passed, unindexed } = part;
  books.addJoined([{ ...batchOf(first), passed, unindexed, counts }, ...others.map(batchOf)]);
}
