import type { CallOptions } from '../storage/abortable.ts';
import type { TimeInput } from '../time.ts';
import type { ExportFormat } from './formats/write.ts';

/** What of a thing is exported; which of these a thing takes, its declaration says. */
export interface ExportRequest extends CallOptions {
  /** Typed arrays (the default), or record batches of apache-arrow: see `ArrowRequest`. */
  readonly as?: 'columns' | undefined;
  /** Columns by name, in this order. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** Only rows of this wallet. */
  readonly wallet?: string | undefined;
  /** Only rows of this token. */
  readonly token?: string | undefined;
  /** Only rows of this pool. */
  readonly pool?: string | undefined;
  /** Only rows that this filter of a search matches. */
  readonly filter?: object | undefined;
  /** Whose profiles. Default: wallets. */
  readonly kind?: 'wallets' | 'tokens' | undefined;
  /** Seconds of a candle. */
  readonly interval?: number | undefined;
  /** Only rows from this instant on. */
  readonly from?: TimeInput | undefined;
  /** Only rows before this instant. */
  readonly to?: TimeInput | undefined;
  /** As if no later swap had happened. */
  readonly asOf?: TimeInput | undefined;
}

/** The name of an option of an export. */
export type ExportOption = Exclude<keyof ExportRequest, 'as' | 'columns' | 'signal'>;

/** What is exported as record batches of apache-arrow. */
export interface ArrowRequest extends Omit<ExportRequest, 'as'> {
  readonly as: 'arrow';
}

/** What is exported to a file, and as which. */
export interface ExportFileRequest extends Omit<ExportRequest, 'as'> {
  /** `parquet`, `csv`, `ndjson` or `arrow`. */
  readonly format: ExportFormat;
}
