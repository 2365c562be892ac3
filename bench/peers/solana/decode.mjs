// Reads blocks as JSON from files, each a line of the arguments, and writes how many milliseconds of the processor decoding them took, JSON included, and how many trades it found.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { DexParser } = createRequire(import.meta.url)('solana-dex-parser');
const parser = new DexParser();
const [file, rounds] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const times = [];
let trades = 0;
for (let round = 0; round < Number(rounds); round++) {
  trades = 0;
  const begun = process.cpuUsage();
  const block = JSON.parse(text);
  for (const raw of block.transactions) {
    const transaction = { ...raw, slot: block.parentSlot + 1, blockTime: block.blockTime, version: 0 };
    trades += parser.parseTrades(transaction).length;
  }
  const { user, system } = process.cpuUsage(begun);
  times.push((user + system) / 1000);
}
console.log(JSON.stringify({ times, trades }));
