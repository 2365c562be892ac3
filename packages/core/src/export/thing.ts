import type { ProfileKind } from '../profiles/fields.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import type { QueryContext } from '../queries/context.ts';
import type { ExportBatch, ExportColumn } from './column.ts';
import type { ExportOption, ExportRequest } from './request.ts';

/**
 * One thing that is exported: everything about it derives from this declaration.
 *
 * - `rows`: what a row is, and the order of rows.
 * - `options`: which options of a request it takes. `needs`: which of them it cannot do without, one of each list.
 * - `columns`: its columns, in the order of the interface.
 * - `read`: its rows in pages of bounded size, from one state of the store. A page may have more columns than are wanted.
 */
export interface ExportThing {
  readonly rows: string;
  readonly options: readonly ExportOption[];
  readonly needs?: readonly (readonly ExportOption[])[];
  readonly columns: (
    shapes: Readonly<Record<ProfileKind, ProfileShape>>,
    request: ExportRequest,
  ) => readonly ExportColumn[];
  readonly read: (
    context: QueryContext,
    request: ExportRequest,
    wanted: readonly string[],
  ) => AsyncIterable<ExportBatch>;
}
