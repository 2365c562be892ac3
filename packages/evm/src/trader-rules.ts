import type { EventLog } from './event-log.ts';
import { addressWord } from './words.ts';

/** A rule that gives a swap to another account than the sender, by an event of the same transaction. */
export interface TraderRule {
  readonly name: string;
  /** Of the event. */
  readonly topic: string;
  /** The accounts that the event names. `undefined`: it names none, and the accounts that exchanged the tokens of the swaps count. */
  readonly accounts?: (event: EventLog, events: readonly EventLog[]) => readonly string[];
  /** Which swaps the event is of: those of the operation that it ends, or those of the transaction whose tokens the account gave or got. */
  readonly of: 'operation' | 'tokens';
  /** Contracts whose word is taken. An event of any other one counts only for an account that gave the first token and got the last one. */
  readonly trusted: ReadonlySet<string>;
  /** Where the event and its contracts are from. */
  readonly source: string;
}

/** `Transfer(address,address,uint256)` of ERC-20, and of ERC-721 with a fourth topic. */
export const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
/** `BeforeExecution()`, after which an EntryPoint runs the operations of a bundle. */
export const BEFORE_EXECUTION = '0xbb47ee3e183a558b1a2ff0874b079f3fc5478b7454eacf2bfc5af2ff5878f972';
/** `UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)`, after an operation. */
export const USER_OPERATION = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';

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

/**
 * Who traded, if it is not the sender of the transaction: the first rule that fits a swap counts. After these, an account that alone gave the
 * first token and got the last one of a transaction whose sender did neither; then the sender.
 */
export const traderRules: readonly TraderRule[] = [
  {
    name: 'erc-4337',
    topic: USER_OPERATION,
    accounts: namedBy(2),
    of: 'operation',
    trusted: entryPoints,
    source: 'EIP-4337; @account-abstraction/contracts 0.8.0, viem 2.57.20',
  },
  {
    name: 'cow',
    // Trade(address,address,address,uint256,uint256,uint256,bytes)
    topic: '0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17',
    accounts: cowAccounts,
    of: 'tokens',
    trusted: new Set([cowSettlement]),
    source: '@cowprotocol/contracts 1.8.0, @cowprotocol/sdk-config 2.4.0',
  },
  {
    name: 'uniswapx',
    // Fill(bytes32,address,address,uint256)
    topic: '0x78ad7ec0e9f89e74012afa58738b6b661c024cb0fd185ee2f616c0a28924bd66',
    accounts: namedBy(3),
    of: 'tokens',
    trusted: reactors,
    source: 'Uniswap/UniswapX, src/base/ReactorEvents.sol; addresses of @uniswap/uniswapx-sdk',
  },
  {
    name: '1inch-v5',
    // OrderFilled(address,bytes32,uint256)
    topic: '0xb9ed0243fdf00f0545c63a0af8850c090d86bb46682baec4bf3c496814fe4f02',
    accounts: namedBy(1),
    of: 'tokens',
    trusted: routers,
    source: '1inch/limit-order-protocol, contracts/OrderMixin.sol of version 3',
  },
  {
    name: '1inch-v6',
    // OrderFilled(bytes32,uint256), which does not name the maker
    topic: '0xfec331350fce78ba658e082a71da20ac9f8d798a99b3c79681c8440cbfe77e07',
    of: 'tokens',
    trusted: routers,
    source: '1inch/limit-order-protocol, contracts/interfaces/IOrderMixin.sol',
  },
  {
    name: 'safe',
    // ExecutionSuccess(bytes32,uint256)
    topic: '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e',
    accounts: itself,
    of: 'tokens',
    trusted: nobody,
    source: '@safe-global/safe-deployments 1.37.56',
  },
  {
    name: 'safe-module',
    // ExecutionFromModuleSuccess(address)
    topic: '0x6895c13664aa4f67288b25d7a21d7aaa34916e355fb9b6fae0a139a9085becb8',
    accounts: itself,
    of: 'tokens',
    trusted: nobody,
    source: '@safe-global/safe-deployments 1.37.56',
  },
];

const watched: ReadonlySet<string> = new Set([TRANSFER, BEFORE_EXECUTION, ...traderRules.map(({ topic }) => topic)]);

/** Whether a log of the first topic tells who traded. */
export const isWatched = (topic: string | undefined): boolean => topic !== undefined && watched.has(topic);

const PREFIX = 10;
const prefixes: ReadonlySet<string> = new Set([...watched].map((topic) => topic.slice(0, PREFIX)));

/** Whether the topic at a place of a text begins as one that tells who traded, of other logs than transfers. */
export const mayBeRule = (text: string, at: number): boolean => prefixes.has(text.slice(at, at + PREFIX));
