import type { CallOptions } from '../storage/abortable.ts';
import type { TimeInput } from '../time.ts';
import type { ExportFormat } from './formats/write.ts';

/** What of a thing is exported; which of these a thing takes, its declaration says. */
export interface ExportRequest extends CallOptions {
  /** Typed arrays (the default), or record batches of apache-arrow: see `ArrowRequest`. */
  readonly as?: 'columns' | undefined;
  /** Columns by name, in this order. Default: all. */
  readonly columns?: readonly string[] | undefined;
  /** Addresses that the rows are of. */
  readonly wallet?: string | undefined;
  readonly token?: string | undefined;
  readonly pool?: string | undefined;
  /** The interface's filter. */
  readonly filter?: object | undefined;
  /** Whose profiles. Default: wallets. */
  readonly kind?: 'wallets' | 'tokens' | undefined;
  /** Seconds of a candle. */
  readonly interval?: number | undefined;
  /** The first instant, and the one at which it ends. */
  readonly from?: TimeInput | undefined;
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
  readonly format: ExportFormat;
}
