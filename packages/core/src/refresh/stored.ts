import { windowSpecs } from '../bag/windows.ts';
import type { EntityKind } from '../profiles/fields.ts';
import type { Batch, Table } from '../records/columns.ts';
import type { Reader } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';

/** The open cost of an entity at an instant: a sum of two doubles (Neumaier), and the number of positions with an open cost. */
export interface OpenCost {
  readonly sum: number;
  readonly low: number;
  readonly positions: number;
}

/** Where the trades of an entity can be taken up: those at or before `time` are in it. */
export interface Checkpoint {
  readonly time: number;
  readonly openCost: OpenCost;
}

/** What the stored profiles of entities say of what was there before the swaps that changed. */
export class StoredEntities {
  readonly #rows: ReadonlyMap<number, number>;

  constructor(
    readonly kind: EntityKind,
    readonly rows: Batch,
    /** Block time of the first swap of an entity that changed since its profile was folded; `NO_SWAP` if none did. */
    readonly since: (id: number) => number,
  ) {
    this.#rows = new Map(Array.from(rows.columns.id as Int32Array, (id, row) => [id, row]));
  }

  /** The end of the longest window's past when the profile was folded, unless something changed before it. */
  checkpointOf(id: number): Checkpoint | undefined {
    const row = this.#rows.get(id);
    if (row === undefined) return undefined;
    const time = this.#number('folded_as_of', row) - windowSpecs[this.kind][0]!.seconds;
    if (this.since(id) <= time) return undefined;
    return {
      time,
      openCost: {
        sum: this.#number('cost_sum', row),
        low: this.#number('cost_low', row),
        positions: this.#number('cost_positions', row),
      },
    };
  }

  #number(column: string, row: number): number {
    return (this.rows.columns[column] as Float64Array)[row]!;
  }
}

export async function readStored(
  reader: Reader,
  kind: EntityKind,
  table: Table,
  ids: Int32Array,
  since: (id: number) => number,
): Promise<StoredEntities> {
  const columns = ['id', 'folded_as_of', 'cost_sum', 'cost_low', 'cost_positions'];
  const rows = (await reader.read({ table, columns, where: isIn('id', ids) })) as Batch;
  return new StoredEntities(kind, rows, since);
}
