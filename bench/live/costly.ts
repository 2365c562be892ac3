/**
 * How long a look-up of one key takes beside requests of another key that take much work: 100 a second on one connection, while the other
 * key sends the same request again and again on 40.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Attacker, look } from '../../packages/server/test/costly-load.ts';
import { costlyRequests } from '../../packages/server/test/costly-requests.ts';
import { quantile } from '../timing.ts';

export const VICTIM = 'the-key-of-the-victim';
export const ATTACKER = 'the-key-of-the-attacker';

const CONNECTIONS = 40;
/** The p99 that holds beside each kind, ms. */
const MOST = 50;

/** Prints what each kind does to the look-ups of another key; the exit code is 1 where their p99 is over 50 ms. */
export async function runCostly(seconds: number, only = ''): Promise<void> {
  const server = fork(fileURLToPath(new URL('./costly-server.ts', import.meta.url)));
  try {
    const [{ url }] = (await once(server, 'message')) as [{ url: string }];
    await look(url, VICTIM, 1);
    const { times: quiet } = await look(url, VICTIM, seconds);
    tell('quiet', quiet);
    for (const costly of costlyRequests.filter(({ name }) => name.includes(only))) {
      const attackers = Array.from({ length: CONNECTIONS }, () => new Attacker(url, ATTACKER, costly));
      await pause(500);
      const { times, failures } = await look(url, VICTIM, seconds);
      const answered = attackers.reduce((sum, { answers }) => sum + answers, 0);
      for (const attacker of attackers) attacker.end();
      const ratio = quantile(times, 0.99) / quantile(quiet, 0.99);
      tell(
        `${costly.name} (${attackers[0]!.status}, ${Math.round(answered / (seconds + 0.5))} per second)`,
        times,
        ratio,
      );
      if (failures.length > 0) console.log(`  get-price was answered ${failures.join(', ')}`);
      if (failures.length > 0 || quantile(times, 0.99) > MOST) process.exitCode = 1;
      // What the server holds of the connections that were cut ends first.
      await pause(500);
    }
  } finally {
    server.kill('SIGKILL');
  }
}

function tell(what: string, times: readonly number[], ratio?: number): void {
  const at = (q: number): string => quantile(times, q).toFixed(1);
  const beside = ratio === undefined ? '' : `, p99 is ${ratio.toFixed(1)} times that of quiet`;
  console.log(`${what}: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms${beside}`);
}
