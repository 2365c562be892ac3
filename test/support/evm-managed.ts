import { type EvmSource, type EvmSourceOptions, evmSource } from '@swapfold/evm';
import { bloomOf } from '../../packages/evm/src/bloom.ts';

const hex = (value: number): string => `0x${value.toString(16)}`;
const word = (value: bigint | number | string): string =>
  typeof value === 'string'
    ? value.slice(2).padStart(64, '0')
    : BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0');
const topic = (of: bigint | number | string): string => `0x${word(of)}`;
const account = (digit: string): string => `0x${digit.repeat(40)}`;

const MANAGER = '0x000000000004444c5dc75cb358380d2e3de08a90';
const SWAP = '0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f';
const INITIALIZE = '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const [TOKEN0, TOKEN1, SENDER] = ['1', '2', '9'].map(account) as [string, string, string];

/** The known pool, which is made in the first block that is read, and the unknown one. */
export const [KNOWN, UNKNOWN] = [topic(7), topic(8)] as [string, string];

interface Asked {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[])[];
}

/** A chain of two pools of Uniswap V4: both swap in each block from `first` on; the unknown one was made long before. Its node takes ranges of ten blocks. */
export class ManagedChain {
  head: number;
  /** How many questions for events of the unknown pool the node answers before it limits their rate. */
  searchable = Number.POSITIVE_INFINITY;
  /** The ranges that were asked for that event. */
  readonly searched: (readonly [from: number, to: number])[] = [];
  readonly first: number;
  /** The block of the unknown pool's event; `null` if the node does not have it any more. */
  readonly made: number | null;
  /** From a block on, another branch. */
  fork = Number.POSITIVE_INFINITY;

  constructor(of: { readonly first: number; readonly made: number | null; readonly head: number }) {
    this.first = of.first;
    this.made = of.made;
    this.head = of.head;
  }

  #hash(number: number): string {
    return topic(number >= this.fork ? number + 1_000_000 : number);
  }

  logsOf(number: number) {
    const place = {
      blockHash: this.#hash(number),
      blockNumber: hex(number),
      blockTimestamp: hex(1_735_689_600 + number),
    };
    const logs: { readonly address: string; readonly topics: readonly string[]; readonly data: string }[] = [];
    const made = (id: string): void =>
      void logs.push({
        address: MANAGER,
        topics: [INITIALIZE, id, topic(TOKEN0), topic(TOKEN1)],
        data: topic(0).padEnd(322, '0'),
      });
    const swap = (id: string, paid: number, got: number): void => {
      const move = (token: string, from: string, to: string, amount: number): void =>
        void logs.push({ address: token, topics: [TRANSFER, topic(from), topic(to)], data: topic(amount) });
      logs.push({
        address: MANAGER,
        topics: [SWAP, id, topic(SENDER)],
        data: `0x${[-paid, got, 0, 0, 0, 0].map(word).join('')}`,
      });
      move(TOKEN0, SENDER, MANAGER, paid);
      move(TOKEN1, MANAGER, SENDER, got);
    };
    if (number === this.made) made(UNKNOWN);
    if (number === this.first) made(KNOWN);
    if (number >= this.first) {
      swap(KNOWN, number, 2 * number);
      swap(UNKNOWN, number, 3 * number);
    }
    return logs.map((log, i) => ({
      ...{ ...log, ...place, transactionHash: topic(number * 10 + (i > 3 ? 1 : 0)) },
      ...{ transactionIndex: hex(i > 3 ? 1 : 0), logIndex: hex(i) },
    }));
  }

  #receipts(number: number): readonly object[] {
    const logs = this.logsOf(number);
    return [...new Set(logs.map(({ transactionHash }) => transactionHash))].map((transactionHash, i) => ({
      ...{ transactionHash, blockHash: this.#hash(number), transactionIndex: hex(i), from: SENDER, to: SENDER },
      ...{ gasUsed: '0x1', effectiveGasPrice: '0x1' },
      logs: logs.filter((log) => log.transactionHash === transactionHash),
    }));
  }

  #block(number: number): object | null {
    if (number > this.head) return null;
    const bloom = bloomOf(this.logsOf(number)).toString(16).padStart(512, '0');
    return {
      ...{ number: hex(number), hash: this.#hash(number), parentHash: this.#hash(number - 1) },
      ...{ timestamp: hex(1_735_689_600 + number), logsBloom: `0x${bloom}`, transactions: [] },
    };
  }

  async #logs({ blockHash, fromBlock, toBlock, topics, address }: Asked): Promise<readonly object[]> {
    const at =
      blockHash === undefined
        ? undefined
        : Array.from({ length: this.head + 1 }, (_, n) => n).find((n) => this.#hash(n) === blockHash);
    const [from, to] = [at ?? Number(fromBlock), at ?? Number(toBlock)];
    if (to - from >= 10) throw Object.assign(new Error('block range too large, at most 10 blocks'), { code: -32005 });
    const lists = (topics ?? []).map((each) => [each].flat());
    if (lists[0]?.length === 1 && lists[0][0] === INITIALIZE && lists[1]!.includes(UNKNOWN)) {
      if (this.searched.length >= this.searchable)
        throw Object.assign(new Error('Too many requests'), { status: 429, code: 429 });
      this.searched.push([from, to]);
    }
    const found = [];
    for (let number = from; number <= Math.min(to, this.head); number++) found.push(...this.logsOf(number));
    return found.filter(
      (log) => (address?.includes(log.address) ?? true) && lists.every((list, i) => list.includes(log.topics[i]!)),
    );
  }

  async #answer(method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case 'eth_chainId':
        return '0x1';
      case 'eth_blockNumber':
        return hex(this.head);
      case 'eth_getBlockByNumber':
        return this.#block(params[0] === 'latest' ? this.head : Number(params[0]));
      case 'eth_getLogs':
        return this.#logs(params[0] as Asked);
      case 'eth_getBlockReceipts':
        return this.#receipts(Number(params[0]));
      case 'eth_call':
        return topic((params[0] as { readonly data: string }).data === '0x313ce567' ? 0 : 0x20);
      default:
        throw Object.assign(new Error(`The method ${method} is not found`), { code: -32601 });
    }
  }

  source(more: Partial<EvmSourceOptions> = {}): EvmSource {
    const request = ({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<unknown> =>
      this.#answer(method, params);
    return evmSource({
      ...{ transport: (() => ({ request })) as never, managers: ['uniswap-v4'], from_block: this.first, poll_ms: 10 },
      ...{ onNotice: () => undefined, ...more },
    });
  }
}
