import type { StreamResult } from '../http/load.ts';
import { type Part, rowMaker } from '../part.ts';
import type { Row } from '../row.ts';
import { runTask } from '../run-task.ts';

/** Requests a second over HTTP, the load from another process. */
export const httpPart: Part = {
  what: 'requests per second over HTTP, from another process',
  needsStore: true,
  async run({ engine, swaps, root, isSmall }): Promise<Row[]> {
    const limits = isSmall ? { rounds: 1, seconds: 0.6 } : { rounds: 4, seconds: 5 };
    const { result, memory } = await runTask('serveHttp', { engine, swaps, root, ...limits });
    const { price, search, candles, mix, expensive, busy } = result;
    const row = rowMaker('http', engine, memory, 'requests/s');
    const cores = busy.map((part) => `${(part * 100).toFixed(0)} %`).join(' and ');
    const besideProcess = (operation: string, { ours, asJson }: typeof search): Row =>
      row(operation, ours, 'the same calls in process, 8 at a time, answers made JSON', {
        baseline: asJson,
        target: { kind: 'least-ratio', ratio: 0.8 },
      });
    const waits = (when: string, { p50, p99 }: StreamResult, what: string): Row[] => [
      row(`HTTP get-price ${when}, p50`, p50, what, { unit: 'ms' }),
      row(`HTTP get-price ${when}, p99`, p99, what, { unit: 'ms', target: { kind: 'most', ours: 25 } }),
    ];
    return [
      row(
        'HTTP get-price, 1 token, 64 connections',
        price.ours,
        `bare node:http, same body parsed, constant of the same size (${cores} of a core)`,
        { baseline: price.baseline, target: { kind: 'least-ratio', ratio: 0.6 } },
      ),
      besideProcess('HTTP profile search, 8 connections', search),
      besideProcess('HTTP candles, 8 connections', candles),
      ...waits('while all routes are asked', mix, '8 connections beside 8 that ask every route in turn'),
      ...waits('while costly searches are asked', expensive, '8 connections beside 8 of the most expensive searches'),
    ];
  },
};
