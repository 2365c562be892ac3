import { eventKinds, isManaged } from './event-kinds.ts';
import type { EventLog } from './event-log.ts';
import { addressWord, word, wordCount } from './words.ts';

/** An event that says that an account traded, by an order or by itself. */
export interface TraderRule {
  readonly name: string;
  /** Of the event. */
  readonly topic: string;
  /** The accounts that the event names. `undefined`: it names none. */
  readonly accounts?: (event: EventLog, events: readonly EventLog[]) => readonly string[];
  /** Contracts whose word is taken. An event of any other one counts for that contract alone. */
  readonly trusted: ReadonlySet<string>;
  /** Where the event and its contracts are from. */
  readonly source: string;
}

/** `Transfer(address,address,uint256)` of ERC-20, and of ERC-721 with a fourth topic. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** `Deposit(address,uint256)` and `Withdrawal(address,uint256)` of a token that wraps the native one. */
export const WRAPPED = '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c';
export const UNWRAPPED = '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65';
/** Events by which pools say that liquidity came or went. */
export const liquidityTopics: ReadonlySet<string> = new Set([
  // Mint(address,uint256,uint256), Burn(address,uint256,uint256,address), Burn(address,address,uint256,uint256) of V2 and Solidly
  '0x4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f',
  '0xdccd412f0b1252819cb1fd330b93224ca42612892bb3f4f789976e6d81936496',
  '0x5d624aa9c148153ab3446c1b154f660ee7701e549fe9b62dab7171b1c80e6fa2',
  // Mint(address,address,int24,int24,uint128,uint256,uint256), Collect(address,address,int24,int24,uint128,uint128) of V3
  '0x7a53080ba414158be7ec69b987b5fb7d07dee101fe85488f0853ae16239d0bde',
  '0x70935338e69775456a85ddef226c395fb668b63fa0115f5f20610b388e6ca9c0',
]);
/** `BeforeExecution()`, after which an EntryPoint runs the operations of a bundle. */
export const BEFORE_EXECUTION = '0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972';
/** `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`, after an operation. */
export const USER_OPERATION = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';

/** `Trade(address,address,address,uint256,uint256,uint256,bytes)` of CoW Protocol. */
const COW_TRADE = '0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17';

/** EntryPoint 0.6, 0.7, 0.8 and 0.9, the same on all chains. */
export const entryPoints: ReadonlySet<string> = new Set([
  '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
  '0x433709009b8330fda32311df1c2afa402ed8d009',
]);

/** CoW Protocol's settlement, and the contracts that place orders for those who sell the native token. */
const cowSettlement = '0x9008d19f58aabd9ed0d60971565aa8510560ab41';
const cowEthFlows = new Set([
  '0xba3cb449bd2b4adddbc894d8697f5170800eadec',
  '0x40a50cf069e992aa4536211b23f286ef88752187',
]);

/** Reactors of UniswapX: three of Ethereum, two of Arbitrum, of Base and of Unichain. */
const reactors: ReadonlySet<string> = new Set([
  '0x6000da47483062a0d734ba3dc7576ce6a0b645c4',
  '0x00000011f84b9aa48e5f8aa8b9897600006289be',
  '0x0000000015757c461808ea25eb309638b62681cf',
  '0x1bd1aadc9e230626c44a139d7e70d842749351eb',
  '0xb274d5f4b833b61b340b654d600a864fb604a87c',
  '0x000000001ec5656dcdb24d90dfa42742738de729',
  '0x000000008a8330b5d1f43a62bf4c673a49f27ba0',
  '0x00000006021a6bce796be7ba509bbba71e956e37',
  '0x000000005af66799d1a6317714d66800f9ca1406',
]);

/** Routers of 1inch, the same on all chains but zkSync, which has one of its own. */
const routers: ReadonlySet<string> = new Set([
  '0x1111111254eeb25477b68fb85ed929f73a960582',
  '0x111111125421ca6dc452d289314280a0f8842a65',
  '0x6e2b76966cbd9cf4cc2fa0d76d24d5241e0abc2f',
  '0x6fd4383cb451173d5f9304f041c7bcbf27d561ff',
]);

const nobody: ReadonlySet<string> = new Set();
const namedBy = (topic: number) => (event: EventLog) => [addressWord(event.topics[topic] ?? '0x')];
const itself = ({ address }: EventLog): readonly string[] => [address];

/** Who placed an order of CoW Protocol: its owner, or who received the tokens, if a contract owns it that places it for others. */
function cowAccounts(trade: EventLog, events: readonly EventLog[]): readonly string[] {
  const owner = addressWord(trade.topics[1] ?? '0x');
  if (!cowEthFlows.has(owner)) return [owner];
  if (trade.address !== cowSettlement) return [];
  const [bought, amount] = [addressWord(trade.data, 1), trade.data.slice(2 + 3 * 64, 2 + 4 * 64)];
  const paid = events.find(
    ({ topics, address, data }) =>
      topics[0] === TRANSFER &&
      topics.length === 3 &&
      address === bought &&
      data.slice(2) === amount &&
      addressWord(topics[1]!) === trade.address,
  );
  return paid === undefined ? [] : [addressWord(paid.topics[2]!)];
}

/** How CoW Protocol names the native token. */
const cowNative = `0x${'e'.repeat(40)}`;

/** The native token that orders of CoW Protocol bought, which the settlement unwraps for all of them and pays without a log. */
export const nativePayouts = (
  events: readonly EventLog[],
): { readonly from: string; readonly to: string; readonly amount: bigint }[] =>
  events
    .filter(({ topics, address, data }) => topics[0] === COW_TRADE && address === cowSettlement && wordCount(data) >= 4)
    .filter(({ data }) => addressWord(data, 1) === cowNative)
    .map(({ address, topics, data }) => ({ from: address, to: addressWord(topics[1] ?? '0x'), amount: word(data, 3) }));

/** Events that name who traded, if it is not the sender of the transaction. */
export const traderRules: readonly TraderRule[] = [
  {
    name: 'erc-4337',
    topic: USER_OPERATION,
    accounts: namedBy(2),
    trusted: entryPoints,
    source: 'EIP-4337; @account-abstraction/contracts 0.8.0, viem 2.57.20',
  },
  {
    name: 'cow',
    topic: COW_TRADE,
    accounts: cowAccounts,
    trusted: new Set([cowSettlement]),
    source: '@cowprotocol/contracts 1.8.0, @cowprotocol/sdk-config 2.4.0',
  },
  {
    name: 'uniswapx',
    // Fill(bytes32,address,address,uint256)
    topic: '0x78ad7ec0e9f89e74012afa58738b6b661c024cb0fd185ee2f616c0a28924bd66',
    accounts: namedBy(3),
    trusted: reactors,
    source: 'Uniswap/UniswapX, src/base/ReactorEvents.sol; addresses of @uniswap/uniswapx-sdk',
  },
  {
    name: '1inch-v5',
    // OrderFilled(address,bytes32,uint256)
    topic: '0xb9ed0243fdf00f0545c63a0af8850c090d86bb46682baec4bf3c496814fe4f02',
    accounts: namedBy(1),
    trusted: routers,
    source: '1inch/limit-order-protocol, contracts/OrderMixin.sol of version 3',
  },
  {
    name: '1inch-v6',
    // OrderFilled(bytes32,uint256), which does not name the maker
    topic: '0xfec331350fce78ba658e082a71da20ac9f8d798a99b3c79681c8440cbfe77e07',
    trusted: routers,
    source: '1inch/limit-order-protocol, contracts/interfaces/IOrderMixin.sol',
  },
  {
    name: 'safe',
    // ExecutionSuccess(bytes32,uint256)
    topic: '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e',
    accounts: itself,
    trusted: nobody,
    source: '@safe-global/safe-deployments 1.37.56',
  },
  {
    name: 'safe-module',
    // ExecutionFromModuleSuccess(address)
    topic: '0x6895c13664aa4f67288b25d7a21d7aaa34916e355fb9b6fae0a139a9085becb8',
    accounts: itself,
    trusted: nobody,
    source: '@safe-global/safe-deployments 1.37.56',
  },
];

/** Contracts that fill orders, by the topic of their event. */
export const orderContracts: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  traderRules.filter(({ topic }) => topic !== USER_OPERATION).map(({ topic, trusted }) => [topic, trusted]),
);

const never: ReadonlySet<string> = new Set([...traderRules.flatMap(({ trusted }) => [...trusted]), ...cowEthFlows]);

/** Whether an account is a contract that is known to trade for others alone. */
export const isNeverTrader = (account: string): boolean => never.has(account);

/** The vault that holds the tokens of a manager of pools: the manager itself, but of PancakeSwap Infinity. */
const vaults: Readonly<Record<string, string>> = {
  '0xa0ffb9c1ce1fe56963b0321b32e7a0302114058b': '0x238a358808379702088667322f80ac48bad5e6c4',
};
export const vaultOf = (manager: string): string => vaults[manager] ?? manager;

const watched: ReadonlySet<string> = new Set([
  ...[TRANSFER, WRAPPED, UNWRAPPED, BEFORE_EXECUTION, ...liquidityTopics],
  ...traderRules.map(({ topic }) => topic),
  ...eventKinds.map(({ swapTopic }) => swapTopic),
]);

/** Whether a log of the first topic tells who traded. */
export const isWatched = (topic: string | undefined): boolean => topic !== undefined && watched.has(topic);

const PREFIX = 10;
const plainTopics = new Map<string, 'transfer' | 'swap' | 'wrap'>([
  [TRANSFER, 'transfer'],
  [WRAPPED, 'wrap'],
  [UNWRAPPED, 'wrap'],
  ...eventKinds.filter((kind) => !isManaged(kind)).map(({ swapTopic }) => [swapTopic, 'swap'] as const),
]);
export type WatchedKind = 'transfer' | 'swap' | 'wrap' | 'rule';
/** By the first four digits as a number, because no text has to be made of these. */
const prefixes = new Map<number, readonly { readonly prefix: string; readonly kind: WatchedKind }[]>();
for (const topic of watched) {
  const entry: { prefix: string; kind: WatchedKind } = {
    prefix: topic.slice(0, PREFIX),
    kind: plainTopics.get(topic) ?? 'rule',
  };
  prefixes.set(digitsAt(topic, 0), [...(prefixes.get(digitsAt(topic, 0)) ?? []), entry]);
}

/** What the topic at a place of a text begins as, if it is one that tells who traded. */
export function watchedAs(text: string, at: number): WatchedKind | undefined {
  const those = prefixes.get(digitsAt(text, at));
  if (those !== undefined) for (const { prefix, kind } of those) if (text.startsWith(prefix, at)) return kind;
  return undefined;
}

/** The first four digits of a topic at a place, each as a byte. */
function digitsAt(text: string, at: number): number {
  const [a, b] = [text.charCodeAt(at + 2), text.charCodeAt(at + 3)];
  return (a << 24) | (b << 16) | (text.charCodeAt(at + 4) << 8) | text.charCodeAt(at + 5);
}
