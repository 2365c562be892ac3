import type { ScenarioName } from './mix.ts';
import { protocolOf } from './names.ts';
import type { Simulation } from './simulation.ts';
import { QUOTES, SOL, USDC, USDT } from './tokens.ts';
import { HOLDER } from './wallets.ts';

/** Most tokens a wallet gathers: beyond, a trader sells, and a holder buys more of what it has. */
const MOST_HELD = 12;

/** As many as a collector gathers. */
const MOST_COLLECTED = 1000;

/** What happens in one transaction, by name. Each acts on the open transaction of the market and adds at least one swap to it. */
export const scenarios: Readonly<Record<ScenarioName, (sim: Simulation) => void>> = {
  trade: (sim) => trade(sim, sim.traders.busy.draw(sim.random)),
  bot: turnOver,
  native: (sim) => {
    const wallet = sim.random.chance(0.4) ? sim.pickBot() : sim.pickTrader();
    const stable = sim.random.chance(0.85) ? USDC : USDT;
    const [from, to] = sim.random.chance(0.5) ? [SOL, stable] : [stable, SOL];
    sim.exchange(wallet, from, sim.amountOf(from, 3 * sim.sizeOf(wallet, SOL)), to, sim.pickPool(SOL));
  },
  route,
  arbitrage,
  split,
  cross: (sim) => {
    const wallet = sim.pickTrader();
    const from = heldOr(sim, wallet);
    let to = sim.pickToken();
    if (to === from) to = from === QUOTES ? QUOTES + 1 : QUOTES;
    sim.exchange(wallet, from, sellAmount(sim, wallet, from), to, protocolOf.meteora);
  },
  dust: (sim) => {
    const wallet = sim.pickTrader();
    const token = sim.pickToken();
    const quote = sim.pickQuote();
    sim.exchange(
      wallet,
      quote,
      sim.amountOf(quote, 0.09 * sim.random.unit() * sim.random.unit()),
      token,
      sim.pickPool(token),
    );
  },
  oversell: (sim) => {
    const wallet = sim.pickTrader();
    const token = sim.pickToken();
    sim.receive(wallet, token, sim.amountOf(token, sim.sizeOf(wallet, token)));
    sell(sim, wallet, token, sim.holdings.get(wallet, token));
  },
  airdrop: (sim) => {
    const token = sim.pickToken();
    const gift = sim.amountOf(token, sim.random.between(5, 60));
    for (let i = 0; i < 3; i++) sim.receive(sim.traders.busy.draw(sim.random), token, gift);
    const first = sim.pickTrader();
    sim.receive(first, token, gift);
    sell(sim, first, token, gift);
  },
  leave: (sim) => {
    const wallet = sim.pickTrader();
    const token = heldOr(sim, wallet);
    sell(sim, wallet, token, sim.cut(token, sim.holdings.get(wallet, token) * sim.random.between(0.2, 0.8)));
    sim.emptyLast();
  },
  stable: (sim) => {
    const wallet = sim.pickTrader();
    const [from, to] = sim.random.chance(0.5) ? [USDC, USDT] : [USDT, USDC];
    sim.exchange(wallet, from, sim.amountOf(from, sim.sizeOf(wallet, SOL)), to, protocolOf.orca);
  },
  collect: (sim) => {
    const collector = sim.pickCollector();
    const isFull = sim.holdings.count(collector) >= MOST_COLLECTED;
    const token = isFull ? sim.pickHeld(collector) : sim.pickLaunched();
    if (isFull && sim.random.chance(0.3)) sell(sim, collector, token, sellAmount(sim, collector, token));
    else buy(sim, collector, token, sim.sizeOf(collector, token));
  },
  self: (sim) => {
    const wallet = sim.pickTrader();
    const token = sim.random.chance(0.3) ? SOL : sim.pickToken();
    sim.exchange(wallet, token, sim.amountOf(token, sim.random.between(1, 50)), token, protocolOf.meteora);
  },
};

/** Swaps that a transaction of any scenario adds at most. */
export const MOST_SWAPS = 4;

export function trade(sim: Simulation, wallet: number): void {
  const count = sim.holdings.count(wallet);
  const isHolder = sim.traders.kinds[wallet] === HOLDER;
  if (isHolder || count === 0 || (count < MOST_HELD && sim.random.chance(0.5))) {
    const token = count < MOST_HELD ? sim.pickToken() : sim.pickHeld(wallet);
    buy(sim, wallet, token, sim.sizeOf(wallet, token));
  } else {
    const token = sim.pickHeld(wallet);
    sell(sim, wallet, token, sellAmount(sim, wallet, token));
  }
}

/** One more trade of the token that everyone trades. */
export function surge(sim: Simulation): void {
  const wallet = sim.pickTrader();
  const token = sim.busyToken;
  const held = sim.holdings.get(wallet, token);
  if (held > 0 && sim.random.chance(0.6)) sell(sim, wallet, token, sellAmount(sim, wallet, token));
  else buy(sim, wallet, token, sim.sizeOf(wallet, token));
}

export function buy(sim: Simulation, wallet: number, token: number, usd: number): void {
  const quote = sim.pickQuote();
  sim.exchange(wallet, quote, sim.amountOf(quote, usd), token, sim.pickPool(token));
}

export function sell(sim: Simulation, wallet: number, token: number, amount: number): void {
  sim.exchange(wallet, token, amount, sim.pickQuote(), sim.pickPool(token));
}

/** Everything, or a part. */
function sellAmount(sim: Simulation, wallet: number, token: number): number {
  const held = sim.holdings.get(wallet, token);
  return sim.random.chance(0.5) ? held : Math.min(held, sim.cut(token, held * sim.random.between(0.1, 0.9)));
}

/** A token that `wallet` holds; where it holds none, one reaches it by transfer. */
function heldOr(sim: Simulation, wallet: number): number {
  const held = sim.pickHeld(wallet);
  if (held >= 0) return held;
  const token = sim.pickToken();
  sim.receive(wallet, token, sim.amountOf(token, sim.sizeOf(wallet, token)));
  return token;
}

function turnOver(sim: Simulation): void {
  const bot = sim.pickBot();
  const held = sim.pickHeld(bot);
  if (held < 0 || (sim.holdings.count(bot) < 3 && sim.random.chance(0.1))) {
    const token = sim.pickToken();
    buy(sim, bot, token, sim.sizeOf(bot, token));
  } else if (sim.random.chance(0.45)) {
    buy(sim, bot, held, sim.sizeOf(bot, held));
  } else {
    sell(sim, bot, held, sellAmount(sim, bot, held));
  }
}

/** TOKEN -> SOL -> TOKEN, USDC -> SOL -> TOKEN, TOKEN -> SOL -> USDC or TOKEN -> SOL -> USDC -> TOKEN. Each hop gives what the one before received. */
function route(sim: Simulation): void {
  const wallet = sim.pickTrader();
  const u = sim.random.unit();
  const first = u < 0.25 ? USDC : heldOr(sim, wallet);
  let last = u < 0.5 || u >= 0.75 ? sim.pickToken() : USDC;
  if (last === first) last = first === QUOTES ? QUOTES + 1 : QUOTES;
  const stops = u < 0.9 ? [first, SOL, last] : [first, SOL, USDC, last];
  // A token that takes a fee on transfer hands the next pool less than it got: a leftover within the netting's 0.5 %.
  const taken = sim.random.chance(0.15) ? sim.random.between(0.001, 0.008) : 0;
  let amount = first === USDC ? sim.amountOf(USDC, sim.sizeOf(wallet, SOL)) : sellAmount(sim, wallet, first);
  for (let i = 1; i < stops.length; i++) {
    const pool = sim.pickPool(i === 1 ? first : last);
    amount = sim.exchange(wallet, stops[i - 1]!, amount, stops[i]!, pool);
    if (taken > 0 && i < stops.length - 1) amount = sim.cut(stops[i]!, amount * (1 - taken));
  }
}

function arbitrage(sim: Simulation): void {
  const bot = sim.pickBot();
  const token = sim.pickToken();
  const isTriangle = sim.random.chance(0.3);
  const start = isTriangle ? USDC : SOL;
  const stake = sim.amountOf(start, sim.sizeOf(bot, token));
  const other = isTriangle ? sim.exchange(bot, USDC, stake, SOL, sim.pickPool(SOL)) : stake;
  const amount = sim.exchange(bot, SOL, other, token, sim.pickPool(token));
  const won = sim.cut(start, stake * (1 + 0.004 * (sim.random.normal() + 1)));
  sim.exchangeExactly(bot, token, amount, start, won, sim.pickPool(token));
}

function split(sim: Simulation): void {
  const wallet = sim.pickTrader();
  const parts = 2 + sim.random.below(3);
  const held = sim.pickHeld(wallet);
  const isSell = held >= 0 && sim.random.chance(0.5);
  const token = isSell ? held : sim.pickToken();
  const quote = sim.pickQuote();
  const [from, to] = isSell ? [token, quote] : [quote, token];
  const total = isSell ? sellAmount(sim, wallet, token) : sim.amountOf(quote, sim.sizeOf(wallet, token));
  let rest = total;
  for (let i = 1; i < parts; i++) {
    const part = sim.cut(from, (total / parts) * sim.random.between(0.5, 1));
    if (part >= rest) break;
    sim.exchange(wallet, from, part, to, sim.pickPool(token));
    rest -= part;
  }
  sim.exchange(wallet, from, rest, to, sim.pickPool(token));
}
