/**
 * `npm run demo`: the demo of the command line or, with `--chain` and `--solana`, one on a chain of its own and one of a stand-in node, which no
 * published package holds.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

if (process.argv.includes('--solana')) {
  const { demo } = await import('./solana-demo.ts');
  await demo(process.stdout.isTTY === true && !process.env.CI);
} else if (!process.argv.includes('--chain')) {
  const program = new URL('../../packages/cli/src/bin.ts', import.meta.url);
  // The program that the demo names in the commands that it prints.
  process.argv.splice(1, 1, fileURLToPath(program), 'demo');
  await import(program.href);
} else if (existsSync(new URL('../chain/node_modules/@foundry-rs/anvil', import.meta.url))) {
  const { demo } = await import('../chain/demo.ts');
  await demo(process.stdout.isTTY === true && !process.env.CI);
} else {
  console.error(
    'The demo on a chain needs anvil and the contracts of Uniswap, 60 MB from the npm registry. Install them:',
  );
  console.error('npm ci --ignore-scripts --prefix test/chain');
  process.exitCode = 1;
}
