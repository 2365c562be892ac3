import type { Candle } from '@swapfold/core';
import { SELF, suspectStandings, type ViewSource } from '@swapfold/core/engine';
import { quote } from '../statement.ts';
import { columnsOf, secondsOf } from './columns.ts';
import type { Ranked, View, ViewDialect } from './view.ts';

const HOUR = 3600;

/** Where a store begins that has forgotten swaps, Unix seconds: it keeps some legs from before, and an hour that it cuts is no whole one. */
const HORIZON = `coalesce((select cast(json_extract("value", '$.time') as bigint) from "meta" where "name" = 'horizon'), 0)`;

export function candlesView({ candles }: ViewSource, dialect: ViewDialect): View {
  const token = { name: 'token', type: 'text', meaning: 'Address.' } as const;
  const ranked: Readonly<Record<'open' | 'close', Ranked>> = {
    open: dialect.price('first', '"group"."id"'),
    close: dialect.price('last', '"group"."id"'),
  };
  const computed: Readonly<Record<Exclude<keyof Candle, 'timestamp'> | 'token' | 'id' | 'bucket', string>> = {
    token: '"token_text"."text"',
    id: '"leg"."token"',
    bucket: dialect.divided(secondsOf('"leg"."seq"'), HOUR),
    open: ranked.open.inGroup,
    high: 'max("leg"."price")',
    low: 'min("leg"."price")',
    close: ranked.close.inGroup,
    volume: 'coalesce(sum("leg"."usd_amount"), 0)',
    count: 'count(*)',
    suspect_count: `count(case when "leg"."standing" in (${suspectStandings.join(', ')}) then 1 end)`,
  };
  const inGroup = Object.entries(computed).map(([name, sql]) => `${sql} as ${quote(name)}`);
  const values: Readonly<Record<keyof Candle | 'token', string>> = {
    ...(Object.fromEntries(Object.keys(computed).map((name) => [name, `"group".${quote(name)}`])) as typeof computed),
    timestamp: dialect.time(`("group"."bucket" * ${HOUR})`),
    open: ranked.open.ofGroup('"group"."open"'),
    close: ranked.close.ofGroup('"group"."close"'),
  };
  // Grouped by the text: engines then read only the legs of the token that a query is about.
  return {
    name: 'v_candles_1h',
    rows: 'The prices and the volume of a token in an hour that has a price.',
    columns: columnsOf([token, ...candles], values),
    from: `from (select ${inGroup.join(', ')}
from "legs" "leg" join "texts" "token_text" on "token_text"."id" = "leg"."token"
where "leg"."standing" <> ${SELF} and ${computed.bucket} * ${HOUR} >= ${HORIZON}
group by "token_text"."text", "leg"."token", ${computed.bucket}
having max("leg"."price") is not null) "group"`,
  };
}
