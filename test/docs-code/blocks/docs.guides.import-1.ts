// Generated from docs/guides/import.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
import { importFiles } from 'swapfold';

const importing = importFiles(dex, ['exports/', '2024-*.csv.gz'], { rejects: 'left-out.ndjson' });
for await (const step of importing) if (step.kind === 'rows') console.log(step.file, step.rows);
const { counts, rejected, rejects } = await importing;
await dex.refresh();
export {};
