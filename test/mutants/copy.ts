import type { Mutant } from './mutant.ts';

const depth = 'copy/depth.ts';
const price = 'copy/price.ts';
const follow = 'copy/follow.ts';
const markets = 'queries/copy/markets.ts';
const leader = 'queries/copy/leader.ts';

export const copies: readonly Mutant[] = [
  {
    breaks: 'two pairs of prints say how deep a pool is',
    file: depth,
    find: 'const [NEWEST, LEAST] = [21, 3];',
    replace: 'const [NEWEST, LEAST] = [21, 2];',
    noticedBy: 'depth',
  },
  {
    breaks: 'a print that moved against its side says how deep a pool is',
    file: depth,
    find: '(v1 > 0 ? p2 <= p1 : p2 >= p1)',
    replace: 'p1 === p2',
    noticedBy: 'depth',
  },
  {
    breaks: 'a suspect print says how deep a pool is',
    file: depth,
    find: ' || first.isSuspect || second.isSuspect',
    replace: '',
    noticedBy: 'depth',
  },
  {
    breaks: 'what buys pay over sells may be to the advantage of a follower',
    file: price,
    find: 'Math.max(1, depth.buy / depth.sell)',
    replace: 'depth.buy / depth.sell',
    noticedBy: 'depth',
  },
  {
    breaks: 'a follower has the better of the depth and the next print',
    file: price,
    find: "side === 'buy' ? quote.price > worst.price : quote.price < worst.price",
    replace: "side === 'buy' ? quote.price < worst.price : quote.price > worst.price",
    noticedBy: 'depth',
  },
  {
    breaks: 'the fee comes on top of the size of a copy',
    file: follow,
    find: 'const tokens = (size - fee) / price;',
    replace: 'const tokens = size / price;',
    noticedBy: 'copies',
  },
  {
    breaks: 'the moment of a copy is the beginning of its second',
    file: markets,
    find: 'lastSeqAt(timeOf(trade.seq) + delay.seconds)',
    replace: 'Math.max(trade.seq, lastSeqAt(timeOf(trade.seq) + delay.seconds - 1))',
    noticedBy: 'copies',
  },
  {
    breaks: "the leader's own print is the next one",
    file: markets,
    find: 'if (print.wallet === this.#request.wallet) continue;',
    replace: '',
    noticedBy: 'copies',
  },
  {
    breaks: 'a copy sells everything when the leader sells a part',
    file: leader,
    find: 'return before > sold ? sold / before : 1;',
    replace: 'return 1;',
    noticedBy: 'copies',
  },
];
