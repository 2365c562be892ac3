/** One task of the benchmark in a process of its own, so that its memory is its own. Started by `runTask`. */
import { type TaskName, tasks } from './tasks.ts';

process.once('message', async ({ name, input }: { name: TaskName; input: never }) => {
  const result = await tasks[name](input);
  // Kibibytes.
  process.send!({ result, memory: (process.resourceUsage().maxRSS * 1024) / 1e6 }, () => process.exit());
});
