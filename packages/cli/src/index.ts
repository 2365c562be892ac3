export type { StreamSource } from './files/open-stream.ts';
export { type FileRecord, type RecordBatch, type RecordOptions, readRecords } from './files/read-records.ts';
export { readSwapFile, type SwapFileBatch, type SwapFileOptions } from './files/read-swap-file.ts';
export type { FileReject } from './files/table-builder.ts';
export { builtInPresets } from './presets/built-in.ts';
export { parsePreset } from './presets/parse-preset.ts';
export type { Preset } from './presets/preset.ts';
