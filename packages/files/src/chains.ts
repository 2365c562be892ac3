import type { SwapfoldError } from '@swapfold/core';
import { sqlName, sqlText } from './duck.ts';

/** The names and numbers by which feeds call a chain, by the name that configurations have for it. */
const chains: Readonly<Record<string, readonly string[]>> = {
  ethereum: ['eth', 'mainnet', 'ethereum-mainnet', '1'],
  base: ['base-mainnet', '8453'],
  arbitrum: ['arbitrum-one', 'arbitrum_one', 'arb', '42161'],
  bnb: ['bsc', 'binance-smart-chain', 'bnb-chain', '56'],
  polygon: ['polygon_pos', 'polygon-pos', 'matic', '137'],
  avalanche: ['avalanche_c', 'avalanche-c', 'avax', '43114'],
  optimism: ['op', 'optimistic-ethereum', '10'],
  gnosis: ['xdai', '100'],
  fantom: ['ftm', '250'],
  celo: ['42220'],
  linea: ['59144'],
  scroll: ['534352'],
  zksync: ['zksync-era', 'era', '324'],
  blast: ['81457'],
  mantle: ['5000'],
  sonic: ['146'],
  unichain: ['130'],
  worldchain: ['480'],
  berachain: ['80094'],
  ink: ['57073'],
  zora: ['7777777'],
  sei: ['sei-evm', '1329'],
  ronin: ['2020'],
  nova: ['arbitrum-nova', 'arbitrum_nova', '42170'],
  zkevm: ['polygon-zkevm', 'polygon_zkevm', '1101'],
  kaia: ['klaytn', '8217'],
  abstract: ['2741'],
  monad: ['143'],
  plasma: ['9745'],
  hyperevm: ['hyperliquid', '999'],
  solana: ['sol', 'solana-mainnet', 'mainnet-beta', '101', '1399811149'],
  tron: ['trx', '728126428'],
  sui: ['sui-network', 'sui-mainnet'],
};

/** Precedes the name of the other chain in the reason that a row is passed over for. */
export const OTHER_CHAIN = 'of another chain: ';

const UNKNOWN = 'is no chain that is known';

/** Why a row is passed over whose column names another chain than the store's; an error if the name is unknown. */
export function otherChain(column: string, chain: string): string {
  const name = `nullif(regexp_replace(lower(trim(${sqlName(column)}::varchar)), '^eip155:|[.]0+$', '', 'g'), '')`;
  const own = Object.entries(chains).find(([known, others]) => known === chain || others.includes(chain));
  const isOneOf = (names: readonly string[]): string => `(${names.map(sqlText).join(', ')})`;
  const others = Object.entries(chains).filter(([known]) => known !== own?.[0]);
  const known = [chain, ...others.map(([one]) => one)].join(', ');
  return [
    `when ${name} is null or ${name} in ${isOneOf([chain, ...(own === undefined ? [] : [own[0], ...own[1]])])} then null`,
    ...others.map(([one, names]) => `when ${name} in ${isOneOf([one, ...names])} then ${sqlText(OTHER_CHAIN + one)}`),
    `else error(${sqlText(`its column "${column}" has `)} || to_json(${sqlName(column)}::varchar)::varchar || ${sqlText(`, which ${UNKNOWN}. Known are ${known}. Choose the rows of ${chain} with the option sql.`)})`,
  ].join(' ');
}

/** Whether an error says that a row is of a chain that is not known. */
export const isOfUnknownChain = ({ code, message }: SwapfoldError): boolean =>
  code === 'invalid-input' && message.includes(UNKNOWN);
