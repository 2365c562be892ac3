import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  A,
  A_USDC,
  A_WETH,
  A_WETH_ID,
  ANN,
  B,
  B_WETH,
  B_WETH_ID,
  BOB,
  COW_NATIVE,
  ELSEWHERE,
  ESCROW,
  EVE,
  filled,
  filledV5,
  filledV6,
  type Log,
  MANAGER,
  managedSwap,
  moved,
  OTHER,
  pairSwap,
  poolSwap,
  ROUTER,
  SENDER,
  SETTLEMENT,
  swapsOfLogs,
  traded,
  USDC,
  unwrapped,
  VAULT,
  WETH,
  WETH_USDC,
  type Worked,
  wrapped,
  ZERO,
} from './support/evm-worked.ts';

type Row = readonly [sentence: string, logs: readonly Log[], expected: readonly Worked[]];

/** 1,000 USDC become 70 of A in a pool that pays before it takes, between a contract and the pool. */
const bought = (by: string): readonly Log[] => [
  moved(A, A_USDC, by, 70),
  moved(USDC, by, A_USDC, 1000),
  poolSwap(A_USDC, [-70, 1000]),
];
/** 100 of A become 10 WETH in a pair. */
const sold = (from: string, to: string): readonly Log[] => [
  moved(A, from, A_WETH, 100),
  moved(WETH, A_WETH, to, 10),
  pairSwap(A_WETH, [100, 0], [0, 10]),
];
/** 10 WETH become 30 USDC in a pair. */
const exchanged = (from: string, to: string): readonly Log[] => [
  moved(WETH, from, WETH_USDC, 10),
  moved(USDC, WETH_USDC, to, 30),
  pairSwap(WETH_USDC, [10, 0], [0, 30]),
];

const kinds: Readonly<Record<string, readonly Row[]>> = {
  filler: [
    [
      'of UniswapX, who keeps a part of what came out: the order is of who gave it, less that part',
      [moved(USDC, ANN, ROUTER, 1000), ...bought(ROUTER), moved(A, ROUTER, ANN, 69), filled(ROUTER, ANN)],
      [[ANN, 1000, 69]],
    ],
    [
      'of UniswapX, who pays ETH, of which no log tells: the amounts of the pool count',
      [moved(A, ANN, ROUTER, 100), ...sold(ROUTER, ROUTER), unwrapped(ROUTER, 10), filled(ROUTER, ANN)],
      [[ANN, 100, 10]],
    ],
    [
      'of UniswapX, who pays another account and a fee beside: the order is of who signed it, with what the pool gave',
      [
        ...[moved(USDC, ANN, ROUTER, 1000), ...bought(ROUTER), moved(A, ROUTER, BOB, 68), moved(A, ROUTER, EVE, 2)],
        filled(ROUTER, ANN),
      ],
      [[ANN, 1000, 70]],
    ],
    [
      'of 1inch 6, whose event names nobody: the order is of who gave, and got half of what came out',
      [moved(USDC, ANN, ROUTER, 1000), ...bought(ROUTER), moved(A, ROUTER, ANN, 68), filledV6],
      [[ANN, 1000, 68]],
    ],
    [
      'of 1inch 6, where a contract takes fees of what comes out: the maker has the rest',
      [
        ...[moved(USDC, ANN, ROUTER, 1000), ...bought(ROUTER), moved(A, ROUTER, ESCROW, 70)],
        ...[filledV6, moved(A, ESCROW, EVE, 1), moved(A, ESCROW, ANN, 69)],
      ],
      [[ANN, 1000, 69]],
    ],
    [
      'of 1inch 5, whose second exchange emits nothing known: the maker that the event names has the first',
      [
        ...[moved(A, ANN, ROUTER, 100), ...sold(ROUTER, ROUTER), moved(WETH, ROUTER, ELSEWHERE, 10)],
        ...[moved(USDC, ELSEWHERE, ROUTER, 30), moved(USDC, ROUTER, ANN, 29), filledV5(ANN)],
      ],
      [[ANN, 100, 10]],
    ],
    [
      'who delivers first and is paid afterwards: the swap counts as the one of the order, as the guide says',
      [...bought(ROUTER), moved(A, ROUTER, ANN, 69), moved(USDC, ANN, ROUTER, 1010), filled(ROUTER, ANN)],
      [[ANN, 1000, 69]],
    ],
  ],
  keeper: [
    [
      'who trades for a vault has nothing of it: the vault pays and keeps',
      [moved(A, A_USDC, VAULT, 70), moved(USDC, VAULT, A_USDC, 1000), poolSwap(A_USDC, [-70, 1000])],
      [[VAULT, 1000, 70]],
    ],
    [
      'who liquidates with a loan: the contract that borrowed, got the collateral and sold it',
      [
        ...[moved(USDC, ESCROW, VAULT, 25), moved(USDC, VAULT, BOB, 25), moved(WETH, EVE, VAULT, 10)],
        ...[...exchanged(VAULT, VAULT), moved(USDC, VAULT, ESCROW, 25)],
      ],
      [[VAULT, 10, 30]],
    ],
    [
      'whose contract swaps for a hub of many savers and keeps a tenth of what came out',
      [
        ...[moved(A, VAULT, ROUTER, 100), ...sold(ROUTER, ROUTER)],
        ...[moved(WETH, ROUTER, SENDER, 1), moved(WETH, ROUTER, VAULT, 9)],
      ],
      [[VAULT, 100, 9]],
    ],
    [
      'who gets a bounty of what goes in: the vault gave it as well',
      [moved(A, VAULT, SENDER, 2), ...sold(VAULT, VAULT)],
      [[VAULT, 102, 10]],
    ],
    [
      'who executes an order that an escrow pays and another account receives: nobody is known, and the keeper is assumed',
      sold(ESCROW, ANN),
      [[SENDER, 100, 10, 'assumed']],
    ],
    [
      'who executes such an order by a contract in between is assumed as well, and the contract is not the wallet',
      [moved(A, ESCROW, ROUTER, 100), ...sold(ROUTER, ROUTER), moved(WETH, ROUTER, ANN, 10)],
      [[SENDER, 100, 10, 'assumed']],
    ],
  ],
  'zero address': [
    [
      'shares are minted for what an account pays, and sold: the account that a relayer serves has the sale',
      [moved(USDC, ANN, A, 31), moved(A, ZERO, ROUTER, 100), ...sold(ROUTER, ANN)],
      [[ANN, 100, 10]],
    ],
    [
      'shares are bought, and burned for what an account gets',
      [
        ...[moved(WETH, ANN, A_WETH, 10), moved(A, A_WETH, ROUTER, 100), pairSwap(A_WETH, [0, 10], [100, 0])],
        ...[moved(A, ROUTER, ZERO, 100), moved(USDC, A, ANN, 31)],
      ],
      [[ANN, 10, 100]],
    ],
    [
      'a treasury buys and the pool burns what it gives: neither the zero address nor the token is the wallet',
      [moved(WETH, VAULT, A_WETH, 10), moved(A, A_WETH, ZERO, 100), pairSwap(A_WETH, [0, 10], [100, 0])],
      [[SENDER, 10, 100, 'assumed']],
    ],
    [
      'what is wrapped is told of as minted too, and what comes out is burned for a bridge: the sender is assumed',
      [
        ...[moved(WETH, ZERO, ROUTER, 10), wrapped(ROUTER, 10), moved(WETH, ROUTER, A_WETH, 10)],
        ...[moved(A, A_WETH, ROUTER, 100), pairSwap(A_WETH, [0, 10], [100, 0]), moved(A, ROUTER, ZERO, 100)],
      ],
      [[SENDER, 10, 100, 'assumed']],
    ],
    [
      'what a sale burns, at the zero address and at one that nobody has the key of, is given',
      [moved(A, SENDER, ZERO, 2), moved(A, SENDER, `0x${'0'.repeat(36)}dead`, 3), ...sold(SENDER, SENDER)],
      [[SENDER, 105, 10]],
    ],
    [
      'a reward is minted for an account that sells it: it is not the sale of the token by its contract',
      [moved(A, ZERO, ANN, 100), ...sold(ANN, ANN)],
      [[ANN, 100, 10]],
    ],
  ],
  batch: [
    [
      'of CoW: two orders sell the same token for different ones, each in a pool of its own',
      [
        ...[traded(ANN, [A, 100], [WETH, 9]), traded(BOB, [A, 300], [USDC, 28])],
        ...[moved(A, ANN, SETTLEMENT, 100), moved(A, BOB, SETTLEMENT, 300)],
        ...[moved(USDC, A_USDC, SETTLEMENT, 29), moved(A, SETTLEMENT, A_USDC, 300), poolSwap(A_USDC, [300, -29])],
        ...[...sold(SETTLEMENT, SETTLEMENT), moved(WETH, SETTLEMENT, ANN, 9), moved(USDC, SETTLEMENT, BOB, 28)],
      ],
      [
        [BOB, 300, 28],
        [ANN, 100, 9],
      ],
    ],
    [
      'of CoW: the amounts of two orders differ by half a hundredth, and each keeps its own',
      [
        ...[traded(ANN, [A, 1000], [WETH, 100]), traded(BOB, [A, 1005], [USDC, 300])],
        ...[moved(A, ANN, SETTLEMENT, 1000), moved(A, BOB, SETTLEMENT, 1005)],
        ...[moved(A, SETTLEMENT, A_WETH, 1000), moved(WETH, A_WETH, SETTLEMENT, 100)],
        ...[pairSwap(A_WETH, [1000, 0], [0, 100])],
        ...[moved(USDC, A_USDC, SETTLEMENT, 300), moved(A, SETTLEMENT, A_USDC, 1005), poolSwap(A_USDC, [1005, -300])],
        ...[moved(WETH, SETTLEMENT, ANN, 100), moved(USDC, SETTLEMENT, BOB, 300)],
      ],
      [
        [ANN, 1000, 100],
        [BOB, 1005, 300],
      ],
    ],
    [
      'of CoW: two orders meet, and only what is left over goes to a pool: that part alone is a swap',
      [
        ...[traded(ANN, [A, 140], [WETH, 14]), traded(BOB, [WETH, 4], [A, 40])],
        ...[moved(A, ANN, SETTLEMENT, 140), moved(WETH, BOB, SETTLEMENT, 4), ...sold(SETTLEMENT, SETTLEMENT)],
        ...[moved(WETH, SETTLEMENT, ANN, 14), moved(A, SETTLEMENT, BOB, 40)],
      ],
      [[ANN, 100, 10]],
    ],
    [
      'of CoW: two orders buy ETH, which is unwrapped for both at once',
      [
        ...[traded(ANN, [A, 100], [COW_NATIVE, 9]), traded(BOB, [B, 500], [COW_NATIVE, 4])],
        ...[moved(A, ANN, SETTLEMENT, 100), moved(B, BOB, SETTLEMENT, 500), ...sold(SETTLEMENT, SETTLEMENT)],
        ...[moved(B, SETTLEMENT, B_WETH, 500), moved(WETH, B_WETH, SETTLEMENT, 5)],
        ...[pairSwap(B_WETH, [500, 0], [0, 5]), unwrapped(SETTLEMENT, 13)],
      ],
      [
        [ANN, 100, 9],
        [BOB, 500, 4],
      ],
    ],
    [
      'of UniswapX: two orders buy the same token, and each has what its own pool gave, less what the filler keeps',
      [
        ...[moved(USDC, ANN, ROUTER, 1000), moved(WETH, BOB, ROUTER, 50), ...bought(ROUTER)],
        ...[moved(WETH, ROUTER, A_WETH, 50), moved(A, A_WETH, ROUTER, 500), pairSwap(A_WETH, [0, 50], [500, 0])],
        ...[moved(A, ROUTER, ANN, 69), moved(A, ROUTER, BOB, 490), filled(ROUTER, ANN), filled(ROUTER, BOB)],
      ],
      [
        [ANN, 1000, 69],
        [BOB, 50, 490],
      ],
    ],
    [
      'of UniswapX: two orders share one swap, which counts whole for the one that paid half of it',
      [
        ...[moved(A, ANN, ROUTER, 75), moved(A, BOB, ROUTER, 25), ...sold(ROUTER, ROUTER)],
        ...[moved(WETH, ROUTER, ANN, 7), moved(WETH, ROUTER, BOB, 3), filled(ROUTER, ANN), filled(ROUTER, BOB)],
      ],
      [[ANN, 100, 10]],
    ],
    [
      'that pays many accounts out of one purchase is of the sender who paid for it',
      [
        ...[moved(USDC, SENDER, ROUTER, 1000), ...bought(ROUTER)],
        ...[moved(A, ROUTER, ANN, 30), moved(A, ROUTER, BOB, 20), moved(A, ROUTER, EVE, 20)],
      ],
      [[SENDER, 1000, 70]],
    ],
  ],
  'pool as wallet': [
    [
      'a bot goes in a circle over a pool that nobody follows: both swaps are of the bot',
      [
        ...[moved(WETH, A_WETH, ROUTER, 10), moved(WETH, ROUTER, OTHER, 10), moved(USDC, OTHER, ROUTER, 990)],
        ...[poolSwap(OTHER, [10, -990]), moved(A, A_USDC, ROUTER, 101), moved(USDC, ROUTER, A_USDC, 990)],
        ...[poolSwap(A_USDC, [-101, 990]), moved(A, ROUTER, A_WETH, 100), pairSwap(A_WETH, [100, 0], [0, 10])],
      ],
      [
        [ROUTER, 990, 101],
        [ROUTER, 100, 10],
      ],
    ],
    [
      'an exchange that emits nothing known pays the pool for the sender',
      [
        ...[moved(USDC, SENDER, ELSEWHERE, 31), moved(WETH, ELSEWHERE, A_WETH, 10), moved(A, A_WETH, SENDER, 100)],
        pairSwap(A_WETH, [0, 10], [100, 0]),
      ],
      [[SENDER, 10, 100]],
    ],
    [
      'a router goes to exchanges that emit nothing known before and behind the pool: the account at both ends has the swap',
      [
        ...[moved(USDC, ANN, ROUTER, 31), moved(USDC, ROUTER, ELSEWHERE, 31), moved(WETH, ELSEWHERE, ROUTER, 10)],
        ...[moved(WETH, ROUTER, A_WETH, 10), moved(A, A_WETH, ROUTER, 100), pairSwap(A_WETH, [0, 10], [100, 0])],
        ...[moved(A, ROUTER, OTHER, 100), moved(USDC, OTHER, ROUTER, 32), moved(USDC, ROUTER, ANN, 32)],
      ],
      [[ANN, 10, 100]],
    ],
    [
      'such exchanges pay the pool and are paid by it: the relayer is assumed, as the guide says',
      [
        ...[moved(USDC, ANN, ELSEWHERE, 31), moved(WETH, ELSEWHERE, A_WETH, 10), moved(A, A_WETH, OTHER, 100)],
        ...[pairSwap(A_WETH, [0, 10], [100, 0]), moved(USDC, OTHER, ANN, 32)],
      ],
      [[SENDER, 10, 100, 'assumed']],
    ],
    [
      'a vault goes on to an exchange that emits nothing known: what it gets there is what it keeps',
      [...sold(VAULT, VAULT), moved(WETH, VAULT, ELSEWHERE, 10), moved(USDC, ELSEWHERE, VAULT, 30)],
      [[VAULT, 100, 10]],
    ],
    [
      'a vault comes from such an exchange, and what it buys goes to another account: two of its swaps spend one payment',
      [
        ...[moved(USDC, VAULT, ELSEWHERE, 60), moved(WETH, ELSEWHERE, VAULT, 20), moved(WETH, VAULT, A_WETH, 10)],
        ...[moved(A, A_WETH, VAULT, 100), pairSwap(A_WETH, [0, 10], [100, 0]), moved(WETH, VAULT, B_WETH, 10)],
        ...[moved(B, B_WETH, EVE, 500), pairSwap(B_WETH, [0, 10], [500, 0])],
      ],
      [
        [VAULT, 10, 100],
        [VAULT, 10, 500],
      ],
    ],
    [
      'a pool that nobody follows pays the pool first, and takes of the sender at last',
      [
        ...[moved(WETH, OTHER, A_WETH, 10), moved(A, A_WETH, SENDER, 100), pairSwap(A_WETH, [0, 10], [100, 0])],
        ...[moved(USDC, SENDER, OTHER, 31), poolSwap(OTHER, [-10, 31])],
      ],
      [[SENDER, 10, 100]],
    ],
    [
      'a pair that nobody follows lends what is paid, and gets the other token back: the contract that borrowed has the swap',
      [
        ...[moved(WETH, OTHER, VAULT, 10), moved(WETH, VAULT, A_WETH, 10), moved(A, A_WETH, VAULT, 100)],
        ...[pairSwap(A_WETH, [0, 10], [100, 0]), moved(A, VAULT, OTHER, 95), pairSwap(OTHER, [95, 0], [0, 10])],
      ],
      [[VAULT, 10, 100]],
    ],
  ],
  hook: [
    [
      'takes its fee of what came out and swaps nothing: the sender has the rest',
      [
        ...[managedSwap(A_WETH_ID, ROUTER, [-100, 10]), moved(WETH, MANAGER, EVE, 1)],
        ...[moved(A, SENDER, MANAGER, 100), moved(WETH, MANAGER, SENDER, 9)],
      ],
      [[SENDER, 100, 9]],
    ],
    [
      'sells its fee between the two swaps of a route',
      [
        ...[managedSwap(A_WETH_ID, ROUTER, [-100, 10]), managedSwap(A_WETH_ID, EVE, [-20, 2])],
        ...[moved(WETH, MANAGER, EVE, 2), managedSwap(B_WETH_ID, ROUTER, [500, -10])],
        ...[moved(A, SENDER, MANAGER, 100), moved(B, MANAGER, SENDER, 500)],
      ],
      [
        [SENDER, 100, 10],
        [EVE, 20, 2],
        [SENDER, 10, 500],
      ],
    ],
  ],
  relayer: [
    ['gets a fee of another token beside the swap', [moved(USDC, ANN, SENDER, 5), ...sold(ANN, ANN)], [[ANN, 100, 10]]],
    [
      'gets a fee of what comes out of the second of two pools',
      [
        ...[moved(A, ANN, ROUTER, 100), ...sold(ROUTER, ROUTER), ...exchanged(ROUTER, ROUTER)],
        ...[moved(USDC, ROUTER, SENDER, 1), moved(USDC, ROUTER, ANN, 29)],
      ],
      [
        [ANN, 100, 10],
        [ANN, 10, 29],
      ],
    ],
  ],
  'pool that pays before it takes': [
    [
      'the sender takes of a manager before it pays it',
      [
        ...[managedSwap(A_WETH_ID, ROUTER, [-100, 10]), moved(WETH, MANAGER, SENDER, 10)],
        moved(A, SENDER, MANAGER, 100),
      ],
      [[SENDER, 100, 10]],
    ],
    [
      'a pool pays the pair behind it, and the sender, whom a contract serves, pays the pool at last',
      [
        ...[moved(A, A_USDC, A_WETH, 100), moved(WETH, A_WETH, ANN, 10), pairSwap(A_WETH, [100, 0], [0, 10])],
        ...[moved(USDC, ANN, A_USDC, 1400), poolSwap(A_USDC, [-100, 1400])],
      ],
      [
        [ANN, 100, 10],
        [ANN, 1400, 100],
      ],
    ],
  ],
  harvest: [
    [
      'a reward is minted for a vault, which sells it and adds what came to its liquidity',
      [
        ...[moved(A, ZERO, VAULT, 100), ...sold(VAULT, VAULT), moved(WETH, VAULT, WETH_USDC, 10)],
        ...[moved(USDC, VAULT, WETH_USDC, 30), moved(WETH_USDC, ZERO, VAULT, 17)],
      ],
      [[VAULT, 100, 10]],
    ],
    [
      'who calls it is paid of the reward, and two pools turn the rest into what the vault holds',
      [...[moved(A, EVE, VAULT, 105), moved(A, VAULT, SENDER, 5), ...sold(VAULT, VAULT), ...exchanged(VAULT, VAULT)]],
      [
        [VAULT, 105, 10],
        [VAULT, 10, 30],
      ],
    ],
  ],
};

for (const [kind, rows] of Object.entries(kinds))
  for (const [sentence, logs, expected] of rows)
    test(`${kind}: ${sentence}`, async () => {
      const { swaps, assumed } = await swapsOfLogs(logs);
      assert.deepEqual(
        swaps,
        expected.map(([wallet, amountIn, amountOut]) => [wallet, amountIn, amountOut]),
      );
      assert.equal(assumed, expected.filter(([, , , isAssumed]) => isAssumed !== undefined).length);
    });
