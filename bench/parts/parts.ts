import type { Part } from '../part.ts';
import { formatsPart } from './formats.ts';
import { httpPart } from './http.ts';
import { importPart } from './import.ts';
import { incrementalPart } from './incremental.ts';
import { refreshPart } from './refresh.ts';
import { servingPart } from './serving.ts';
import { transfersPart } from './transfers.ts';
import { viewsPart } from './views.ts';

/** What measures a store, by name, in the order in which it runs. */
export const parts = {
  import: importPart,
  formats: formatsPart,
  refresh: refreshPart,
  incremental: incrementalPart,
  serving: servingPart,
  http: httpPart,
  transfers: transfersPart,
  views: viewsPart,
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof parts;
