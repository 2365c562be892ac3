import { engineNames } from '../files.ts';
import type { StreamResult } from '../http/load.ts';
import type { Part } from '../part.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';
import type { Times } from '../timing.ts';

/** Requests a second over HTTP, the load from another process. */
export const httpPart: Part = {
  what: 'requests per second over HTTP, from another process',
  needsStore: true,
  async run({ engine, swaps, root, isSmall }): Promise<Row[]> {
    const limits = isSmall ? { rounds: 1, seconds: 0.6 } : { rounds: 4, seconds: 5 };
    const { result, memory } = await runTask('serveHttp', { engine, swaps, root, ...limits });
    const { price, search, candles, mix, expensive, busy } = result;
    const row = { part: 'http', engine: engineNames[engine], memory } as const;
    const cores = busy.map((part) => `${(part * 100).toFixed(0)} %`).join(' and ');
    const rate = (
      operation: string,
      { ours, baseline }: { ours: Times; baseline: Times },
      ratio: number,
      what: string,
    ): Row => ({
      ...row,
      operation,
      unit: 'requests/s',
      ours: ours.median,
      baseline: baseline.median,
      what,
      target: { kind: 'least-ratio', ratio },
      spread: ours.quartiles,
    });
    const besideProcess = (operation: string, { ours, asJson }: typeof search): Row =>
      rate(operation, { ours, baseline: asJson }, 0.8, 'the same calls in process, 8 at a time, answers made JSON');
    const waits = (when: string, { p50, p99 }: StreamResult, what: string): Row[] =>
      (
        [
          ['p50', p50, null],
          ['p99', p99, { kind: 'most', ours: 25 }],
        ] as const
      ).map(([name, ours, target]) => ({
        ...row,
        operation: `HTTP get-price ${when}, ${name}`,
        unit: 'ms',
        ours,
        baseline: null,
        what,
        target,
      }));
    return [
      rate(
        'HTTP get-price, 1 token, 64 connections',
        price,
        0.6,
        `bare node:http, same body parsed, constant of the same size (${cores} of a core)`,
      ),
      besideProcess('HTTP profile search, 8 connections', search),
      besideProcess('HTTP candles, 8 connections', candles),
      ...waits('while all routes are asked', mix, '8 connections beside 8 that ask every route in turn'),
      ...waits('while costly searches are asked', expensive, '8 connections beside 8 of the most expensive searches'),
    ];
  },
};
