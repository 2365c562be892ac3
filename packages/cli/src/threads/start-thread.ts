import { type TransferListItem, Worker } from 'node:worker_threads';

/** A thread that runs `chain-reader.ts`: the built file, or the source if the sources run. */
export function startThread(
  name: 'chain-reader',
  workerData: unknown,
  transferList: readonly TransferListItem[] = [],
): Worker {
  const options = { workerData, transferList: [...transferList] };
  return import.meta.url.endsWith('.ts')
    ? new Worker(new URL('../from-source.mjs', import.meta.url), { ...options, argv: [`./${name}.ts`] })
    : new Worker(new URL(`./${name}.js`, import.meta.url), options);
}
