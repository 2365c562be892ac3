import type { Mutant } from './mutant.ts';

const value = 'ledger/value.ts';
const net = 'ledger/net.ts';
const position = 'ledger/position.ts';
const references = value;
const prices = 'registry/reference-prices.ts';
const reprocess = 'ingest/reprocess.ts';

export const worth: readonly Mutant[] = [
  {
    breaks: 'a reference price is not known yet in the second in which it becomes known',
    file: references,
    find: 'firstAfter(times, times.length, time) - 1',
    replace: 'firstAfter(times, times.length, time - 1) - 1',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a reference price does not hold in its last second',
    file: references,
    find: '<= this.#maxAge',
    replace: '< this.#maxAge',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a reference price holds for ever',
    file: references,
    find: 'last >= 0 && time - times[last]! <= this.#maxAge',
    replace: 'last >= 0',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a stable token is one USD, whatever its reference price says',
    file: value,
    find: 'leg.isReferenced ? amount * reference : leg.isStable ? amount : Number.NaN',
    replace: 'leg.isStable ? amount : leg.isReferenced ? amount * reference : Number.NaN',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a feed is believed whatever a quote token says',
    file: value,
    find: 'return own > 0 && amount > 0 &&',
    replace: 'return own < 0 && amount > 0 &&',
    noticedBy: ['worth'],
  },
  {
    breaks: 'exactly half is a contradiction',
    file: value,
    find: 'given < own / 2 ||',
    replace: 'given <= own / 2 ||',
    noticedBy: ['worth'],
  },
  {
    breaks: 'exactly twice is a contradiction',
    file: value,
    find: 'given > own * 2)',
    replace: 'given >= own * 2)',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a value of no tokens contradicts a swap',
    file: value,
    find: 'own > 0 && amount > 0 &&',
    replace: 'own > 0 &&',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a contradicted leg keeps what the feed gave it',
    file: value,
    find: 'c.usd_amount_in[i] = c.usd_amount_out[i] = own;',
    replace: 'c.usd_amount_in[i] = own;\n      c.usd_amount_out[i] = received.usd;',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a contradiction is not counted',
    file: value,
    find: 'return valuedBy >= CONTRADICTED;',
    replace: 'return valuedBy > 2 * CONTRADICTED;',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a trade for SOL and USDC is worth its SOL alone',
    file: net,
    find: 'return side.length === 1 && roles.isNative(side[0]!.token)',
    replace: 'return roles.isNative(side[0]!.token)',
    noticedBy: ['worth'],
  },
  {
    breaks: 'each trade of a transaction bears its whole fee',
    file: net,
    find: 'fee / Math.max(1, length - first)',
    replace: 'fee',
    noticedBy: ['worth'],
  },
  {
    breaks: 'the least of the fees of a transaction counts',
    file: 'ledger/fees.ts',
    find: '!(fees[row]! <= greatest)',
    replace: '!(fees[row]! >= greatest)',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a fee is worth what the native token last traded for, whatever its reference price says',
    file: net,
    find: '{ price, time } = isReferenced ? reference : print',
    replace: '{ price, time } = print',
    noticedBy: ['worth'],
  },
  {
    breaks: 'results in the native token take their cost from lots of unknown cost, too',
    file: position,
    find: 'native * (matchedNative / sold)',
    replace: 'native',
    noticedBy: ['worth'],
  },
  {
    breaks: 'results in the native token need a value in USD',
    file: position,
    find: 'if (matchedNative > 0 && Number.isFinite(proceedsNative)',
    replace: 'if (!Number.isNaN(usd) && matchedNative > 0 && Number.isFinite(proceedsNative)',
    noticedBy: ['worth'],
  },
  {
    breaks: 'swaps are not derived again from other prices',
    file: reprocess,
    find: '...repriced.filter(([start]) => start <= lastTime)',
    replace: '',
    noticedBy: ['worth'],
  },
  {
    breaks: 'a new price moves no swap after the second in which it became known',
    file: prices,
    find: 'const to = Math.min(time + maxAge,',
    replace: 'const to = Math.min(time,',
    noticedBy: ['worth'],
  },
  {
    breaks: 'swaps without a value that are derived again stay counted',
    file: reprocess,
    find: 'counts.add(before, -1);',
    replace: '',
    noticedBy: ['worth'],
  },
];
