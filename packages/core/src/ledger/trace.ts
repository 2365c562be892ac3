import type { Flow } from './flows.ts';
import { finiteOrNaN, type Swaps } from './value.ts';

/** A token that a trade faces: what its swaps and routes gave (negative) or brought (positive) of it for the trade. */
export interface Face extends Pick<Flow, 'token' | 'rank' | 'symbol'> {
  net: number;
  usd: number;
}

/** What an order exchanged of one token for another. `known` are the amounts of legs of known value. */
interface Exchange {
  given: number;
  received: number;
  givenUsd: number;
  givenKnown: number;
  receivedUsd: number;
  receivedKnown: number;
}

/** An order whose trades are to be told apart. */
export interface TracedOrder {
  readonly rows: readonly number[];
  /** What its swaps touch, in the order in which they do. */
  readonly flows: readonly Flow[];
  readonly traded: readonly Flow[];
  /** Whether a token is a quote token that is left: it hands nothing on. */
  readonly isEnd: (token: number) => boolean;
}

/** The tokens that each traded token of an order faces (docs/reference/metrics.md, "Trades", joined routes). */
export function traceOrder(swaps: Swaps, { rows, flows, traded, isEnd }: TracedOrder): Map<number, Face[]> {
  const isTraded = new Set(traded.map(({ token }) => token));
  const exchanges = new Exchanges();
  for (const row of rows) exchanges.addSwap(swaps, row);
  for (const { token } of flows) if (!isEnd(token)) exchanges.handOn(token, isTraded.has(token), isEnd);
  const flowOf = new Map(flows.map((flow) => [flow.token, flow]));
  const faces = new Map(traded.map(({ token }) => [token, exchanges.facesOf(token, flowOf)]));
  for (const [token, amount] of exchanges.setAside) shareOut(faces.values(), token, amount);
  for (const own of faces.values()) for (const face of own) face.usd = finiteOrNaN(Math.abs(face.net) * face.usd);
  return faces;
}

/** Shares what was set aside of a quote token by the trades that face it, in proportion to what they face of it. */
function shareOut(faces: Iterable<readonly Face[]>, token: number, amount: number): void {
  const facing = [...faces].flatMap((own) => own.filter((face) => face.token === token));
  const whole = facing.reduce((sum, face) => sum + Math.abs(face.net), 0);
  if (whole > 0) for (const face of facing) face.net += amount * (Math.abs(face.net) / whole);
}

class Exchanges {
  readonly #from = new Map<number, Map<number, Exchange>>();
  readonly #to = new Map<number, Map<number, Exchange>>();
  /** What came back to quote tokens that they gave, less what they gave for it. */
  readonly setAside = new Map<number, number>();

  addSwap({ columns: c }: Swaps, row: number): void {
    const [given, received] = [c.token_amount_in[row]!, c.token_amount_out[row]!];
    const [usdIn, usdOut] = [c.usd_amount_in[row]!, c.usd_amount_out[row]!];
    if (c.token_in[row] === c.token_out[row]) return;
    this.#add(c.token_in[row]!, c.token_out[row]!, {
      given,
      received,
      givenUsd: Number.isNaN(usdIn) ? 0 : usdIn,
      givenKnown: Number.isNaN(usdIn) ? 0 : given,
      receivedUsd: Number.isNaN(usdOut) ? 0 : usdOut,
      receivedKnown: Number.isNaN(usdOut) ? 0 : received,
    });
  }

  /** A token hands on what it received to what it gave; of a traded one the net stays. */
  handOn(token: number, isTraded: boolean, isEnd: (token: number) => boolean): void {
    const sources = [...(this.#to.get(token) ?? [])];
    const targets = [...(this.#from.get(token) ?? [])];
    if (isTraded && (sources.length === 0 || targets.length === 0)) return;
    const received = sources.reduce((sum, [, exchange]) => sum + exchange.received, 0);
    const given = targets.reduce((sum, [, exchange]) => sum + exchange.given, 0);
    for (const [source] of sources) this.#remove(source, token);
    for (const [target] of targets) this.#remove(token, target);
    const whole = Math.max(received, given);
    if (!(whole > 0)) return;
    for (const [source, before] of sources) {
      for (const [target, after] of targets) {
        const on = after.given / (isTraded ? whole : given);
        const back = before.received / (isTraded ? whole : received);
        const handed = { ...partOf(before, on, 0), ...receivedOf(partOf(after, 0, back)) };
        if (source !== target) this.#add(source, target, handed);
        else if (isEnd(source))
          this.setAside.set(source, (this.setAside.get(source) ?? 0) + handed.received - handed.given);
      }
    }
    if (!isTraded) return;
    // Exactly one of the two is above 0, unless nothing stays.
    const [kept, own] = [1 - given / whole, 1 - received / whole];
    if (kept > 0) for (const [source, exchange] of sources) this.#add(source, token, partOf(exchange, kept, kept));
    if (own > 0) for (const [target, exchange] of targets) this.#add(token, target, partOf(exchange, own, own));
  }

  /** What a token faces; `usd` is the price of each. */
  facesOf(token: number, flowOf: ReadonlyMap<number, Flow>): Face[] {
    const faces: Face[] = [];
    for (const [other, { given, givenUsd, givenKnown }] of this.#to.get(token) ?? [])
      faces.push(faceOf(flowOf.get(other)!, -given, givenUsd / givenKnown));
    for (const [other, { received, receivedUsd, receivedKnown }] of this.#from.get(token) ?? [])
      faces.push(faceOf(flowOf.get(other)!, received, receivedUsd / receivedKnown));
    return faces;
  }

  #add(from: number, to: number, more: Exchange): void {
    const known = this.#from.get(from)?.get(to);
    if (known !== undefined) {
      for (const name of Object.keys(more) as (keyof Exchange)[]) known[name] += more[name];
      return;
    }
    entriesOf(this.#from, from).set(to, more);
    entriesOf(this.#to, to).set(from, more);
  }

  #remove(from: number, to: number): void {
    this.#from.get(from)!.delete(to);
    this.#to.get(to)!.delete(from);
  }
}

function entriesOf(map: Map<number, Map<number, Exchange>>, token: number): Map<number, Exchange> {
  let entries = map.get(token);
  if (entries === undefined) {
    entries = new Map();
    map.set(token, entries);
  }
  return entries;
}

function faceOf({ token, rank, symbol }: Flow, net: number, price: number): Face {
  return { token, rank, symbol, net, usd: price };
}

/** A part of what an exchange gave, and one of what it received. */
function partOf(exchange: Exchange, given: number, received: number): Exchange {
  return {
    given: exchange.given * given,
    givenUsd: exchange.givenUsd * given,
    givenKnown: exchange.givenKnown * given,
    received: exchange.received * received,
    receivedUsd: exchange.receivedUsd * received,
    receivedKnown: exchange.receivedKnown * received,
  };
}

function receivedOf({ received, receivedUsd, receivedKnown }: Exchange) {
  return { received, receivedUsd, receivedKnown };
}
