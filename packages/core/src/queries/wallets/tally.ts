import { lossIn, resultAtMark } from '../../profiles/position-rules.ts';
import { numbers } from '../../records/arithmetic.ts';
import type { Work } from '../../work.ts';

/** A position of a wallet, or a balance of a token that it never traded, as the record of the wallet reads it. `NaN` is unknown. */
export interface HeldPosition {
  readonly token: number;
  readonly isTraded: boolean;
  readonly isQuote: boolean;
  readonly isOpen: boolean;
  readonly balance: number;
  /** Whole tokens of the balance beyond the lots that are here. */
  readonly arrived: number;
  /** Whole tokens in lots of known cost that are here, and that are away, and what these cost, USD. */
  readonly lots: number;
  readonly cost: number;
  readonly awayLots: number;
  readonly awayCost: number;
  /** USD. */
  readonly realized: number;
  readonly bought: number;
  /** Cost of what was sold. */
  readonly sold: number;
  /** USD per token, and seconds since. */
  readonly price: number;
  readonly priceAge: number;
  /** Whether fewer than 20 other wallets bought the token for 10 USD; asked of a token with a gain alone. */
  readonly isThin: () => boolean;
}

const DAY = 86_400;
/** Seconds after which a mark is stale, and after which what it values is sunk. */
const STALE = 7 * DAY;
const OLD = 30 * DAY;
/** Lots are sunk below their cost divided by this: 1 / 5 of it would be rounded, up now and then. */
const SUNK = 5;
/** Part of an amount below which it is rounding, and 0. */
const ROUNDING = 1e-9;

type Part = (position: HeldPosition) => number;

/** What is unknown adds nothing. */
const known = (value: number): number => (Number.isFinite(value) ? value : 0);

const worth: Part = ({ balance, price }) => (balance > 0 ? known(balance * price) : 0);
const unrealized: Part = ({ lots, cost, price }) => known(resultAtMark(numbers, lots, price, cost));
const loss: Part = (position) => lossIn(numbers, unrealized(position));
const away: Part = ({ awayLots, awayCost, price }) =>
  lossIn(numbers, known(resultAtMark(numbers, awayLots, price, awayCost)));

function isSunk({ isOpen, lots, cost, price, priceAge }: HeldPosition): boolean {
  return isOpen && ((lots > 0 && lots * price < known(cost) / SUNK) || priceAge > OLD);
}

function isUnknown({ isOpen, balance, arrived, lots, price }: HeldPosition): boolean {
  const here = balance - arrived;
  return isOpen && (Number.isNaN(price) || here - known(lots) > ROUNDING * here);
}

/** 1 of a token with a result above 0, -1 of one with a result below 0. */
function outcome(position: HeldPosition): number {
  const made = position.realized + unrealized(position) + away(position);
  const size = position.bought + known(position.cost) + known(position.awayCost);
  return Math.abs(made) <= ROUNDING * size ? 0 : Math.sign(made);
}

/** What positions in tokens that are no quote tokens add up to, with what each adds. */
const sums = {
  tokens: { meaning: 'tokens that were traded', part: ({ isTraded }) => (isTraded ? 1 : 0) },
  positions: { meaning: 'tokens with a sell of known cost', part: ({ sold }) => (sold > 0 ? 1 : 0) },
  bought: { meaning: 'USD: value of all buys', part: ({ bought }) => bought },
  away_cost: { meaning: 'USD: cost of the lots that are away', part: (position) => known(position.awayCost) },
  gains: { meaning: 'USD: realised results above 0', part: ({ realized }) => Math.max(0, realized) },
  thin_gains: {
    meaning: 'USD: those of thin tokens',
    part: ({ realized, isThin }) => (realized > 0 && isThin() ? realized : 0),
  },
  value: { meaning: 'USD: balances x price', part: worth },
  stale_value: {
    meaning: 'USD: value at marks older than 7 days',
    part: (one) => (one.priceAge > STALE ? worth(one) : 0),
  },
  cost_basis: { meaning: 'USD: cost of the lots that are here', part: ({ cost }) => known(cost) },
  unrealized_pnl: { meaning: 'USD: lots that are here at the mark - their cost', part: unrealized },
  unrealized_losses: { meaning: 'USD: the same, where it is below 0', part: loss },
  away_pnl: { meaning: 'USD: lots that are away at the mark - their cost, where it is below 0', part: away },
  open: { meaning: 'open positions', part: ({ isOpen }) => (isOpen ? 1 : 0) },
  unknown: {
    meaning: 'open positions without a price, or with lots without a cost',
    part: (one) => (isUnknown(one) ? 1 : 0),
  },
  sunk: { meaning: 'sunk positions', part: (one) => (isSunk(one) ? 1 : 0) },
  sunk_loss: { meaning: 'USD: unrealised losses of these', part: (one) => (isSunk(one) ? loss(one) : 0) },
  won: { meaning: 'tokens with a result above 0', part: (one) => (outcome(one) > 0 ? 1 : 0) },
  lost: { meaning: 'tokens with a result below 0', part: (one) => (outcome(one) < 0 ? 1 : 0) },
} as const satisfies Readonly<Record<string, { readonly meaning: string; readonly part: Part }>>;

/** What is no sum of these. */
const others = {
  realized_pnl: 'USD: lifetime.realized_pnl, of all trades',
  best: 'USD: the largest gain of a token',
  largest: 'USD: value of the most valuable token',
  quote_value: 'USD: value of the quote tokens',
} as const;

/** What is made of all balances. */
const ofBalances: ReadonlySet<FactName> = new Set(['value', 'stale_value', 'largest', 'quote_value']);

/** Whether a field counts tokens that were never traded. */
export const readsBalances = (path: RecordPath): boolean => recordFieldOf(path).of.some((name) => ofBalances.has(name));

export type FactName = keyof typeof sums | keyof typeof others;
export type Facts = Readonly<Record<FactName, number>>;

export const factMeanings: Readonly<Record<FactName, string>> = {
  ...(Object.fromEntries(Object.entries(sums).map(([name, { meaning }]) => [name, meaning])) as Record<
    keyof typeof sums,
    string
  >),
  ...others,
};

interface RecordField {
  readonly unit: 'USD' | 'percent' | 'count';
  readonly formula: string;
  readonly of: readonly FactName[];
  readonly value: (facts: Facts) => number;
  /** What a position adds, of a sum. */
  readonly part?: Part;
}

const sumOf = (name: keyof typeof sums, unit: RecordField['unit'] = 'USD'): RecordField => ({
  unit,
  formula: `sum of ${name} over the tokens`,
  of: [name],
  value: (facts) => facts[name],
  part: sums[name].part,
});

const shareOf = (part: FactName, whole: readonly [FactName, FactName?]): RecordField => {
  const [first, second] = whole;
  const of = (facts: Facts): number => facts[first] + (second === undefined ? 0 : facts[second]);
  return {
    unit: 'percent',
    formula: `${part} / ${second === undefined ? first : `(${first} + ${second})`} x 100`,
    of: [...new Set([part, first, ...(second === undefined ? [] : [second])])],
    value: (facts) => (of(facts) > 0 ? (facts[part] / of(facts)) * 100 : Number.NaN),
  };
};

/** The fields of a wallet's record that are made of its positions (docs/reference/metrics.md, "Record"). */
export const recordFields = {
  'lifetime.token_count': sumOf('tokens', 'count'),
  'lifetime.position_count': sumOf('positions', 'count'),
  'lifetime.away_cost': sumOf('away_cost'),
  'lifetime.away_share': shareOf('away_cost', ['bought']),
  'lifetime.best_token_share': shareOf('best', ['gains']),
  'lifetime.thin_share': shareOf('thin_gains', ['gains']),
  'holding.value': sumOf('value'),
  'holding.quote_value': {
    unit: 'USD',
    formula: 'sum of balance x price over the quote tokens',
    of: ['quote_value'],
    value: ({ quote_value }) => quote_value,
  },
  'holding.cost_basis': sumOf('cost_basis'),
  'holding.unrealized_pnl': sumOf('unrealized_pnl'),
  'holding.total_pnl': {
    unit: 'USD',
    formula: 'realized_pnl + unrealized_pnl',
    of: ['realized_pnl', 'unrealized_pnl'],
    value: ({ realized_pnl, unrealized_pnl }) => realized_pnl + unrealized_pnl,
    part: (one) => one.realized + unrealized(one),
  },
  'holding.open_count': sumOf('open', 'count'),
  'holding.unknown_count': sumOf('unknown', 'count'),
  'holding.largest_share': shareOf('largest', ['value']),
  'holding.stale_share': shareOf('stale_value', ['value']),
  'holding.sunk_count': sumOf('sunk', 'count'),
  'holding.sunk_loss': sumOf('sunk_loss'),
  'holding.token_win_count': sumOf('won', 'count'),
  'holding.token_loss_count': sumOf('lost', 'count'),
  'holding.token_winrate': shareOf('won', ['won', 'lost']),
  'holding.away_pnl': sumOf('away_pnl'),
  'holding.floor_pnl': {
    unit: 'USD',
    formula: 'realized_pnl + unrealized_losses + away_pnl',
    of: ['realized_pnl', 'unrealized_losses', 'away_pnl'],
    // Losses alone are added, so that it is never above what is realised.
    value: ({ realized_pnl, unrealized_losses, away_pnl }) => realized_pnl + unrealized_losses + away_pnl,
    part: (one) => one.realized + loss(one) + away(one),
  },
} as const satisfies Readonly<Record<string, RecordField>>;

/** A field of a wallet's record that is added up token by token. */
export type RecordPath = keyof typeof recordFields;

export const isRecordPath = (path: string): path is RecordPath => Object.hasOwn(recordFields, path);

export const recordFieldOf = (path: RecordPath): RecordField => recordFields[path];

/** Positions that are added up before others may have their turn. */
const ROWS_PER_TURN = 1024;

/** What positions, in the order in which they are given, add up to. `realized`: of all trades of the wallet, USD. */
export function* addingUp(
  positions: readonly HeldPosition[],
  realized: number,
  wanted: Iterable<FactName>,
): Work<Facts> {
  const names = [...new Set(wanted)].filter((name): name is keyof typeof sums => name in sums);
  const facts = { realized_pnl: realized, best: 0, largest: 0, quote_value: 0 } as Record<FactName, number>;
  for (const name of names) facts[name] = 0;
  for (const [row, position] of positions.entries()) {
    if (row > 0 && row % ROWS_PER_TURN === 0) yield;
    if (position.isQuote) {
      facts.quote_value += worth(position);
      continue;
    }
    for (const name of names) facts[name] += sums[name].part(position);
    facts.best = Math.max(facts.best, position.realized);
    facts.largest = Math.max(facts.largest, worth(position));
  }
  return facts;
}
