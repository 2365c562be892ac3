import { createHash } from 'node:crypto';

/** A program that exchanges tokens. A new one is a row of `protocols`. */
export interface Protocol {
  readonly program: string;
  /** What swaps of it have as `protocol`. */
  readonly name: string;
  /** Which account of an instruction is the pool: its place, or whoever owns the pool's token accounts. Default: not known. */
  readonly pool?: number | 'owner' | undefined;
  /** Places of the pool in instructions that have it elsewhere, by the beginning of their data in hexadecimal digits. */
  readonly pools?: Readonly<Record<string, number>> | undefined;
  /** Beginnings of the data of instructions that swap: one of these that shows no exchange is counted. */
  readonly swaps?: readonly string[] | undefined;
  /** Beginnings of the data of instructions that move tokens both ways and are no swap. */
  readonly others?: readonly string[] | undefined;
  /** Whether it pays lamports by itself, which no instruction shows. */
  readonly paysLamports?: true | undefined;
  /** The place of the account that takes the offer, if both sides sign. */
  readonly taker?: number | undefined;
}

/** The first 8 bytes of data of an instruction of an Anchor program. */
const anchor = (...names: readonly string[]): string[] =>
  names.map((name) => createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16));
const [swap, swap2, swapV2, buy, sell] = anchor('swap', 'swap2', 'swap_v2', 'buy', 'sell') as [
  string,
  string,
  string,
  string,
  string,
];
const swapBase = anchor('swap_base_input', 'swap_base_output');
const byExact = anchor('buy_exact_in', 'buy_exact_out', 'sell_exact_in', 'sell_exact_out');
const clmm = { pool: 2, swaps: [swap, swapV2] } as const;
/** Programs with the instructions of the SPL token swap program. */
const splSwap = { pool: 0, swaps: ['01'] } as const;

/**
 * The programs that are known, by the layouts that they publish, and market makers without one by what their transactions show.
 *
 * Amounts are read of transfers, so that a program without a row is read too, under its address.
 */
export const protocols: readonly Protocol[] = [
  {
    program: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
    name: 'raydium_amm',
    pool: 1,
    swaps: ['09', '0b', '10', '11'],
  },
  { program: '5quBtoiQqxF9Jv6KYKctB59NT3gtJD2Y65kdnB1Uev3h', name: 'raydium_stable', pool: 1, swaps: ['09', '0b'] },
  { program: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C', name: 'raydium_cpmm', pool: 3, swaps: swapBase },
  { program: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK', name: 'raydium_clmm', ...clmm },
  { program: 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj', name: 'raydium_launchlab', pool: 4, swaps: byExact },
  {
    program: 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc',
    name: 'orca_whirlpool',
    pool: 'owner',
    pools: { [swap]: 2, [swapV2]: 4 },
    swaps: [swap, swapV2, ...anchor('two_hop_swap', 'two_hop_swap_v2')],
    others: anchor('reposition_liquidity_v2'),
  },
  { program: '9W959DqEETiGZocYWCQPaJ6sBmUzgfxXfqGeTEdp3aQP', name: 'orca_v2', ...splSwap },
  { program: 'DjVE6JNiYqPL2QXyCUUh8rNjHrbz9hXHNYt99MQ59qw1', name: 'orca_v1', ...splSwap },
  {
    program: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo',
    name: 'meteora_dlmm',
    pool: 0,
    swaps: [
      swap,
      swap2,
      ...anchor('swap_exact_out', 'swap_exact_out2', 'swap_with_price_impact', 'swap_with_price_impact2'),
    ],
    others: anchor('rebalance_liquidity'),
  },
  { program: 'Eo7WjKq67rjJQSZxS6z3YkapzY3eMj6Xy8X5EQVn5UaB', name: 'meteora_damm_v1', pool: 0, swaps: [swap] },
  { program: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG', name: 'meteora_damm_v2', pool: 1, swaps: [swap, swap2] },
  { program: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN', name: 'meteora_dbc', pool: 2, swaps: [swap, swap2] },
  {
    program: '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
    name: 'pump',
    pool: 'owner',
    pools: Object.fromEntries([buy, sell, ...anchor('buy_exact_sol_in')].map((start) => [start, 3])),
    swaps: [buy, sell, ...anchor('buy_exact_sol_in')],
    paysLamports: true,
  },
  {
    program: 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA',
    name: 'pumpswap',
    pool: 0,
    swaps: [buy, sell, ...anchor('buy_exact_quote_in')],
  },
  { program: 'PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY', name: 'phoenix', pool: 2, swaps: ['00'] },
  { program: 'srmqPvymJeFKQ4zGQed1GFppgkRHL9kaELCbyksJtPX', name: 'openbook', pool: 0 },
  {
    program: 'opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb',
    name: 'openbook_v2',
    pool: 2,
    swaps: anchor('place_take_order'),
  },
  { program: '2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c', name: 'lifinity_v2', pool: 1, swaps: [swap] },
  { program: 'EewxydAPCCVuNEyrVN68PuSYdQ7wKn27V9Gjeoi8dy3S', name: 'lifinity_v1', pool: 1, swaps: [swap] },
  { program: 'SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe', name: 'solfi', pool: 1 },
  { program: 'SV2EYYJyRz2YhfXwXnhNAevDEui5Q6yrfyo13WtupPF', name: 'solfi_v2', pool: 1 },
  { program: 'ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY', name: 'zerofi', pool: 0 },
  { program: '9H6tua7jkLhdm3w8BvgpTn5LZNU7g4ZynDmCiNN3q6Rp', name: 'humidifi', pool: 1 },
  { program: 'TessVdML9pBGgG9yGks7o4HewRaXVAMuoVj4x83GLQH', name: 'tessera', pool: 1 },
  { program: 'goonERTdGsjnkZqWuVjs73BZ3Pb9qoCUdBUL17BnS5j', name: 'goonfi', pool: 1 },
  { program: 'goonuddtQRrWqqn5nFyczVKaie28f3kDkHWkHtURSLE', name: 'goonfi_v2', pool: 1 },
  { program: 'obriQD1zbpyLz95G5n7nJe6a4DPjpFwa5XYPoNm113y', name: 'obric', pool: 0, swaps: [swap, swap2] },
  { program: 'ALPHAQmeA7bjrVuccPsYPiCvsi428SNwte66Srvs4pHA', name: 'alphaq', pool: 1 },
  { program: 'BiSoNHVpsVZW2F7rx2eQ59yQwKxzU5NvBcmKshCSUypi', name: 'bisonfi', pool: 1 },
  { program: 'AQU1FRd7papthgdrwPTTq5JacJh8YtwEXaBfKU3bTz45', name: 'aquifer' },
  { program: 'SCoRcH8c2dpjvcJD6FiPbCSQyQgu3PcUAWj2Xxx3mqn', name: 'scorch', pools: { '02': 15, '01': 11 } },
  {
    program: 'MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms',
    name: 'manifest',
    pools: { '04': 1, '0d': 2 },
    swaps: ['04', '0d'],
  },
  {
    program: 'MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG',
    name: 'moonshot',
    pool: 'owner',
    pools: { [buy]: 2, [sell]: 2 },
    swaps: [buy, sell],
    paysLamports: true,
  },
  {
    program: 'boop8hVGQGqehUK2iVEMEnMrL5RbjywRzHKBmBE7ry4',
    name: 'boop',
    pool: 1,
    swaps: anchor('buy_token', 'sell_token'),
    paysLamports: true,
  },
  { program: 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o', name: 'heaven', pool: 4, swaps: [buy, sell] },
  { program: 'SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ', name: 'saber', ...splSwap },
  { program: 'swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ', name: 'stabble_stable', swaps: [swap, swapV2] },
  { program: 'swapFpHZwjELNnjvThjajtiVmkz3yPQEHjLtka2fwHW', name: 'stabble_weighted', swaps: [swap, swapV2] },
  { program: 'REALQqNEomY6cQGZJUGwywTBD2UmDT32rZcNnfxQ5N2', name: 'byreal', ...clmm },
  { program: 'HpNfyc2Saw7RKkQd8nEL4khUcuPhQ7WwY1B2qjx8jxFq', name: 'pancakeswap', ...clmm },
  { program: 'GAMMA7meSFWaBXF25oSUgmGRwaW6sCMFLmBNiMSdbHVT', name: 'goosefx_gamma', pool: 3, swaps: swapBase },
  { program: 'AMM55ShdkoGRB5jVYPjWziwk8m5MpwyDgsMWHaMSQWH6', name: 'aldrin_v1', pool: 0, swaps: [swap] },
  { program: 'CURVGoZn8zycx6FXwwevgBTB2gVvdbGTEpvMJDbgs2t4', name: 'aldrin_v2', pool: 0, swaps: [swap] },
  { program: 'CLMM9tUoggJu2wagPkkqs9eFG4BWhVBZWkP1qv3Sp7tR', name: 'crema' },
  { program: 'FLUXubRmkEi2q6K3Y9kBPg9248ggaZVsoSFhtJHSrm1X', name: 'fluxbeam', ...splSwap },
  { program: 'SSwapUtytfBdBn1b9NUGG6foMVPtcWgpRU32HToDUZr', name: 'saros', ...splSwap },
  { program: 'MERLuDFBMmsHnsBPZw2sDQZHvXFMwp8EdjudcU2HKky', name: 'mercurial' },
  { program: 'DEXYosS6oEGvk8uCDayvwEZz4qEyDJRf9nFgYCaqPMTm', name: 'onedex' },
  { program: '61DFfeTKM7trxYcPQCM78bJ794ddZprZpAwAnLiwTpYH', name: 'jupiter_rfq', taker: 0 },
];

const byProgram = new Map(protocols.map((protocol) => [protocol.program, protocol]));

/** What is known of a program. */
export const protocolOf = (program: string): Protocol | undefined => byProgram.get(program);

/** The place of the pool in an instruction whose data begins so. */
export function poolPlace({ pool, pools }: Protocol, beginning: string): number | 'owner' | undefined {
  if (pools === undefined) return pool;
  for (const [start, place] of Object.entries(pools)) if (beginning.startsWith(start)) return place;
  return pool;
}
