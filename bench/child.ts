/** Runs tasks of the benchmark, one at a time, until nobody asks for another. Started by `runTask`. */
import { type TaskName, tasks } from './tasks.ts';

process.on('message', async ({ name, input }: { name: TaskName; input: never }) => {
  const before = process.cpuUsage();
  const result = await tasks[name](input);
  const { user, system } = process.cpuUsage(before);
  // Given in kibibytes and microseconds.
  const memory = (process.resourceUsage().maxRSS * 1024) / 1e6;
  process.send!({ result, memory, processor: (user + system) / 1000 });
});
process.once('disconnect', () => process.exit());
