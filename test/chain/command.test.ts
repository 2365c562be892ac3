import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { bundled } from '../support/bundle.ts';
import { withFolder } from '../support/engines.ts';
import { startAnvil } from './anvil.ts';
import { deployExchange } from './exchange.ts';
import { until } from './following.ts';
import { mineBlocks, trades } from './traffic.ts';

const chain = await startAnvil(['--timestamp', '1700000000']);
after(() => chain.stop());
const exchange = await deployExchange(chain);
const traffic = trades(exchange, 11);

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const program = await bundled('packages/cli/src/bin.ts');

async function swapfold(...args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = [child.stdout, child.stderr].map((stream) => stream.setEncoding('utf8').toArray());
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { code, out: (await out!).join(''), err: (await err!).join('') };
}

test('import evm stores what the chain has, goes on where it stopped, and refuses a node of another chain', () =>
  withFolder(async (folder) => {
    const config = join(folder, 'config.json');
    const usdc = exchange.tokens.find(({ symbol }) => symbol === 'USDC')!;
    const quote_tokens = [{ address: usdc.address, symbol: 'USDC', kind: 'stable' }];
    writeFileSync(config, JSON.stringify({ chain: 'anvil', address_format: 'evm', quote_tokens }));
    const db = join(folder, 'dex.db');
    const args = [
      'import',
      'evm',
      `evm:${chain.url}`,
      '--factory',
      exchange.v2Factory.address,
      '--factory',
      exchange.v3Factory.address,
    ];
    await mineBlocks(chain, traffic, [2, 2]);
    const one = await swapfold(...args, '--from-block', '0', '--db', db, '--config', config);
    assert.equal(one.code, 0, one.err);
    const first = Number(/Stored (\d+) swaps in/.exec(one.out)?.[1]);
    assert.ok(first >= 4, one.out);
    assert.match(one.out, /Refreshed \d+ token/);
    const again = await swapfold(...args, '--db', db);
    assert.match(again.out, /Stored 0 swaps in/, again.err);
    await mineBlocks(chain, traffic, [1]);
    const more = await swapfold(...args, '--db', db);
    assert.match(more.out, /Stored [1-9] swaps in/, more.err);

    const before = Number(await chain.call('eth_blockNumber'));
    const following = spawn(process.execPath, [program, 'follow', ...args.slice(2), '--poll-ms', '20', '--db', db]);
    const ended = once(following, 'exit');
    await mineBlocks(chain, traffic, [2, 1]);
    await until('the followed blocks are stored', async () => {
      const dex = await Swapfold.open({ storage: sqlite({ path: db, read_only: true }) });
      const [source] = await dex.sources();
      await dex.close();
      return (JSON.parse(source!.place) as { next: number }).next === before + 3;
    });
    following.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);

    writeFileSync(config, JSON.stringify({ preset: 'ethereum' }));
    const other = await swapfold(...args, '--db', join(folder, 'other.db'), '--config', config);
    assert.notEqual(other.code, 0);
    assert.match(other.err, /The node is of chain 31337 .* not of chain 1 \(ethereum\)/);
    const solana = await swapfold(...args, '--db', join(folder, 'solana.db'));
    assert.match(solana.err, /The store is of chain "solana"/);
  }));

test('the four commands of docs/guides/chain.md lead from the address of a node to a page with live prices', () =>
  withFolder(async (folder) => {
    const [, block] = /```sh\n([\s\S]*?)```/.exec(readFileSync('docs/guides/chain.md', 'utf8'))!;
    const [install, configure, load, serve, ...rest] = block!.trim().split('\n').map(onThisChain);
    assert.deepEqual([install, rest], ['npm ci && npm run build:js', []]);
    // What npx is once that is done.
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift\nexec ${process.execPath} ${program} "$@"\n`);
    chmodSync(join(bin, 'npx'), 0o755);
    const options = { cwd: folder, env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } };
    const run = (line: string): ChildProcess =>
      spawn('sh', ['-c', line], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    await mineBlocks(chain, traffic, [2, 2]);
    for (const line of [configure!, load!]) {
      const child = run(line);
      const [wrong, [code]] = await Promise.all([child.stderr!.setEncoding('utf8').toArray(), once(child, 'exit')]);
      assert.equal(code, 0, wrong.join(''));
    }
    // The signal goes to the server, not to a shell that waits for it.
    const server = run(`${serve!.replace('npx', 'exec npx')} --port 0 --poll-ms 20`);
    const ended = once(server, 'exit');
    try {
      let said = '';
      server.stdout!.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
      await until('the server is there', () => said.includes(' at http://'));
      const url = / at (http:\/\/[^/]+)\//.exec(said)![1]!;
      assert.match(await (await fetch(url)).text(), /<title>[^<]*Swapfold/i);
      const tokens = exchange.tokens
        .filter(({ symbol }) => symbol !== 'USDC')
        .map(({ address }) => address.toLowerCase());
      const slots = async (): Promise<readonly number[]> => {
        const headers = { 'X-Api-Key': 'change-me-please', 'Content-Type': 'application/json' };
        const body = JSON.stringify({ tokens });
        const answer = await fetch(`${url}/v1/anvil/dex/prices/get-price`, { method: 'POST', headers, body });
        return ((await answer.json()) as { block_slot: number }[]).map(({ block_slot }) => block_slot);
      };
      for (let i = 0; i < 2; i++) {
        await mineBlocks(chain, traffic, [3]);
        const newest = Number(await chain.call('eth_blockNumber'));
        await until('a price of the newest block is answered', async () => (await slots()).includes(newest));
      }
    } finally {
      server.kill('SIGTERM');
    }
    assert.deepEqual(await ended, [0, null]);
  }));

/** A line of the page with the node, the factories and the quote token of this chain. */
function onThisChain(line: string): string {
  const usdc = exchange.tokens.find(({ symbol }) => symbol === 'USDC')!;
  const quote_tokens = [{ address: usdc.address, symbol: 'USDC', kind: 'stable' }];
  return line
    .replace('http://127.0.0.1:8545', chain.url)
    .replace('--factory uniswap-v3', `--factory ${exchange.v3Factory.address} --factory ${exchange.v2Factory.address}`)
    .replace('19000000', '0')
    .replace('{ "preset": "ethereum" }', JSON.stringify({ chain: 'anvil', address_format: 'evm', quote_tokens }));
}
