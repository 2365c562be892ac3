import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { runProgram } from './run-cli.ts';

const examples = [
  [
    'embed-in-a-service',
    /burst 40: \d+ swaps added, \d+ wallet profiles folded\n.*\n( {2}\w+ earned \$[\d,]+ and holds .*\n){3}$/,
  ],
  ['research-with-duckdb', /^20000 swaps added, 0 rows[\s\S]*profit_factor[\s\S]*'raydium_amm'/],
  ['self-hosted-server', /^Serving at http:\/\/127\.0\.0\.1:\d+\n200: \d+ tokens, [\s\S]*"token_address": /],
] as const;

describe('examples', { concurrency: 2 }, () => {
  for (const [name, output] of examples) {
    const path = `examples/${name}.ts`;
    test(`${path} runs, ends by itself and shows what it says`, async () => {
      const { code, stdout, stderr } = await runProgram(path);
      assert.equal(code, 0, stderr);
      assert.match(stdout, output);
    });

    test(`${path} says how to run it, within 80 lines`, async () => {
      const lines = (await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8')).split('\n');
      assert.match(lines.slice(0, 3).join('\n'), new RegExp(`^// .*\\n.*npx tsx ${path}`));
      assert.ok(lines.length <= 80, `${lines.length} lines`);
    });
  }
});
