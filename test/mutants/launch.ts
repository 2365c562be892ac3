import type { Mutant } from './mutant.ts';

const [early, insiders, find, entries] = [
  'launch/early-trades.ts',
  'launch/insiders.ts',
  'queries/launch/find.ts',
  'queries/launch/sniper-entries.ts',
];

/** The rules of docs/reference/launches.md. */
export const launch: readonly Mutant[] = [
  {
    breaks: 'the dev is a sniper of its own launch',
    file: early,
    find: 'if (trade.wallet !== dev && !first.has(trade.wallet))',
    replace: 'if (!first.has(trade.wallet))',
    noticedBy: 'launches',
  },
  {
    breaks: 'the span of a launch ends with its block',
    file: early,
    find: 'launch.block_slot + rules.sniper_blocks',
    replace: 'launch.block_slot',
    noticedBy: 'launches',
  },
  {
    breaks: 'the dev makes the number of a bundle full',
    file: early,
    find: 'return walletsOf(own).size < rules.bundle_wallets',
    replace: 'return walletsOf(group).size < rules.bundle_wallets',
    noticedBy: 'launches',
  },
  {
    breaks: 'a gap in a block joins neighbours',
    file: early,
    find: 'if (trade.tx_index - last <= 1)',
    replace: 'if (trade.tx_index - last <= 2)',
    noticedBy: 'launches',
  },
  {
    breaks: 'a slow block without indexes is a bundle',
    file: early,
    find: 'rules.block_seconds < 1)) return null;',
    replace: 'rules.block_seconds < 100)) return null;',
    noticedBy: 'launches',
  },
  {
    breaks: 'what comes after the first sell makes an insider',
    file: insiders,
    find: 'if (sold !== undefined && comparePlaces(transfer, sold) > 0) continue;',
    replace: '',
    noticedBy: 'insiders',
  },
  {
    breaks: 'who never sold is an insider',
    file: insiders,
    find: 'if (steps !== undefined && firstSells.has(wallet))',
    replace: 'if (steps !== undefined)',
    noticedBy: 'insiders',
  },
  {
    breaks: 'a bundler passes on what it had before its buy',
    file: insiders,
    find: 'comparePlaces(transfer, since) >= 0',
    replace: 'true',
    noticedBy: 'insiders',
  },
  {
    breaks: 'a movement of a swap is a gift',
    file: 'queries/launch/insiders.ts',
    find: '!includesSwaps ||',
    replace: 'true || !includesSwaps ||',
    noticedBy: 'insiders',
  },
  {
    breaks: 'a token of which swaps are forgotten has a launch',
    file: find,
    find: "if ((await CarriedEntities.read(reader, horizon, 'tokens', [token])).has(token)) return null;",
    replace: '',
    noticedBy: 'launches',
  },
  {
    breaks: 'a store that begins with a token has its launch',
    file: find,
    find: 'if ((await beginningOf(context)) > time - seconds) return undefined;',
    replace: '',
    noticedBy: 'launches',
  },
  {
    breaks: 'a wallet snipes a launch at which it had traded before',
    file: entries,
    find: 'if (entry === undefined)',
    replace: 'if (entry === undefined || c.direction[row] === BUY)',
    noticedBy: 'launches',
  },
  {
    breaks: 'tokens that a wallet traded before a window are counted to what is too much to read in it',
    file: entries,
    find: 'entries.filter(({ lastTime }) => lastTime > asOf - seconds).length <= MOST_TOKENS',
    replace: 'entries.length <= MOST_TOKENS',
    noticedBy: 'launches',
  },
];
