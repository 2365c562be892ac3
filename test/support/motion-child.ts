/** The writer beside a reading process: `swaps` commits some and tells the answers that hold from then on; `run` commits until `end`. */
import { sqlite } from '@swapfold/sqlite';
import { answersOf, startMotion } from './motion.ts';

/** What the parent sends. */
export type Order = 'swaps' | 'run' | 'end';

const motion = await startMotion(sqlite(process.argv[2]!));
let isEnded = false;

async function tell(): Promise<void> {
  const answers = await answersOf(motion.dex);
  await new Promise((resolve) => process.send!(answers, resolve));
}

async function run(): Promise<void> {
  while (!isEnded) {
    await motion.step();
    await tell();
  }
  await motion.dex.close();
  process.disconnect();
}

process.on('message', (order: Order) => {
  if (order === 'end') isEnded = true;
  else if (order === 'run') void run();
  else void motion.takeSwaps().then(tell);
});
await tell();
