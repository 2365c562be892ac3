import { type Address, decodeFunctionResult, encodeDeployData, encodeFunctionData, type Hex } from 'viem';
import type { Anvil, Call } from './anvil.ts';
import type { Artifact } from './artifacts.ts';

/** A contract that stands on the chain. */
export interface Contract extends Artifact {
  readonly address: Address;
}

/** A transaction that a node signs itself, for an account that it holds. */
export interface Transaction {
  readonly from: Address;
  readonly to?: Address;
  readonly data: Hex;
  /** Of the native token, in wei. */
  readonly value?: Hex;
}

export interface Receipt {
  readonly status: Hex;
  readonly contractAddress: Address | null;
  readonly transactionHash: Hex;
  readonly blockNumber: Hex;
  readonly gasUsed: Hex;
  readonly effectiveGasPrice: Hex;
  readonly logs: readonly { readonly address: Address; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

const GAS = '0x989680';

export const sending = (transaction: Transaction): Call => [
  'eth_sendTransaction',
  [{ ...transaction, gas: GAS, gasPrice: '0x77359400' }],
];

/** Transactions in one message: of more, anvil now and then gives two of an account the same number. */
const MESSAGE = 50;

/** Sends transactions without mining them. */
export async function send(chain: Anvil, calls: readonly Call[]): Promise<Hex[]> {
  const hashes: Hex[] = [];
  for (let from = 0; from < calls.length; from += MESSAGE)
    hashes.push(...(await chain.batch<Hex>(calls.slice(from, from + MESSAGE))));
  return hashes;
}

/** Sends transactions, mines them in one block, and holds that all went through. */
export async function mined(chain: Anvil, transactions: readonly Transaction[]): Promise<Receipt[]> {
  const hashes = await send(chain, transactions.map(sending));
  await chain.call('anvil_mine', '0x1');
  const receipts = await chain.batch<Receipt>(hashes.map((hash) => ['eth_getTransactionReceipt', [hash]]));
  for (const [i, { status }] of receipts.entries())
    if (status !== '0x1') throw new Error(`Transaction ${i} of ${receipts.length} was reverted.`);
  return receipts;
}

export async function deploy(
  chain: Anvil,
  from: Address,
  artifact: Artifact,
  args: readonly unknown[] = [],
): Promise<Contract> {
  const data = encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args });
  const [receipt] = await mined(chain, [{ from, data }]);
  return { ...artifact, address: receipt!.contractAddress! };
}

export const calling = (
  from: Address,
  to: Contract,
  functionName: string,
  args: readonly unknown[],
  value?: bigint,
): Transaction => ({
  from,
  to: to.address,
  data: encodeFunctionData({ abi: to.abi, functionName, args }),
  ...(value !== undefined && { value: `0x${value.toString(16)}` as const }),
});

/** Puts the program of a contract at another address, with an empty storage. */
export async function placeAt(chain: Anvil, address: Address, of: Contract): Promise<Contract> {
  await chain.call('anvil_setCode', address, await chain.call<Hex>('eth_getCode', of.address, 'latest'));
  return { ...of, address };
}

/** What a function of a contract answers as of a block. */
export async function view<T>(
  chain: Anvil,
  of: Contract,
  functionName: string,
  args: readonly unknown[] = [],
  block = 'latest',
): Promise<T> {
  const call = { to: of.address, data: encodeFunctionData({ abi: of.abi, functionName, args }) };
  const data = await chain.call<Hex>('eth_call', call, block);
  return decodeFunctionResult({ abi: of.abi, functionName, data }) as T;
}
