import type { Mutant } from './mutant.ts';

const [orders, trace, net, fees] = ['ledger/orders.ts', 'ledger/trace.ts', 'ledger/net.ts', 'ledger/fees.ts'];

/** Trades of one transaction, fees without a trade, and small sells. */
export const ordersAndFees: readonly Mutant[] = [
  {
    breaks: 'orders that share a quote token are one',
    file: orders,
    find: '      if (ends.has(token)) continue;\n',
    replace: '',
    noticedBy: 'netting laws',
  },
  {
    breaks: 'quote tokens on both sides of a trade are no reason to trace it',
    file: orders,
    find: 'faced.every(({ net }) => Math.sign(net) !== Math.sign(a!.net))',
    replace: 'faced.length > 0',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a trade faces what is on its own side, too',
    file: orders,
    find: 'Math.sign(face.net) === -Math.sign(net)',
    replace: 'face.net !== 0',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a hop is parted evenly',
    file: trace,
    find: 'const on = after.given / (isTraded ? whole : given);',
    replace: 'const on = 1 / targets.length;',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a traded token hands on all that it cost',
    file: trace,
    find: 'const on = after.given / (isTraded ? whole : given);',
    replace: 'const on = after.given / given;',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'what was kept of a token that went on cost nothing',
    file: trace,
    find: 'if (kept > 0)',
    replace: 'if (kept > 1)',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'what comes back of a quote token is lost',
    file: trace,
    find: 'else if (isEnd(source))',
    replace: 'else if (source < 0)',
    noticedBy: 'netting laws',
  },
  {
    breaks: 'a trade of the native token is worth its USD',
    file: net,
    find: 'if (roles.isNative(flow.token)) return Math.abs(flow.net);',
    replace: '',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'native tokens that are passed over count for no trade',
    file: net,
    find: 'const isNativeHop = native !== undefined &&',
    replace: 'const isNativeHop = native === undefined &&',
    noticedBy: 'examples',
  },
  {
    breaks: 'the fee of a transaction without a trade is lost',
    file: net,
    find: 'if (length === first) {',
    replace: 'if (length < first) {',
    noticedBy: 'examples',
  },
  {
    breaks: 'a vote for the native price is too old in its last second',
    file: 'ledger/native-votes.ts',
    find: 'const since = time - this.#maxAge;',
    replace: 'const since = time - this.#maxAge + 1;',
    noticedBy: 'native votes',
  },
  {
    breaks: 'a fee of nothing needs a price',
    file: fees,
    find: '  if (native === 0) return 0;\n',
    replace: '',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'fees of unknown value count as none',
    file: 'metrics/shared/native.ts',
    find: 'bag.unpricedFees + bag.bareUnpricedFees > 0',
    replace: 'bag.unpricedFees < 0',
    noticedBy: 'examples',
  },
  {
    breaks: 'fees without a trade count for ever',
    file: 'bag/fees.ts',
    find: 'time[this.#row - 1]! > start',
    replace: 'start > 0',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'small sells are realised sells',
    file: 'bag/partial-sums.ts',
    find: 'if (Number.isNaN(holding)) {',
    replace: 'if (holding < 0) {',
    noticedBy: 'partial-sums',
  },
  {
    breaks: 'small sells are no profit',
    file: 'ledger/position.ts',
    find: 't.pnl[row] = resultOf(cost, proceeds);',
    replace:
      'if (cost >= dustUsd || proceeds >= dustUsd) t.pnl[row] = resultOf(cost, proceeds);\n    else t.cost[row] = Number.NaN;',
    noticedBy: 'examples',
  },
  {
    breaks: 'a period with small sells alone is one with a realised sell',
    file: 'bag/prints.ts',
    find: '      if (Number.isNaN(trades.holding[i]!)) continue;\n',
    replace: '',
    noticedBy: 'boundaries',
  },
  {
    breaks: 'a position with small sells alone is one with a realised sell',
    file: 'bag/counterparties.ts',
    find: '      if (!isRealised) continue;\n',
    replace: '',
    noticedBy: 'examples',
  },
];
