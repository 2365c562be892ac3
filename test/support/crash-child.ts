/** Runs the crash script until it ends or is killed: a line is printed as each transaction begins. */
import { runCrashScript } from './crash-script.ts';
import { engines } from './engines.ts';

const [engine, folder] = process.argv.slice(2) as [string, string];
await runCrashScript((number) => {
  const storage = engines[engine]!(folder, number);
  const write = storage.write.bind(storage);
  storage.write = (change) => {
    process.stdout.write('write\n');
    return write(change);
  };
  return storage;
});
