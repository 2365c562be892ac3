import type { EntityPrints } from '../bag/entity.ts';
import { latestPrints, type Print } from '../queries/latest-prints.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { legsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, between, isIn, not } from '../storage/predicate.ts';

/** Prints of tokens in the `seconds` before the as-of time and the last one before them, by token. */
export async function readPrints(
  reader: Reader,
  tokens: Int32Array,
  seconds: number,
  asOf: number,
): Promise<ReadonlyMap<number, EntityPrints>> {
  const start = asOf - seconds;
  const before = await latestPrints(reader, tokens, lastSeqAt(start));
  const found = new Map<number, Print[]>();
  for (const [token, print] of before) found.set(token, [print]);
  const rows = reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'price'],
    where: and(
      isIn('token', tokens),
      between('seq', firstSeqAt(Math.max(0, start + 1)), lastSeqAt(asOf)),
      not({ kind: 'missing', column: 'price' }),
    ),
    order: [
      { column: 'token', direction: 'asc' },
      { column: 'seq', direction: 'asc' },
    ],
  });
  for await (const batch of rows) {
    const c = batch.columns;
    for (let i = 0; i < batch.length; i++) {
      const print = { seq: c.seq[i]!, price: c.price[i]! };
      const prints = found.get(c.token[i]!);
      if (prints === undefined) found.set(c.token[i]!, [print]);
      else prints.push(print);
    }
  }
  return new Map(
    Array.from(found, ([token, prints]) => [
      token,
      {
        length: prints.length,
        time: Float64Array.from(prints, ({ seq }) => timeOf(seq)),
        price: Float64Array.from(prints, ({ price }) => price),
      },
    ]),
  );
}
