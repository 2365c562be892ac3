import { toBase58, u32, u64 } from './base58.ts';
import { type Hop, indexOf, type Whole } from './hop.ts';
import { JUPITER } from './other-programs.ts';
import { protocolOf } from './protocols.ts';
import { dataOf, type Step } from './steps.ts';
import { transfersIn } from './transfers.ts';
import { isPlain } from './well-known.ts';

/** What an event of Jupiter says that a hop exchanged. */
interface Said {
  readonly tokenIn: string;
  readonly amountIn: bigint;
  readonly tokenOut: string;
  readonly amountOut: bigint;
}

const EVENT = 'e445a52e51cb9a1d';
/** `SwapEvent`: the program, then what one hop exchanged; `SwapsEvent`: how many, then what each did. */
const ONE = '40c6cde8260871e2';
const ONE_LENGTH = 128;
const EACH = 80;

/** Events of one router, each with the place of its step. */
interface Event {
  readonly place: number;
  readonly said: readonly Said[];
}

/**
 * Hops that only Jupiter's own events tell of: the programs that it called are known by no layout, and their transfers show nothing.
 *
 * An event of one hop stands behind the call that it is of; one of all hops says as much of each call, in their order.
 *
 * - `found`: whether a hop is known that began in the steps from one on to before another.
 * - `explained`: instructions of known exchanges among them, which were counted as not understood.
 */
export function eventHops(
  whole: Whole,
  found: (from: number, to: number) => boolean,
): { readonly hops: Hop[]; readonly explained: number } {
  const hops: Hop[] = [];
  let explained = 0;
  for (const [at, router] of whole.steps.entries()) {
    if (router.program !== JUPITER || router.end <= at + 1) continue;
    const calls = callsOf(whole.steps, at, router);
    if (calls.every(({ place, end }) => found(place, end))) continue;
    const events = eventsBelow(whole.steps, at, router);
    for (const [i, { step, place, end }] of calls.entries()) {
      const said = found(place, end) ? undefined : saidOf(events, calls, i);
      if (said === undefined) continue;
      hops.push(hopOf(whole, place, said));
      if (protocolOf(step.program)?.swaps !== undefined) explained++;
    }
  }
  return { hops, explained };
}

/** What an event says of a call. */
function saidOf(events: readonly Event[], calls: readonly Call[], i: number): Said | undefined {
  const [only, ...more] = events;
  if (more.length === 0 && only !== undefined && only.said.length === calls.length) return only.said[i];
  const next = calls[i + 1]?.place ?? Number.POSITIVE_INFINITY;
  const own = events.find(({ place }) => place >= calls[i]!.end && place < next);
  return own?.said.length === 1 ? own.said[0] : undefined;
}

interface Call {
  readonly step: Step;
  readonly place: number;
  readonly end: number;
}

/** The programs that a router called itself, but for those that only serve. */
function callsOf(steps: readonly Step[], at: number, router: Step): Call[] {
  const calls: Call[] = [];
  for (let place = at + 1; place < router.end; place = steps[place]!.end) {
    const step = steps[place]!;
    if (step.height === router.height + 1 && step.program !== JUPITER && !isPlain(step.program))
      calls.push({ step, place, end: step.end });
  }
  return calls;
}

function eventsBelow(steps: readonly Step[], at: number, router: Step): Event[] {
  const events: Event[] = [];
  for (let place = at + 1; place < router.end; place++) {
    const step = steps[place]!;
    if (step.program !== JUPITER || step.height !== router.height + 1) continue;
    const data = dataOf(step);
    const beginning = data.toString('hex', 0, 16);
    if (!beginning.startsWith(EVENT)) continue;
    const count = u32(data, 16);
    if (beginning.endsWith(ONE) && data.length === ONE_LENGTH) events.push({ place, said: [saidAt(data, 48)] });
    else if (data.length === 20 + count * EACH)
      events.push({ place, said: Array.from({ length: count }, (_, i) => saidAt(data, 20 + i * EACH)) });
  }
  return events;
}

const saidAt = (data: Uint8Array, at: number): Said => ({
  tokenIn: toBase58(data.subarray(at, at + 32)),
  amountIn: u64(data, at + 32),
  tokenOut: toBase58(data.subarray(at + 40, at + 72)),
  amountOut: u64(data, at + 72),
});

function hopOf({ steps, transfers }: Whole, place: number, said: Said): Hop {
  const step = steps[place]!;
  const below = transfersIn(transfers, place, step.end).filter(
    ({ kind, from, to }) => kind === 'transfer' && from !== to,
  );
  const given = below.filter(({ mint }) => mint === said.tokenIn);
  const got = below.filter(({ mint }) => mint === said.tokenOut);
  // What passes from one account of the program to another is neither end.
  const [takers, givers] = [new Set(given.map(({ to }) => to)), new Set(got.map(({ from }) => from))];
  const [ins, outs] = [given.filter(({ from }) => !takers.has(from)), got.filter(({ to }) => !givers.has(to))];
  const trader = ins[0]?.from ?? outs[0]?.to ?? JUPITER;
  return {
    ...said,
    poolIn: said.amountIn,
    poolOut: said.amountOut,
    trader,
    wallet: trader,
    ins,
    outs,
    poolOwner: undefined,
    step,
    from: place,
    to: step.end,
    protocol: protocolOf(step.program)?.name ?? step.program,
    pool: undefined,
    index: indexOf(step),
    isEscrowed: false,
    lacksLamports: false,
  };
}
