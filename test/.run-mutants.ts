import { spawn } from 'node:child_process';
import { readFileSync, mkdtempSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
const root = '/tmp/wt/value';
const { worth } = await import(`${root}/test/mutants/worth.ts`);
const { ledger } = await import(`${root}/test/mutants/ledger.ts`);
const { detectors, sourceOf } = await import(`${root}/test/mutants/mutant.ts`);
const { bundle } = await import(`${root}/test/support/bundle.ts`);
const mine = [...worth, ...ledger].filter((m: any) => /value|weigh|votes|ranges|reprocess/.test(m.file));
const folder = mkdtempSync('/tmp/wt/value/.mut-');
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
async function run(detector: string, change: any) {
  const [file, ...only] = (detectors as any)[detector];
  const path = join(folder, 'detector.mjs');
  await bundle(join(root, file), path, change);
  const child = spawn(process.execPath, ['--test-reporter=tap', ...only, path], { cwd: root });
  let output = '';
  child.stdout.on('data', (t) => { output += t; if (/^not ok /m.test(output)) child.kill('SIGKILL'); });
  return new Promise<boolean>((done) => child.on('close', () => done(/^not ok /m.test(output))));
}
for (const m of mine) {
  const path = join(root, sourceOf(m));
  const parts = readFileSync(path, 'utf8').split(m.find);
  if (parts.length !== 2) { console.log('COUNT', parts.length - 1, m.breaks); continue; }
  for (const d of m.noticedBy) {
    const failed = await run(d, { path, text: parts.join(m.replace) });
    if (!failed) console.log('SURVIVED', m.breaks, d);
  }
}
console.log('done', mine.length);
