/**
 * Look-ups of one key beside requests of another that take much work, of all the kinds. A whole run (`npm run fuzz`) holds their p99 under
 * 50 ms, or ten times that of a quiet server where the machine is busy; with the other tests each is sent for a moment.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newShare } from '@swapfold/core/host';
import { mcpRoute } from '../../mcp/src/index.ts';
import { parseInTurn } from '../src/parse-in-turn.ts';
import { Attacker, look } from './costly-load.ts';
import { costlyRequests } from './costly-requests.ts';
import { startService } from './service.ts';

const [ANNA, BEN] = ['key-of-anna', 'key-of-ben'];
/** `npm run fuzz` sets it. */
const isWhole = Number(process.env.FUZZ_REQUESTS ?? 0) > 10_000;
const SECONDS = isWhole ? 2 : 0.1;
const CONNECTIONS = 8;
const MOST = 50;

const p99 = (times: readonly number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)]!;

test('look-ups of one key are answered beside costly requests of another', async (t) => {
  const service = await startService({ keys: [ANNA, BEN], routes: [mcpRoute()] });
  t.after(() => service.close());
  await look(service.url, BEN, SECONDS);
  const quiet = p99((await look(service.url, BEN, SECONDS)).times);
  t.diagnostic(`quiet: p99 ${quiet.toFixed(1)} ms`);
  for (const costly of costlyRequests) {
    const attackers = Array.from({ length: CONNECTIONS }, () => new Attacker(service.url, ANNA, costly));
    const { times, failures } = await look(service.url, BEN, SECONDS);
    // At least one was answered beside them.
    while (attackers.every(({ answers }) => answers === 0)) await look(service.url, BEN, 0.05);
    for (const attacker of attackers) attacker.end();
    const { status } = attackers.find(({ answers }) => answers > 0)!;
    t.diagnostic(
      `${costly.name} (${status}): p99 ${p99(times).toFixed(1)} ms, ${(p99(times) / quiet).toFixed(1)} times`,
    );
    assert.deepEqual(failures, [], costly.name);
    assert.ok(['200', '400', '413', '503'].includes(status), `${costly.name}: ${status}`);
    if (isWhole) assert.ok(p99(times) < Math.max(MOST, 10 * quiet), `${costly.name}: ${p99(times)} ms`);
  }
});

test('a long body is parsed as work of its key, in a turn of that key', async () => {
  const [anna, ben] = [newShare(), newShare()];
  const long = Buffer.from(`[${'0,'.repeat(20_000)}0]`);
  const order: string[] = [];
  const parse = async (name: string, share: typeof anna): Promise<void> => {
    await parseInTurn(long, share);
    order.push(name);
  };
  // Anna has worked for longer than Ben, whatever the tests before have worked.
  anna.worked = Number.POSITIVE_INFINITY;
  const all = [parse('anna', anna), parse('ben', ben)];
  assert.deepEqual(order, []);
  await Promise.all(all);
  assert.deepEqual(order, ['ben', 'anna']);
  assert.ok(ben.worked > 0, String(ben.worked));
});

test('a short body is parsed at once, and counts as well', async () => {
  const share = newShare();
  let isRead = false;
  void parseInTurn(Buffer.from('{"tokens":[]}'), share).then(() => {
    isRead = true;
  });
  await undefined;
  await undefined;
  assert.ok(isRead);
  assert.ok(share.worked > 0);
});
