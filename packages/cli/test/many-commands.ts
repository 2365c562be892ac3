// Runs several commands in one process, each an array of arguments of the JSON array on standard input, and prints what they ended with.
import { json } from 'node:stream/consumers';
import { main } from '../src/main.ts';

const write = process.stdout.write.bind(process.stdout);
const ended: { code: number; stdout: string; stderr: string }[] = [];
for (const args of (await json(process.stdin)) as string[][]) {
  const out: Buffer[] = [];
  const errors: string[] = [];
  process.stdout.write = (bytes: string | Uint8Array) => out.push(Buffer.from(bytes)) > 0;
  process.stderr.write = (text: string | Uint8Array) => errors.push(String(text)) > 0;
  const code = await main(args);
  ended.push({ code, stdout: Buffer.concat(out).toString('latin1'), stderr: errors.join('') });
}
process.stdout.write = write;
write(JSON.stringify(ended));
