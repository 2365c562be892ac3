import { errorSchema, headersOf } from './errors.ts';
import { arrayOf, type JsonSchema, jsonContent, objectOf } from './json-schema.ts';

const text: JsonSchema = { type: 'string' };
const whole: JsonSchema = { type: 'integer' };
const number: JsonSchema = { type: 'number' };
const texts = arrayOf(text);
const flag: JsonSchema = { type: 'boolean' };

const symbol = parameter(
  'symbol',
  text,
  'The address of a token, or its symbol, of which the most traded one counts.',
  'WIF',
);
const range = [
  symbol,
  parameter('resolution', text, 'Minutes such as `5`, seconds such as `15S`, days such as `1D`.', '60'),
  parameter('to', whole, 'Unix seconds.', 1_704_499_200),
];
const from = (required: boolean): JsonSchema => ({
  ...parameter('from', whole, 'Unix seconds, of the first bar.', 1_704_412_800),
  required,
});

interface Described {
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly JsonSchema[];
  readonly schema: JsonSchema;
}

/** What each path below `/udf` answers, in the words of the protocol. */
const described: Readonly<Record<string, Described>> = {
  config: {
    summary: 'Get what the datafeed can do.',
    description: 'Returns the resolutions, and which of the other routes there are.',
    schema: objectOf({
      supports_search: flag,
      supports_group_request: flag,
      supports_marks: flag,
      supports_timescale_marks: flag,
      supports_time: flag,
      supported_resolutions: texts,
    }),
  },
  time: { summary: 'Get the time of the server.', description: 'Returns Unix seconds.', schema: whole },
  symbols: {
    summary: 'Get a token as a symbol.',
    description: 'Returns how the charting library is to draw the token. The ticker is its address.',
    parameters: [symbol],
    schema: objectOf({
      ...Object.fromEntries(
        ['name', 'ticker', 'description', 'type', 'session', 'timezone', 'exchange', 'listed_exchange', 'format'].map(
          (name) => [name, text],
        ),
      ),
      minmov: whole,
      pricescale: number,
      has_seconds: flag,
      seconds_multipliers: texts,
      has_intraday: flag,
      intraday_multipliers: texts,
      has_daily: flag,
      daily_multipliers: texts,
      has_weekly_and_monthly: flag,
      supported_resolutions: texts,
      volume_precision: whole,
      data_status: text,
    }),
  },
  search: {
    summary: 'Find tokens by name.',
    description:
      'Returns tokens whose name, symbol or address has words that begin so; without a query those that trade most.',
    parameters: [
      { ...parameter('query', text, 'The beginning of a word.', 'bonk'), required: false },
      { ...parameter('limit', whole, 'Default 30, at most 100.', 30), required: false },
    ],
    schema: arrayOf(
      objectOf({ symbol: text, full_name: text, description: text, exchange: text, ticker: text, type: text }),
    ),
  },
  history: {
    summary: 'Get bars.',
    description:
      'Returns the bars that begin before `to`: the newest `countback` of them, else those from `from` on. At most 20,000, the newest.',
    parameters: [
      ...range,
      from(false),
      { ...parameter('countback', whole, 'Bars. In place of `from`.', 300), required: false },
    ],
    schema: objectOf(
      {
        s: { type: 'string', enum: ['ok', 'no_data'] },
        t: arrayOf(whole),
        ...Object.fromEntries(['o', 'h', 'l', 'c', 'v'].map((name) => [name, arrayOf(number)])),
        nextTime: { ...whole, description: 'Milliseconds: the newest bar before the range, where that has none.' },
      },
      ['t', 'o', 'h', 'l', 'c', 'v', 'nextTime'],
    ),
  },
  marks: {
    summary: 'Get marks.',
    description: 'Returns where the wallets that made most on the token opened their positions, and closed them.',
    parameters: [...range, from(true)],
    schema: objectOf({
      id: texts,
      time: arrayOf(whole),
      color: texts,
      text: texts,
      label: texts,
      labelFontColor: text,
      minSize: whole,
    }),
  },
};

function parameter(name: string, schema: JsonSchema, description: string, example: unknown): JsonSchema {
  return { name, in: 'query', required: true, description, schema, example };
}

/** The routes of the charting library, as OpenAPI has them. */
export function describedUdf(security: readonly JsonSchema[]): JsonSchema {
  const paths = Object.entries(described).map(([name, { summary, description, parameters = [], schema }]) => {
    const object = {
      operationId: `udf.${name}`,
      summary,
      description,
      tags: ['udf'],
      parameters,
      security,
      responses: {
        200: { description: summary, headers: headersOf(true), content: jsonContent(schema) },
        default: {
          description: 'An error, with the status that its code has on every route.',
          content: jsonContent(
            objectOf({ s: { type: 'string', enum: ['error'] }, errmsg: text, ...errorSchema.properties }),
          ),
        },
      },
    };
    return [`/udf/${name}`, { get: object }];
  });
  return Object.fromEntries(paths);
}
