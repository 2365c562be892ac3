import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SolanaTransaction } from '../src/raw.ts';
import type { Undecoded } from '../src/undecoded.ts';
import { accountsOf, decoded, made, sale, who } from './support/swaps.ts';
import { short, solOf, tokenOf, tokensOf, withoutHeights, withoutOwner } from './support/told.ts';
import {
  anchor,
  type Call,
  call,
  checked,
  close,
  key,
  lamports,
  type Made,
  openWrapped,
  paysByItself,
  SOL,
  sync,
  transfer,
  USDC,
  withFee,
} from './support/transaction.ts';

const { wallet, token, pool, own, ownSol, ownUsdc, vault, vaultSol } = who;
const CLMM = 'CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK';
const [keeper, escrow, maker, member, other] = ['keeper', 'escrow', 'maker', 'member', 'other wallet'].map(key) as [
  string,
  string,
  string,
  string,
  string,
];
const router = key('router');
const second = {
  pool: key('second pool'),
  sol: key('second SOL'),
  usdc: key('second USDC'),
  token: key('second token'),
};

/** Callers name all accounts of those whom they call, as they have to. */
const namedBy = (calls: readonly Call[]): string[] => [
  ...new Set(calls.flatMap(({ program, accounts, calls: inner = [] }) => [program, ...accounts, ...namedBy(inner)])),
];
const swapIn = (place: string, ...calls: readonly Call[]): Call =>
  call(CLMM, [key('a'), key('b'), place, ...namedBy(calls)], anchor('swap'), ...calls);
const swapOf = (...calls: readonly Call[]): Call => swapIn(pool, ...calls);
const by = (program: string, ...calls: readonly Call[]): Call => call(program, namedBy(calls), '01', ...calls);
const routed = (...calls: readonly Call[]): Call => by(key('routing program'), ...calls);
/** A multisig runs calls of its vault, which signs nothing: one of its members does. */
const execute = (...calls: readonly Call[]): Call => by(key('multisig'), ...calls);

const secondTokens: Made['tokens'] = [
  { address: second.sol, mint: SOL, owner: second.pool, amount: 70_000_000_000n },
  { address: second.usdc, mint: USDC, owner: second.pool, amount: 900_000_000n },
  { address: second.token, mint: token, owner: second.pool, amount: 900_000_000n },
];
const withSol = (tokens: Made['tokens']): Made['tokens'] =>
  tokens.map((one) => (one.address === ownSol ? { ...one, amount: 4_000_000_000n } : one));
const taxed = (tokens: Made['tokens']): Made['tokens'] =>
  tokens.map((one) => (one.mint === token ? { ...one, is2022: true } : one));

/** 100 of the token for 2 SOL, and 2 SOL for 300 USDC in another pool, by accounts of somebody. */
const [sold, boughtUsdc] = [
  swapOf(transfer(own, vault, wallet, 100_000_000n), transfer(vaultSol, ownSol, pool, 2_000_000_000n)),
  swapIn(
    second.pool,
    transfer(ownSol, second.sol, wallet, 2_000_000_000n),
    transfer(second.usdc, ownUsdc, second.pool, 300_000_000n),
  ),
];
const bought = (sol: bigint): Call =>
  swapOf(transfer(ownSol, vaultSol, wallet, sol), transfer(vault, own, pool, 100_000_000n));
/** A keeper fills an order: an escrow gives it the token, and it passes on what the pool gave. */
const filled = [
  by(key('order program'), transfer(tokenOf(escrow), tokenOf(keeper), escrow, 100_000_000n)),
  swapOf(
    transfer(tokenOf(keeper), vault, keeper, 100_000_000n),
    transfer(vaultSol, solOf(keeper), pool, 2_000_000_000n),
  ),
  by(key('order program'), transfer(solOf(keeper), solOf(maker), keeper, 1_960_000_000n)),
];

interface Row {
  readonly raw: SolanaTransaction;
  readonly rows: readonly (readonly unknown[])[];
  readonly undecoded?: Partial<Undecoded>;
}

const ofVault = (tokens: Made['tokens'], ...calls: readonly Call[]): SolanaTransaction =>
  made(calls, { signers: [member], tokens });

const multisigs: Readonly<Record<string, Row>> = {
  'a vault of a multisig that buys': {
    raw: ofVault(withSol(accountsOf(pool)), execute(bought(2_000_000_000n))),
    rows: [['wallet', 2, 'SOL', 100, 'token']],
  },
  'a vault of a multisig on a route over two pools': {
    raw: ofVault([...accountsOf(pool), ...secondTokens], execute(routed(sold, boughtUsdc))),
    rows: [
      ['wallet', 100, 'token', 2, 'SOL'],
      ['wallet', 2, 'SOL', 300, 'USDC'],
    ],
  },
  'two vaults of a multisig in one transaction': {
    raw: ofVault(
      tokensOf(other),
      execute(
        sold,
        swapOf(
          transfer(tokenOf(other), vault, other, 50_000_000n),
          transfer(vaultSol, solOf(other), pool, 990_000_000n),
        ),
      ),
    ),
    rows: [
      ['wallet', 100, 'token', 2, 'SOL'],
      [other, 50, 'token', 0.99, 'SOL'],
    ],
  },
  'a vault of a multisig whose member gets at once what came out: the member signed': {
    raw: ofVault(tokensOf(member), execute(sold, transfer(ownSol, solOf(member), wallet, 2_000_000_000n))),
    rows: [['member', 100, 'token', 2, 'SOL']],
  },
  'a vault of a multisig that pays somebody beside its swap': {
    raw: ofVault(tokensOf(other), execute(sold, transfer(ownSol, solOf(other), wallet, 100_000_000n))),
    rows: [['wallet', 100, 'token', 2, 'SOL']],
  },
};

const fees: Readonly<Record<string, Row>> = {
  'a token that withholds 3% between two pools: 97 arrive at the wallet, which sends them on': {
    raw: made(
      [
        routed(
          swapOf(
            transfer(ownSol, vaultSol, wallet, 2_000_000_000n),
            withFee(vault, token, own, pool, 100_000_000n, 3_000_000n),
          ),
          swapIn(
            second.pool,
            withFee(own, token, second.token, wallet, 97_000_000n, 2_910_000n),
            transfer(second.usdc, ownUsdc, second.pool, 300_000_000n),
          ),
        ),
      ],
      { tokens: taxed(withSol([...accountsOf(pool), ...secondTokens])) },
    ),
    rows: [
      ['wallet', 2, 'SOL', 97, 'token'],
      ['wallet', 97, 'token', 300, 'USDC'],
    ],
  },
  'a token that withholds 3%, by an escrow and a keeper: 100 left the escrow': {
    raw: made(
      [
        by(key('order program'), checked(tokenOf(escrow), token, tokenOf(keeper), escrow, 100_000_000n, 3_000_000n)),
        swapOf(
          checked(tokenOf(keeper), token, vault, keeper, 97_000_000n, 2_910_000n),
          transfer(vaultSol, solOf(keeper), pool, 2_000_000_000n),
        ),
        by(key('order program'), transfer(solOf(keeper), solOf(maker), keeper, 1_960_000_000n)),
      ],
      { signers: [keeper], tokens: taxed(tokensOf(keeper, escrow, maker)) },
    ),
    rows: [['maker', 100, 'token', 1.96, 'SOL']],
  },
  'a token that withholds 3%, bought by a keeper for a maker: 94.09 arrive there': {
    raw: made(
      [
        by(key('order program'), transfer(solOf(escrow), solOf(keeper), escrow, 2_000_000_000n)),
        swapOf(
          transfer(solOf(keeper), vaultSol, keeper, 2_000_000_000n),
          withFee(vault, token, tokenOf(keeper), pool, 100_000_000n, 3_000_000n),
        ),
        by(key('order program'), withFee(tokenOf(keeper), token, tokenOf(maker), keeper, 97_000_000n, 2_910_000n)),
      ],
      { signers: [keeper], tokens: taxed(tokensOf(keeper, escrow, maker)) },
    ),
    rows: [['maker', 2, 'SOL', 94.09, 'token']],
  },
  'a token that withholds 3%, sent to a router first: 100 left the wallet': {
    raw: made(
      [
        routed(
          checked(own, token, tokenOf(router), wallet, 100_000_000n, 3_000_000n),
          swapOf(
            checked(tokenOf(router), token, vault, router, 97_000_000n, 2_910_000n),
            transfer(vaultSol, ownSol, pool, 2_000_000_000n),
          ),
        ),
      ],
      { tokens: taxed(tokensOf(router)) },
    ),
    rows: [['wallet', 100, 'token', 2, 'SOL']],
  },
  'a token that withholds 3%, of a vault of a multisig that buys': {
    raw: ofVault(
      taxed(withSol(accountsOf(pool))),
      execute(
        swapOf(
          transfer(ownSol, vaultSol, wallet, 2_000_000_000n),
          checked(vault, token, own, pool, 100_000_000n, 3_000_000n),
        ),
      ),
    ),
    rows: [['wallet', 2, 'SOL', 97, 'token']],
  },
};

const temporary = key('temporary SOL');
const spent = (from: string): Call =>
  swapOf(transfer(from, vaultSol, wallet, 1_500_000_000n), transfer(vault, own, pool, 100_000_000n));

const funding: Readonly<Record<string, Row>> = {
  'an account of wrapped SOL that gets 2 SOL of lamports, of which 1.5 are spent': {
    raw: made([lamports(wallet, ownSol, 2_000_000_000n), sync(ownSol), spent(ownSol)]),
    rows: [['wallet', 1.5, 'SOL', 100, 'token']],
  },
  'an account of wrapped SOL that a router funds within its instruction': {
    raw: made([routed(lamports(wallet, ownSol, 2_000_000_000n), sync(ownSol), spent(ownSol))]),
    rows: [['wallet', 1.5, 'SOL', 100, 'token']],
  },
  'an account of wrapped SOL that is opened, gets 2 SOL, and is closed with what is left': {
    raw: made([
      routed(
        ...openWrapped(temporary, wallet),
        lamports(wallet, temporary, 2_000_000_000n),
        sync(temporary),
        spent(temporary),
        close(temporary, wallet, wallet),
      ),
    ]),
    rows: [['wallet', 1.5, 'SOL', 100, 'token']],
  },
  'an account of wrapped SOL that a vault of a multisig funds': {
    raw: ofVault(accountsOf(pool), execute(lamports(wallet, ownSol, 2_000_000_000n), sync(ownSol), spent(ownSol))),
    rows: [['wallet', 1.5, 'SOL', 100, 'token']],
  },
  'an account of wrapped SOL that gets what came out, and is closed to the wallet': {
    raw: made([
      ...openWrapped(temporary, wallet),
      swapOf(transfer(own, vault, wallet, 100_000_000n), transfer(vaultSol, temporary, pool, 1_500_000_000n)),
      close(temporary, wallet, wallet),
    ]),
    rows: [['wallet', 100, 'token', 1.5, 'SOL']],
  },
};

const owners: Readonly<Record<string, Row>> = {
  'a wallet whose accounts have no owner': {
    raw: withoutOwner(made([swapOf(...sale(pool, false))]), wallet),
    rows: [['wallet', 123.456789, 'token', 1.5, 'SOL']],
  },
  'a pool whose accounts have no owner': {
    raw: withoutOwner(made([swapOf(...sale(pool, false))]), pool),
    rows: [['wallet', 123.456789, 'token', 1.5, 'SOL']],
  },
  'a router whose accounts have no owner, on both ends': {
    raw: withoutOwner(
      made(
        [
          routed(
            transfer(own, tokenOf(router), wallet, 100_000_000n),
            swapOf(
              transfer(tokenOf(router), vault, router, 100_000_000n),
              transfer(vaultSol, solOf(router), pool, 2_000_000_000n),
            ),
            transfer(solOf(router), ownSol, router, 1_990_000_000n),
          ),
        ],
        { tokens: tokensOf(router) },
      ),
      router,
    ),
    rows: [['wallet', 100, 'token', 1.99, 'SOL']],
  },
  'an escrow whose accounts have no owner': {
    raw: withoutOwner(made(filled, { signers: [keeper], tokens: tokensOf(keeper, escrow, maker) }), escrow),
    rows: [['maker', 100, 'token', 1.96, 'SOL']],
  },
  'a vault of a multisig whose accounts have no owner': {
    raw: withoutOwner(ofVault(accountsOf(pool), execute(sold)), wallet),
    rows: [['wallet', 100, 'token', 2, 'SOL']],
  },
};

const route = made([routed(sold, boughtUsdc)], { tokens: [...accountsOf(pool), ...secondTokens] });
const heights: Readonly<Record<string, Row>> = {
  'a swap by an instruction of the message': {
    raw: withoutHeights(made([sold])),
    rows: [['wallet', 100, 'token', 2, 'SOL']],
  },
  'a route over two pools': {
    raw: withoutHeights(route),
    rows: [
      ['wallet', 100, 'token', 2, 'SOL'],
      ['wallet', 2, 'SOL', 300, 'USDC'],
    ],
  },
  'a route over two pools, every second height': {
    raw: withoutHeights(route, (i) => i % 2 === 0),
    rows: [
      ['wallet', 100, 'token', 2, 'SOL'],
      ['wallet', 2, 'SOL', 300, 'USDC'],
    ],
  },
  'a vault of a multisig behind a router': {
    raw: withoutHeights(ofVault(accountsOf(pool), execute(routed(sold)))),
    rows: [['wallet', 100, 'token', 2, 'SOL']],
  },
  'an order that a keeper fills': {
    raw: withoutHeights(made(filled, { signers: [keeper], tokens: tokensOf(keeper, escrow, maker) })),
    rows: [['maker', 100, 'token', 1.96, 'SOL']],
  },
};

const curve = key('curve');
const launch = (data: string, ...calls: readonly Call[]): Call =>
  call(key('launchpad'), [wallet, curve, ...namedBy(calls)], data, ...calls);
const buy = launch('01', lamports(wallet, curve, 1_000_000_000n), transfer(vault, own, curve, 7_000_000n));
const sell = paysByItself(launch('02', transfer(own, vault, wallet, 7_000_000n)), curve, wallet, 990_000_000n);

const unknown: Readonly<Record<string, Row>> = {
  'bought with lamports behind a router': {
    raw: made([routed(buy)], { tokens: accountsOf(curve) }),
    rows: [],
    undecoded: { unknown_program: 1 },
  },
  'bought with lamports twice': {
    raw: made([buy, buy], { tokens: accountsOf(curve) }),
    rows: [],
    undecoded: { unknown_program: 2 },
  },
  'bought with wrapped SOL, which its sales would show as well': {
    raw: made(
      [launch('01', transfer(ownSol, vaultSol, wallet, 1_000_000_000n), transfer(vault, own, curve, 7_000_000n))],
      { tokens: withSol(accountsOf(curve)) },
    ),
    rows: [['wallet', 1, 'SOL', 7, 'token']],
  },
  'sold for lamports beside a swap of a known exchange': {
    raw: made(
      [
        sell,
        swapIn(
          second.pool,
          transfer(ownUsdc, second.usdc, wallet, 20_000_000n),
          transfer(second.sol, ownSol, second.pool, 100_000_000n),
        ),
      ],
      {
        tokens: [...accountsOf(curve), ...secondTokens],
      },
    ),
    rows: [['wallet', 20, 'USDC', 0.1, 'SOL']],
    undecoded: { unknown_program: 1 },
  },
  'bought and sold for lamports in one transaction': {
    raw: made([buy, sell], { tokens: accountsOf(curve) }),
    rows: [],
    undecoded: { unknown_program: 2 },
  },
};

for (const [kind, some] of Object.entries({
  '': { ...multisigs, ...fees, ...funding },
  'without a word of the node: ': owners,
  'without the depth of calls: ': heights,
  'a program that nobody knows: ': unknown,
}))
  for (const [name, { raw, rows, undecoded = {} }] of Object.entries(some))
    test(`${kind}${name}`, () => {
      const found = decoded(raw);
      assert.deepEqual(short(found.rows), rows);
      assert.deepEqual(found.undecoded, undecoded);
    });
