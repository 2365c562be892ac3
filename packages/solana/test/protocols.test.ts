import assert from 'node:assert/strict';
import { test } from 'node:test';
import { protocols } from '../src/protocols.ts';
import { accountsOf, decoded, fill, made, sale, who } from './support/swaps.ts';
import { anchor, call, key, SOL, u64 } from './support/transaction.ts';

const { wallet, token, pool, own, ownSol, vault, vaultSol } = who;
const authority = key('authority');

interface Case {
  readonly name: string;
  readonly program: string;
  readonly data: string;
  readonly accounts: readonly string[];
  /** Who holds the pool's accounts: the pool, or an authority of the program. */
  readonly owner?: string;
  readonly isChecked?: boolean;
  /** `null` where the layout does not say. */
  readonly pool?: string | null;
}

const clmm = [...fill(2), pool, own, ownSol, vault, vaultSol, key('observation')];
const cpmm = [wallet, authority, key('config'), pool, own, ownSol, vault, vaultSol];
const amounts = `${u64(123_456_789)}${u64(1)}`;
const spl = [pool, authority, wallet, own, vault, vaultSol, ownSol];

/** By the layouts of their interface descriptions; market makers without one by what others observed of their transactions. */
const cases: readonly Case[] = [
  {
    name: 'raydium_amm',
    program: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
    data: `09${amounts}`,
    accounts: [key('program'), pool, authority, ...fill(2), vault, vaultSol],
    owner: authority,
  },
  {
    name: 'raydium_amm',
    program: '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8',
    data: `10${amounts}`,
    accounts: [key('program'), pool, authority, vault, vaultSol, own, ownSol, wallet],
    owner: authority,
  },
  {
    name: 'raydium_cpmm',
    program: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
    data: `${anchor('swap_base_input')}${amounts}`,
    accounts: cpmm,
    owner: authority,
    isChecked: true,
  },
  {
    name: 'raydium_cpmm',
    program: 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C',
    data: `${anchor('swap_base_output')}${amounts}`,
    accounts: cpmm,
    owner: authority,
    isChecked: true,
  },
  {
    name: 'raydium_clmm',
    program: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK',
    data: `${anchor('swap')}${amounts}`,
    accounts: clmm,
  },
  {
    name: 'raydium_clmm',
    program: 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK',
    data: `${anchor('swap_v2')}${amounts}`,
    accounts: clmm,
    isChecked: true,
  },
  {
    name: 'raydium_launchlab',
    program: 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj',
    data: `${anchor('sell_exact_in')}${amounts}`,
    accounts: [wallet, authority, ...fill(2), pool, own, ownSol, vault, vaultSol],
    owner: authority,
    isChecked: true,
  },
  {
    name: 'orca_whirlpool',
    program: 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc',
    data: `${anchor('swap')}${amounts}`,
    accounts: [key('program'), wallet, pool, own, vault, ownSol, vaultSol],
  },
  {
    name: 'orca_whirlpool',
    program: 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc',
    data: `${anchor('swap_v2')}${amounts}`,
    accounts: [...fill(3), wallet, pool, token, SOL, own, vault, ownSol, vaultSol],
    isChecked: true,
  },
  {
    name: 'orca_v2',
    program: '9W959DqEETiGZocYWCQPaJ6sBmUzgfxXfqGeTEdp3aQP',
    data: `01${amounts}`,
    accounts: spl,
    owner: authority,
  },
  {
    name: 'meteora_dlmm',
    program: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo',
    data: `${anchor('swap')}${amounts}`,
    accounts: [pool, key('bitmap'), vault, vaultSol, own, ownSol],
    isChecked: true,
  },
  {
    name: 'meteora_dlmm',
    program: 'LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo',
    data: `${anchor('swap2')}${amounts}`,
    accounts: [pool, key('bitmap'), vault, vaultSol, own, ownSol],
    isChecked: true,
  },
  {
    name: 'meteora_damm_v2',
    program: 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG',
    data: `${anchor('swap')}${amounts}`,
    accounts: [authority, pool, own, ownSol, vault, vaultSol],
    owner: authority,
    isChecked: true,
  },
  {
    name: 'meteora_dbc',
    program: 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN',
    data: `${anchor('swap')}${amounts}`,
    accounts: [authority, key('config'), pool, own, ownSol, vault, vaultSol],
    owner: authority,
    isChecked: true,
  },
  {
    name: 'pumpswap',
    program: 'pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA',
    data: `${anchor('sell')}${amounts}`,
    accounts: [pool, wallet, key('config'), token, SOL, own, ownSol, vault, vaultSol],
    isChecked: true,
  },
  {
    name: 'phoenix',
    program: 'PhoeNiXZ8ByJGLkxNfZRnkUfjvmuYqLR89jjFHGqdXY',
    data: `00${amounts}`,
    accounts: [key('program'), key('log'), pool, wallet, own, ownSol, vault, vaultSol],
    owner: vault,
  },
  {
    name: 'openbook_v2',
    program: 'opnb2LAfJYbRMAHHvqjCwQxanZn7ReEHp1k81EohpZb',
    data: `${anchor('place_take_order')}${amounts}`,
    accounts: [wallet, wallet, pool, authority, ...fill(2), vault, vaultSol, own, ownSol],
    owner: authority,
  },
  {
    name: 'lifinity_v2',
    program: '2wT8Yq49kHgDzXuPxZSaeLaH1qbmGXtEyPy64bL7aD3c',
    data: `${anchor('swap')}${amounts}`,
    accounts: [authority, pool, wallet, own, ownSol, vault, vaultSol],
    owner: authority,
  },
  {
    name: 'solfi',
    program: 'SoLFiHG9TfgtdUXUjWAxi3LtvYuFyDLVhBWxdMZxyCe',
    data: `07${amounts}`,
    accounts: [wallet, pool, vault, vaultSol, own, ownSol],
  },
  {
    name: 'solfi_v2',
    program: 'SV2EYYJyRz2YhfXwXnhNAevDEui5Q6yrfyo13WtupPF',
    data: `07${amounts}`,
    accounts: [wallet, pool, vault, vaultSol, own, ownSol],
  },
  {
    name: 'zerofi',
    program: 'ZERor4xhbUycZ6gb9ntrhqscUcZmAbQDjEAtCf4hbZY',
    data: `06${amounts}`,
    accounts: [pool, ...fill(2), vault, key('state'), vaultSol, own, ownSol],
    owner: authority,
  },
  {
    name: 'humidifi',
    program: '9H6tua7jkLhdm3w8BvgpTn5LZNU7g4ZynDmCiNN3q6Rp',
    data: `${'5a'.repeat(25)}`,
    accounts: [wallet, pool, vault, vaultSol, own, ownSol],
  },
  {
    name: 'tessera',
    program: 'TessVdML9pBGgG9yGks7o4HewRaXVAMuoVj4x83GLQH',
    data: `1000${amounts}`,
    accounts: [key('global'), pool, wallet, vault, vaultSol, own, ownSol],
    owner: key('global'),
  },
  {
    name: 'goonfi',
    program: 'goonERTdGsjnkZqWuVjs73BZ3Pb9qoCUdBUL17BnS5j',
    data: `0201${amounts}`,
    accounts: [wallet, pool, own, ownSol, vault, vaultSol],
  },
  {
    name: 'obric',
    program: 'obriQD1zbpyLz95G5n7nJe6a4DPjpFwa5XYPoNm113y',
    data: `${anchor('swap')}${amounts}`,
    accounts: [pool, ...fill(2), vault, vaultSol, own, ownSol],
  },
  {
    name: 'heaven',
    program: 'HEAVENoP2qxoeuF8Dj2oT1GHEnu49U5mJYkdeC8BAX2o',
    data: `${anchor('sell')}${amounts}`,
    accounts: [...fill(4), pool, wallet, token, SOL, own, ownSol, vault, vaultSol],
  },
  {
    name: 'saber',
    program: 'SSwpkEEcbUqx4vtoEByFjSkhKdCT862DNVb52nZg1UZ',
    data: `01${amounts}`,
    accounts: spl,
    owner: authority,
  },
  {
    name: 'stabble_stable',
    program: 'swapNyd8XiQwJ6ianp9snpu4brUqFxadzvHebnAXjJZ',
    data: `${anchor('swap')}${amounts}`,
    accounts: [wallet, own, ownSol, vault, vaultSol],
    owner: authority,
    isChecked: true,
    pool: null,
  },
  {
    name: 'byreal',
    program: 'REALQqNEomY6cQGZJUGwywTBD2UmDT32rZcNnfxQ5N2',
    data: `${anchor('swap_v2')}${amounts}`,
    accounts: clmm,
    isChecked: true,
  },
  {
    name: 'manifest',
    program: 'MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms',
    data: `04${amounts}0001`,
    accounts: [wallet, pool, key('system'), own, ownSol, vault, vaultSol],
    owner: vault,
  },
  {
    name: 'manifest',
    program: 'MNFSTqtC93rEfYHB6hF82sKdZpUDFWkViLByLd1k1Ms',
    data: `0d${amounts}0001`,
    accounts: [wallet, wallet, pool, key('system'), own, ownSol, vault, vaultSol],
    owner: vault,
  },
];

for (const { name, program, data, accounts, owner = pool, isChecked = false, pool: expected = pool } of cases)
  test(`${name} by ${data.slice(0, 16)}: 123.456789 of a token for 1.5 SOL, alone and called by a router`, () => {
    const swap = call(program, accounts, data, ...sale(owner, isChecked));
    const tokens = accountsOf(owner);
    const alone = decoded(made([swap], { tokens }));
    assert.deepEqual(alone.undecoded, {});
    assert.equal(alone.rows.length, 1);
    const [row] = alone.rows;
    const of = { protocol: name, pool: expected, wallet, token_in: token, token_out: SOL };
    const sums = { token_amount_in: 123.456789, token_amount_out: 1.5, swap_index: 0, fee_native: 0.000005 };
    const ofPool = { pool_amount_in: Number.NaN, pool_amount_out: Number.NaN };
    const balances = {
      ...{ pre_token_balance_in: 500, post_token_balance_in: 376.543211 },
      ...{ pre_token_balance_out: 10, post_token_balance_out: 11.499995 },
    };
    const place = { block_slot: 300_000_000, block_time: 1_730_000_000, tx_index: 3 };
    const { tx_hash: _, ...rest } = row!;
    assert.deepEqual(rest, { ...of, ...sums, ...ofPool, ...balances, ...place });
    const routed = decoded(made([call(key('router'), [wallet], 'ff', swap)], { tokens })).rows;
    assert.deepEqual(
      routed.map((one) => [one.protocol, one.swap_index, one.token_amount_in, one.token_amount_out]),
      [[name, 1, 123.456789, 1.5]],
    );
  });

test('every program stands once in the table, by an address of 32 bytes and a name that no other one has', () => {
  assert.equal(new Set(protocols.map(({ program }) => program)).size, protocols.length);
  assert.equal(new Set(protocols.map(({ name }) => name)).size, protocols.length);
  for (const { program } of protocols) assert.match(program, /^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
});
