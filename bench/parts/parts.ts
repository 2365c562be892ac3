import type { Part } from '../part.ts';
import { formatsPart } from './formats.ts';
import { httpPart } from './http.ts';
import { importPart } from './import.ts';
import { incrementalPart } from './incremental.ts';
import { polarsPart } from './polars.ts';
import { refreshPart } from './refresh.ts';
import { servingPart } from './serving.ts';

/** The parts of the benchmark by name, in the order in which they run. */
export const parts = {
  import: importPart,
  formats: formatsPart,
  refresh: refreshPart,
  incremental: incrementalPart,
  serving: servingPart,
  polars: polarsPart,
  http: httpPart,
} as const satisfies Record<string, Part>;

export type PartName = keyof typeof parts;
