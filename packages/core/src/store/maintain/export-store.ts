import type { ExportBatch, ExportColumn } from '../../export/column.ts';
import { arrowBatches } from '../../export/formats/arrow.ts';
import { exportFormats, writeRows } from '../../export/formats/write.ts';
import type { ArrowRequest, ExportFileRequest, ExportOption, ExportRequest } from '../../export/request.ts';
import type { ExportThing } from '../../export/things.ts';
import { type ExportName, exportThing } from '../../export/things.ts';
import { requestError } from '../../faults.ts';
import { didYouMean, show } from '../../nearest.ts';
import { checkSignal, throwIfAborted, untilAborted } from '../../storage/abortable.ts';
import { pinSnapshot } from '../../storage/snapshots.ts';
import { mismatchOf } from '../open/folding.ts';
import type { StoreSession } from '../open/session.ts';

/** A thing with the columns that are wanted of it. */
interface Export {
  readonly thing: ExportThing;
  readonly columns: readonly ExportColumn[];
}

/** A store's rows, on their way out: `docs/guides/export.md` says what there is, and what each thing takes of a request. */
export interface Exports {
  /**
   * The rows of `what` as columns, in batches, from one state of the store.
   *
   * - Shape: batches with the columns that were asked for; a consumer that stops early ends the reading.
   * - Errors: `invalid-input` for what is nothing to export, an option that it does not take or lacks, or an unknown column; those of reading
   *   the store; `aborted`.
   */
  columns(what: ExportName, request?: ExportRequest): AsyncIterable<ExportBatch>;
  /**
   * The same rows as record batches of the optional package apache-arrow.
   *
   * - Shape: `RecordBatch`, if you give that type of the package: `dex.columns<RecordBatch>('trades', { as: 'arrow' })`.
   * - Errors: `invalid-input` without the package.
   */
  columns<Batch = unknown>(what: ExportName, request: ArrowRequest): AsyncIterable<Batch>;
  /** The same rows as the bytes of a file, in pieces. */
  export(what: ExportName, request: ExportFileRequest): AsyncIterable<Uint8Array>;
}

export function exportsOf(session: StoreSession, refuseWhenClosed: () => void): Exports {
  return {
    columns<Batch>(what: ExportName, { as = 'columns', ...request }: ExportRequest | ArrowRequest = {}) {
      refuseWhenClosed();
      if (as !== 'columns' && as !== 'arrow')
        throw requestError('invalid-input', 'as', `"as": expected "columns" or "arrow", received ${show(as)}.`);
      const wanted = checkExport(session, what, request);
      const batches = readExport(session, wanted, request);
      // The caller names the type of a package that need not be there.
      return as === 'arrow'
        ? (arrowBatches(wanted.columns, batches) as AsyncIterable<unknown> as AsyncIterable<Batch & ExportBatch>)
        : batches;
    },
    export(what, { format, ...request }) {
      refuseWhenClosed();
      if (!exportFormats.includes(format)) {
        const message = `"format": expected one of ${exportFormats.join(', ')}, received ${show(format)}.`;
        throw requestError('invalid-input', 'format', message);
      }
      const wanted = checkExport(session, what, request);
      return writeRows(format, wanted.columns, readExport(session, wanted, request));
    },
  };
}

async function* readExport(
  session: StoreSession,
  { thing, columns }: Export,
  request: ExportRequest,
): AsyncGenerator<ExportBatch> {
  await session.reloadIfChanged();
  const names = columns.map(({ name }) => name);
  const snapshot = await pinSnapshot((read) => session.storage.snapshot(read, 'held'));
  try {
    const reader = untilAborted(snapshot.reader, request.signal);
    const state = await session.rememberedOf(reader);
    const mismatch = session.storage.isReadOnly === true ? mismatchOf(state.meta, session.folding) : undefined;
    if (mismatch !== undefined) throw mismatch;
    const context = session.context(reader, { asOf: request.asOf, signal: request.signal }, { state });
    for await (const batch of thing.read(context, request, names)) {
      throwIfAborted(request.signal);
      const own = Object.fromEntries(names.map((name) => [name, batch.columns[name]!]));
      yield { length: batch.length, columns: own };
    }
  } finally {
    await snapshot.end();
  }
}

/** Errors: `invalid-input` for what is nothing to export, an option that it does not take or lacks, or an unknown column. */
function checkExport(session: StoreSession, what: string, request: ExportRequest): Export {
  const thing = exportThing(what);
  checkSignal(request.signal);
  const { columns: wanted, signal, ...options } = request;
  const known: readonly string[] = thing.options;
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || known.includes(name)) continue;
    const hint = didYouMean(name, [...known]) || ` It takes: ${['columns', ...known].join(', ')}.`;
    throw requestError('invalid-input', name, `An export of ${what} has no option "${name}".${hint}`);
  }
  const { interval } = options;
  const has = (name: ExportOption): boolean => request[name] !== undefined;
  const lacking = thing.needs?.find((names) => !names.some(has));
  if (lacking !== undefined)
    throw requestError('invalid-input', lacking[0]!, `An export of ${what} needs ${quoted(lacking).join(' or ')}.`);
  if (interval !== undefined && !(Number.isSafeInteger(interval) && interval > 0))
    throw requestError('invalid-input', 'interval', `"interval": give whole seconds from 1 on, not ${show(interval)}.`);
  const all = thing.columns(session.shapes, request);
  if (wanted === undefined) return { thing, columns: all };
  const byName = new Map(all.map((column) => [column.name, column]));
  const columns = [...new Set(wanted)].map((name) => {
    const column = byName.get(name);
    if (column !== undefined) return column;
    const hint = didYouMean(String(name), [...byName.keys()]);
    throw requestError('invalid-input', 'columns', `An export of ${what} has no column ${show(name)}.${hint}`);
  });
  if (columns.length === 0) throw requestError('invalid-input', 'columns', '"columns" names no column.');
  return { thing, columns };
}

const quoted = (names: readonly string[]): readonly string[] => names.map((name) => `"${name}"`);
