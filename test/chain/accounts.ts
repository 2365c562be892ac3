import {
  type Address,
  concatHex,
  encodeAbiParameters,
  encodeDeployData,
  encodeEventTopics,
  encodeFunctionData,
  getCreate2Address,
  type Hex,
  hashTypedData,
  maxUint256,
  pad,
  parseAbi,
  stringToHex,
  toHex,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Anvil } from './anvil.ts';
import { artifacts } from './artifacts.ts';
import { type Contract, calling, deploy, mined, placeAt, type Receipt, type Transaction, view } from './contracts.ts';

/** One call that a contract makes. */
export interface Inner {
  readonly to: Address;
  readonly data: Hex;
  readonly value?: bigint;
}

export const inner = ({ to, data, value }: Transaction): Inner => ({
  to: to!,
  data,
  ...(value !== undefined && { value: BigInt(value) }),
});

/** EntryPoint 0.8 at its address on every chain, with accounts that anybody may run operations for. */
export interface Bundles {
  readonly entryPoint: Contract;
  readonly addAccount: () => Promise<SmartAccount>;
  /** A bundle of operations, of one account each, in one transaction. */
  readonly bundle: (bundler: Address, operations: readonly Operation[]) => Promise<Receipt>;
}

export interface SmartAccount extends Contract {
  readonly sign: (hash: Hex) => Promise<Hex>;
}

interface Operation {
  readonly account: SmartAccount;
  readonly calls: readonly Inner[];
  readonly paymaster?: Address;
}

const ENTRY_POINT: Address = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108';
const DEPOSIT = 10n ** 18n;

export async function deployBundles(chain: Anvil, owner: Address): Promise<Bundles> {
  const entryPoint = await placeAt(chain, ENTRY_POINT, await deploy(chain, owner, artifacts.entryPoint));
  const program = await deploy(chain, owner, artifacts.simpleAccount, [entryPoint.address]);
  let accounts = 0;
  return {
    entryPoint,
    async addAccount() {
      accounts++;
      const { sign, address: signer } = privateKeyToAccount(pad(toHex(accounts), { size: 32 }));
      const account = await placeAt(chain, pad(toHex(0xacc0 + accounts), { size: 20 }), program);
      await mined(chain, [
        calling(owner, account, 'initialize', [signer]),
        calling(owner, entryPoint, 'depositTo', [account.address], DEPOSIT),
      ]);
      return { ...account, sign: (hash) => sign({ hash }) };
    },
    async bundle(bundler, operations) {
      const signed = await Promise.all(operations.map(signedOperation));
      const [receipt] = await mined(chain, [calling(bundler, entryPoint, 'handleOps', [signed, bundler])]);
      return receipt!;
    },
  };

  async function signedOperation({ account, calls }: Operation): Promise<object> {
    const batch = calls.map(({ to: target, data, value = 0n }) => ({ target, value, data }));
    const operation = {
      sender: account.address,
      nonce: await view<bigint>(chain, entryPoint, 'getNonce', [account.address, 0n]),
      initCode: '0x' as const,
      callData: encodeFunctionData({ abi: account.abi, functionName: 'executeBatch', args: [batch] }),
      accountGasLimits: concatHex([toHex(500_000n, { size: 16 }), toHex(3_000_000n, { size: 16 })]),
      preVerificationGas: 50_000n,
      gasFees: concatHex([toHex(1_000_000_000n, { size: 16 }), toHex(2_000_000_000n, { size: 16 })]),
      paymasterAndData: '0x' as const,
      signature: '0x' as Hex,
    };
    const hash = await view<Hex>(chain, entryPoint, 'getUserOpHash', [operation]);
    return { ...operation, signature: await account.sign(hash) };
  }
}

/** A Safe of one owner, who needs no signature for what the owner sends. */
export async function deploySafe(
  chain: Anvil,
  owner: Address,
): Promise<(calls: Inner) => Transaction & { safe: Address }> {
  const singleton = await deploy(chain, owner, artifacts.safe);
  const proxy = await deploy(chain, owner, artifacts.safeProxy, [singleton.address]);
  const safe = { ...singleton, address: proxy.address };
  const none = [zeroAddress, '0x', zeroAddress, zeroAddress, 0n, zeroAddress] as const;
  await mined(chain, [calling(owner, safe, 'setup', [[owner], 1n, ...none])]);
  const signature = concatHex([pad(owner, { size: 32 }), pad('0x', { size: 32 }), '0x01']);
  return ({ to, data, value = 0n }) => ({
    ...calling(owner, safe, 'execTransaction', [to, value, data, 0, 0n, 0n, 0n, zeroAddress, zeroAddress, signature]),
    safe: safe.address,
  });
}

/** An order of CoW Protocol: what is sold exactly, and what is bought at least. */
export interface CowOrder {
  readonly owner: Address;
  readonly receiver?: Address;
  readonly sell: Address;
  readonly buy: Address;
  readonly sellAmount: bigint;
  readonly buyAmount: bigint;
}

export interface Cow {
  readonly settlement: Contract;
  readonly relayer: Address;
  /** Fills orders in full, at the amounts that they name, by calls of the settlement. */
  readonly settle: (solver: Address, orders: readonly CowOrder[], calls: readonly Inner[]) => Promise<Receipt>;
}

/** The deployer that stands at one address on every chain, and on anvil. */
const DEPLOYER: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
/** What the settlement of mainnet was made with: who says which solvers may settle, and the vault of Balancer. */
const AUTHENTICATOR: Address = '0x2c4c28DDBdAc9C5E7055b4C863b72eA0149D8aFE';
const VAULT: Address = '0xBA12222222228d8Ba445958a75a0704d566BF2C8';
const SALT = stringToHex('Mattresses in Berlin!', { size: 32 });
/** Answers 1 to every question. */
const ALWAYS_TRUE = '0x600160005260206000f3';
const VALID_TO = 4_000_000_000;
/** Signed by a transaction of its owner before. */
const PRESIGNED = 0x60n;

const orderTypes = {
  Order: [
    ['address', 'sellToken'],
    ['address', 'buyToken'],
    ['address', 'receiver'],
    ['uint256', 'sellAmount'],
    ['uint256', 'buyAmount'],
    ['uint32', 'validTo'],
    ['bytes32', 'appData'],
    ['uint256', 'feeAmount'],
    ['string', 'kind'],
    ['bool', 'partiallyFillable'],
    ['string', 'sellTokenBalance'],
    ['string', 'buyTokenBalance'],
  ].map(([type, name]) => ({ type: type!, name: name! })),
} as const;

/** CoW Protocol's settlement as it is deployed on mainnet, where every account may settle. */
export async function deployCow(chain: Anvil, owner: Address, chainId: number): Promise<Cow> {
  const { abi, bytecode } = artifacts.cowSettlement;
  const data = encodeDeployData({ abi, bytecode, args: [AUTHENTICATOR, VAULT] });
  await chain.call('anvil_setCode', AUTHENTICATOR, ALWAYS_TRUE);
  await mined(chain, [{ from: owner, to: DEPLOYER, data: concatHex([SALT, data]) }]);
  const settlement = {
    ...artifacts.cowSettlement,
    address: getCreate2Address({ from: DEPLOYER, salt: SALT, bytecode: data }),
  };
  const relayer = await view<Address>(chain, settlement, 'vaultRelayer');
  const domain = { name: 'Gnosis Protocol', version: 'v2', chainId, verifyingContract: settlement.address };
  const appData = pad('0x', { size: 32 });
  return {
    settlement,
    relayer,
    async settle(solver, orders, calls) {
      const uids = orders.map(({ owner: by, receiver = by, sell, buy, sellAmount, buyAmount }) => {
        const message = {
          ...{ sellToken: sell, buyToken: buy, receiver, sellAmount, buyAmount, validTo: VALID_TO, appData },
          ...{ feeAmount: 0n, kind: 'sell', partiallyFillable: false },
          ...{ sellTokenBalance: 'erc20', buyTokenBalance: 'erc20' },
        };
        const hash = hashTypedData({ domain, types: orderTypes, primaryType: 'Order', message });
        return concatHex([hash, by, toHex(VALID_TO, { size: 4 })]);
      });
      await mined(
        chain,
        orders.map(({ owner: by }, i) => calling(by, settlement, 'setPreSignature', [uids[i]!, true])),
      );
      const tokens = orders.flatMap(({ sell, buy }) => [sell, buy]);
      // A price for each side, so that exactly the amounts are exchanged.
      const prices = orders.flatMap(({ sellAmount, buyAmount }) => [buyAmount, sellAmount]);
      const trades = orders.map(({ owner: by, receiver = by, sellAmount, buyAmount }, i) => ({
        sellTokenIndex: BigInt(2 * i),
        buyTokenIndex: BigInt(2 * i + 1),
        receiver,
        sellAmount,
        buyAmount,
        validTo: VALID_TO,
        appData,
        feeAmount: 0n,
        flags: PRESIGNED,
        executedAmount: sellAmount,
        signature: by,
      }));
      const interactions = calls.map(({ to: target, data: callData, value = 0n }) => ({ target, value, callData }));
      const [receipt] = await mined(chain, [
        calling(solver, settlement, 'settle', [tokens, prices, trades, [[], interactions, []]]),
      ]);
      return receipt!;
    },
  };
}

/** A step of `Steps`: a call, or a log. */
export interface Step {
  readonly to: Address;
  readonly value: bigint;
  readonly data: Hex;
  readonly topics: readonly Hex[];
}

export const step = ({ to, data, value = 0n }: Inner): Step => ({ to, value, data, topics: [] });

const events = parseAbi([
  'event Fill(bytes32 indexed orderHash, address indexed filler, address indexed swapper, uint256 nonce)',
  'event OrderFilled(bytes32 orderHash, uint256 remainingAmount)',
]);
const makerEvent = parseAbi(['event OrderFilled(address indexed maker, bytes32 orderHash, uint256 remaining)']);
const ORDER: Hex = `0x${'0d'.repeat(32)}`;

const log = (topics: readonly unknown[], data: Hex): Step => ({
  to: zeroAddress,
  value: 0n,
  data,
  topics: topics as Hex[],
});

/** The events of protocols whose contracts are not to be had, by their own signatures. */
export const filled = {
  uniswapx: (filler: Address, swapper: Address): Step =>
    log(
      encodeEventTopics({ abi: events, eventName: 'Fill', args: { orderHash: ORDER, filler, swapper } }),
      encodeAbiParameters([{ type: 'uint256' }], [7n]),
    ),
  oneInch5: (maker: Address): Step =>
    log(
      encodeEventTopics({ abi: makerEvent, eventName: 'OrderFilled', args: { maker } }),
      encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [ORDER, 0n]),
    ),
  oneInch6: (): Step =>
    log(
      encodeEventTopics({ abi: events, eventName: 'OrderFilled' }),
      encodeAbiParameters([{ type: 'bytes32' }, { type: 'uint256' }], [ORDER, 0n]),
    ),
} as const;

/** Lets a contract move what accounts have of tokens. */
export const allow = (accounts: readonly Address[], tokens: readonly Contract[], spender: Address): Transaction[] =>
  accounts.flatMap((account) => tokens.map((token) => calling(account, token, 'approve', [spender, maxUint256])));
