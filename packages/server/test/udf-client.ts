/**
 * What the charting library does with a datafeed, written from the documentation of the protocol ("UDF" and "Datafeed API" of the library's
 * docs): it reads the JSON of every answer whatever its status, takes `s` as the sign of an error, and asks for bars by `countback`.
 */
export interface Bar {
  /** Milliseconds. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number | undefined;
}

export interface Period {
  /** Unix seconds. */
  readonly from: number;
  readonly to: number;
  readonly countBack?: number;
}

interface History {
  readonly s: string;
  readonly errmsg?: string;
  readonly nextTime?: number;
  readonly t: readonly number[];
  readonly o?: readonly number[];
  readonly h?: readonly number[];
  readonly l?: readonly number[];
  readonly c: readonly number[];
  readonly v?: readonly number[];
}

type Parameters = Readonly<Record<string, string | number>>;

export class UdfClient {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;
  /** The most bars that the server gives at once, the newest first. */
  readonly #most: number | undefined;
  /** How many requests were sent. */
  requests = 0;

  /** `datafeedURL` of the library, the headers that a page's own requester sends, and its `limitedServerResponse`. */
  constructor(url: string, headers: Readonly<Record<string, string>> = {}, most?: number) {
    this.#url = url;
    this.#headers = headers;
    this.#most = most;
  }

  // biome-ignore lint/suspicious/noExplicitAny: answers of any form.
  async send(path: string, parameters: Parameters = {}): Promise<any> {
    this.requests += 1;
    const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    const response = await fetch(`${this.#url}/${path}${query.length === 0 ? '' : `?${query.join('&')}`}`, {
      headers: this.#headers,
    });
    return JSON.parse(await response.text());
  }

  async ready() {
    const configuration = await this.send('config');
    if (!configuration.supports_search && !configuration.supports_group_request)
      throw new Error('Unsupported datafeed configuration');
    return configuration;
  }

  /** The library sends what is typed in capitals. */
  async search(typed: string): Promise<{ readonly symbol: string; readonly ticker: string }[]> {
    const found = await this.send('search', { limit: 30, query: typed.toUpperCase(), type: '', exchange: '' });
    return found.s === undefined ? found : [];
  }

  async resolve(symbol: string) {
    const info = await this.send('symbols', { symbol });
    if (info.s !== undefined) throw new Error('unknown_symbol');
    return info;
  }

  /** The bars of a request, and what the server says where there is none. */
  async bars(
    symbol: { readonly ticker: string },
    resolution: string,
    { from, to, countBack }: Period,
  ): Promise<{ readonly bars: readonly Bar[]; readonly noData: boolean; readonly nextTime: number | undefined }> {
    const first = await this.#history(symbol, resolution, { from, to, ...(countBack && { countBack }) });
    const bars = [...barsOf(first)];
    let [last, end, left] = [bars.length, to, countBack];
    while (this.#most !== undefined && last === this.#most && from < end) {
      end = bars[0]!.time / 1000;
      left = left === undefined ? undefined : left - last;
      if (left === 0) break;
      const more = barsOf(await this.#history(symbol, resolution, { from, to: end, ...(left && { countBack: left }) }));
      last = more.length;
      bars.unshift(...more);
    }
    return { bars, noData: first.s === 'no_data', nextTime: first.nextTime };
  }

  async #history(symbol: { readonly ticker: string }, resolution: string, period: Period): Promise<History> {
    const { from, to, countBack } = period;
    const countback = countBack === undefined ? {} : { countback: countBack };
    const answer: History = await this.send('history', { symbol: symbol.ticker, resolution, from, to, ...countback });
    if (answer.s !== 'ok' && answer.s !== 'no_data') throw new Error(answer.errmsg);
    return answer;
  }

  /** What a chart shows that is scrolled to its beginning: requests of `count` bars, each up to the first one that is there, until there are no more. */
  async scroll(symbol: { readonly ticker: string }, resolution: string, now: number, count: number): Promise<Bar[]> {
    const shown: Bar[] = [];
    const seconds = 60 * Number(resolution);
    let to = now;
    while (true) {
      const { bars, noData } = await this.bars(symbol, resolution, {
        from: to - count * seconds,
        to,
        countBack: count,
      });
      if (noData) return shown;
      shown.unshift(...bars);
      to = bars[0]!.time / 1000;
    }
  }

  /** What the library asks for every ten seconds: it needs two bars. */
  async pulse(symbol: { readonly ticker: string }, resolution: string, now: number): Promise<readonly Bar[]> {
    const period = { from: now - 10 * 60 * Number(resolution), to: now, countBack: 2 };
    return (await this.bars(symbol, resolution, period)).bars;
  }

  /** Marks are columns; one value stands for all rows. */
  async marks(symbol: { readonly ticker: string }, resolution: string, { from, to }: Period) {
    const table = await this.send('marks', { symbol: symbol.ticker, from, to, resolution });
    const cell = (name: string, i: number) => (Array.isArray(table[name]) ? table[name][i] : table[name]);
    const names = ['id', 'time', 'color', 'text', 'label', 'labelFontColor', 'minSize'];
    return (table.id as unknown[]).map((_, i) => Object.fromEntries(names.map((name) => [name, cell(name, i)])));
  }
}

function barsOf({ s, t, o, h, l, c, v }: History): readonly Bar[] {
  if (s === 'no_data') return [];
  return t.map((time, i) => ({
    time: time * 1000,
    open: (o ?? c)[i]!,
    high: (h ?? c)[i]!,
    low: (l ?? c)[i]!,
    close: c[i]!,
    volume: v?.[i],
  }));
}
