import type { ColumnData } from '@swapfold/core/engine';
import type { SqliteStatement } from './handle.ts';

/** Rows of one shape before it has a statement of its own: one of hundreds of columns takes as long to prepare as some rows to insert. */
const SEEN = 6;

/** Shapes of a table that have a statement of their own: of most tables, all. */
const STATEMENTS = 128;

/** Shapes that are counted. Beyond, all are forgotten, because the windows of profiles move on and with them the shapes. */
const COUNTED = 4096;

/** Columns of one character of a shape: 2 bits each. */
const PACKED = 7;

const [VALUE, NULL, ZERO] = [0, 1, 2] as const;

/**
 * Inserts of a wide table. Most values of a profile of few trades are null or 0, because its shorter windows hold no trade. Rows that have
 * them in the same columns are of one shape; a statement for it holds them as literals, so that only the other values are bound.
 */
export class RowShapes {
  readonly #seen = new Map<string, number>();
  readonly #statements = new Map<string, SqliteStatement>();

  /** `prepare` makes the statement that inserts a row of these values: `?`, `null` or `0` for each column. */
  constructor(private readonly prepare: (values: readonly string[]) => SqliteStatement) {}

  /** Inserts a row if its shape has a statement. */
  insert(columns: readonly ColumnData[], row: number): boolean {
    const bound: (number | string)[] = [];
    const shape = readRow(columns, row, bound);
    const statement = this.#statements.get(shape) ?? this.#count(shape, columns.length);
    statement?.run(bound);
    return statement !== undefined;
  }

  #count(shape: string, width: number): SqliteStatement | undefined {
    const seen = (this.#seen.get(shape) ?? 0) + 1;
    this.#seen.set(shape, seen);
    if (this.#seen.size > COUNTED) {
      this.#seen.clear();
      this.#statements.clear();
    }
    if (seen < SEEN || this.#statements.size >= STATEMENTS) return undefined;
    const statement = this.prepare(literalsOf(shape, width));
    this.#statements.set(shape, statement);
    return statement;
  }
}

/** The shape of a row; its other values go to `bound`. -0 is such a value: as a literal it would lose its sign. */
function readRow(columns: readonly ColumnData[], row: number, bound: (number | string)[]): string {
  const width = columns.length;
  let shape = '';
  for (let from = 0; from < width; from += PACKED) {
    const to = Math.min(width, from + PACKED);
    let packed = 0;
    for (let c = from; c < to; c++) {
      const value = columns[c]![row]!;
      let kind: number = VALUE;
      if (value === null || Number.isNaN(value)) kind = NULL;
      else if (Object.is(value, 0)) kind = ZERO;
      else bound.push(value);
      packed = (packed << 2) | kind;
    }
    shape += String.fromCharCode(packed);
  }
  return shape;
}

function literalsOf(shape: string, width: number): string[] {
  const words = { [VALUE]: '?', [NULL]: 'null', [ZERO]: '0' } as const;
  return Array.from({ length: width }, (_, c) => {
    const packed = shape.charCodeAt(Math.floor(c / PACKED));
    const last = Math.min(width, (Math.floor(c / PACKED) + 1) * PACKED) - 1;
    return words[((packed >> (2 * (last - c))) & 3) as keyof typeof words];
  });
}
