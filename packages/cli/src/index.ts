export { type FileRecord, type RecordBatch, type RecordOptions, readRecords } from './files/read-records.ts';
export { readSwapFile, type SwapFileBatch, type SwapFileOptions } from './files/read-swap-file.ts';
export type { FileReject } from './files/table-builder.ts';
