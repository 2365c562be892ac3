import { Worker } from 'node:worker_threads';

/** A thread that runs `reader.ts` or `folder.ts`: the built file, or the source where the sources run. */
export function startThread(name: 'reader' | 'folder', workerData: unknown): Worker {
  return import.meta.url.endsWith('.ts')
    ? new Worker(new URL('../from-source.mjs', import.meta.url), { workerData, argv: [`./${name}.ts`] })
    : new Worker(new URL(`./${name}.js`, import.meta.url), { workerData });
}
