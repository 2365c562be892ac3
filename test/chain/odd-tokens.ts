import type { Address, Hex } from 'viem';
import type { Exchange, Token } from './exchange.ts';

/** What a token does in place of answering one of its functions: text in 32 bytes, nothing at all, a failure. */
export type Oddity = { readonly bytes32: string } | 'missing' | 'reverting';

const selectors = { symbol: '95d89b41', decimals: '313ce567' } as const;

/**
 * A token of 18 decimals that does everything through another contract, but for one function. The program is written by hand: it compares
 * the selector, and delegates all other calls to the code that the token had.
 */
export async function addOddToken(
  exchange: Exchange,
  symbol: string,
  odd: { readonly function: keyof typeof selectors; readonly how: Oddity },
): Promise<Token> {
  const { chain } = exchange;
  const token = await exchange.addToken(symbol, 18);
  const code = await chain.call<Hex>('eth_getCode', token.address, 'latest');
  const elsewhere = `0x${'0'.repeat(32)}${token.address.slice(34)}` as Address;
  await chain.call('anvil_setCode', elsewhere, code);
  await chain.call('anvil_setCode', token.address, program(selectors[odd.function], odd.how, elsewhere));
  return token;
}

function program(selector: string, how: Oddity, elsewhere: Address): Hex {
  // CALLDATALOAD(0) >> 224 == selector ? jump to the odd answer.
  const compare = `60003560e01c63${selector}1460`;
  // Copies the call, delegates it with all gas, copies the answer, and returns or reverts with it.
  const copy = '3660006000376000600036600073';
  const answer = '5af43d6000803e60';
  const size = (compare.length + 4 + copy.length + 40 + answer.length + 2) / 2;
  const reverts = '573d6000fd';
  const returns = '5b3d6000f3';
  const okAt = size + reverts.length / 2;
  const oddAt = okAt + returns.length / 2;
  const hex = (at: number): string => at.toString(16).padStart(2, '0');
  const parts = [
    compare,
    hex(oddAt),
    '57',
    copy,
    elsewhere.slice(2),
    answer,
    hex(okAt),
    reverts,
    returns,
    `5b${oddAnswer(how)}`,
  ];
  return `0x${parts.join('')}`;
}

function oddAnswer(how: Oddity): string {
  if (how === 'missing') return '00';
  if (how === 'reverting') return '60006000fd';
  return `7f${Buffer.from(how.bytes32).toString('hex').padEnd(64, '0')}60005260206000f3`;
}
