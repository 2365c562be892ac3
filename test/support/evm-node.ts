import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { bloomOf } from '../../packages/evm/src/bloom.ts';

const hex = (value: number): string => `0x${value.toString(16)}`;
const word = (value: bigint | number | string): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');
const account = (digit: string): string => `0x${digit.repeat(40)}`;

export const [POOL, TOKEN0, TOKEN1, FACTORY, SENDER, FRIEND] = ['a', '1', '2', 'f', '9', '8'].map(account) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const START = 1_735_689_600;

interface LogsAsked {
  readonly blockHash?: string;
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly address?: readonly string[];
  readonly topics?: readonly (readonly string[])[];
}

interface ChainLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly blockHash: string;
  readonly blockNumber: string;
  readonly transactionHash: string;
  readonly transactionIndex: string;
  readonly logIndex: string;
}

/** What each contract answers to the selector of a function. */
const functions: Readonly<Record<string, bigint | string>> = {
  '0x0dfe1681': TOKEN0,
  '0xd21220a7': TOKEN1,
  '0xc45a0155': FACTORY,
  '0x313ce567': 18n,
  '0xe6a43905': POOL,
};

/** The answer in place of `usual`; an error is thrown. */
export type Fault = (call: {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly usual: unknown;
}) => unknown;

/** A chain of a pool of Uniswap V2 that swaps in each third block, in each ninth one four times; branches differ in their hashes and senders. */
export class EvmChain {
  head: number;
  /** Forks: from a block on another letter begins the hashes. */
  readonly #branches: { readonly from: number; readonly letter: string }[] = [{ from: 0, letter: 'a' }];

  constructor(head: number) {
    this.head = head;
  }

  /** Another branch takes the place of the blocks from one on. */
  fork(from: number, head: number): void {
    const letter = 'abcdef'[this.#branches.length % 6]!;
    while (this.#branches.length > 1 && this.#branches.at(-1)!.from >= from) this.#branches.pop();
    this.#branches.push({ from, letter: letter === this.#branches.at(-1)!.letter ? '9' : letter });
    this.head = head;
  }

  #hashOf(number: number): string {
    const { letter } = this.#branches.findLast(({ from }) => from <= number)!;
    return `0x${letter}${number.toString(16).padStart(62, '0')}0`;
  }

  /** How many swaps a block has. */
  static swapsIn(number: number): number {
    return number % 9 === 0 ? 4 : number % 3 === 0 ? 1 : 0;
  }

  /** Each swap behind its two transfers; in each fifth block the sender then gives a token away. */
  logsOf(number: number): ChainLog[] {
    const hash = this.#hashOf(number);
    const whole = 10n ** 18n;
    const logs: ChainLog[] = [];
    const add = (transaction: number, address: string, topics: readonly string[], ...data: readonly bigint[]): void =>
      void logs.push({
        ...{ address, topics, data: `0x${data.map(word).join('')}`, blockHash: hash, blockNumber: hex(number) },
        ...{ transactionHash: `${hash.slice(0, 65)}${transaction}`, transactionIndex: hex(transaction) },
        logIndex: hex(logs.length),
      });
    const move = (transaction: number, token: string, from: string, to: string, amount: bigint): void =>
      add(transaction, token, [TRANSFER, `0x${word(from)}`, `0x${word(to)}`], amount);
    const swaps = EvmChain.swapsIn(number);
    for (let i = 0; i < swaps; i++) {
      const out = BigInt(number + i) * whole;
      move(i, TOKEN0, SENDER, POOL, whole);
      move(i, TOKEN1, POOL, SENDER, out);
      add(i, POOL, [SWAP, `0x${word(SENDER)}`, `0x${word(SENDER)}`], whole, 0n, 0n, out);
    }
    if (number % 5 === 0) move(swaps, TOKEN1, SENDER, FRIEND, whole);
    return logs;
  }

  #block(number: number): object | null {
    if (number > this.head) return null;
    return {
      ...{ number: hex(number), hash: this.#hashOf(number), parentHash: this.#hashOf(number - 1) },
      ...{ timestamp: hex(START + number), transactions: [], logsBloom: this.#bloom(number) },
    };
  }

  #bloom(number: number): string {
    return `0x${bloomOf(this.logsOf(number)).toString(16).padStart(512, '0')}`;
  }

  #receipts(number: number): readonly { readonly transactionHash: string }[] {
    const logs = this.logsOf(number);
    return [...new Set(logs.map(({ transactionHash }) => transactionHash))].map((transactionHash, i) => ({
      ...{ transactionHash, blockHash: this.#hashOf(number), transactionIndex: hex(i), from: SENDER },
      ...{ gasUsed: '0x1', effectiveGasPrice: '0x1', logsBloom: this.#bloom(number) },
      logs: logs.filter((log) => log.transactionHash === transactionHash),
    }));
  }

  /** What a node without faults answers. */
  answer(method: string, params: readonly unknown[]): unknown {
    const numberOf = (hash: unknown): number | undefined => {
      const number = Number(`0x${String(hash).slice(3, 65)}`);
      return this.#hashOf(number) === hash && number <= this.head ? number : undefined;
    };
    switch (method) {
      case 'eth_chainId':
        return hex(1337);
      case 'eth_blockNumber':
        return hex(this.head);
      case 'eth_getBalance':
        return '0x0';
      case 'eth_getBlockByNumber':
        return this.#block(params[0] === 'latest' ? this.head : Number(params[0]));
      case 'eth_getBlockByHash': {
        const number = numberOf(params[0]);
        return number === undefined ? null : this.#block(number);
      }
      case 'eth_getLogs': {
        const { blockHash, fromBlock, toBlock, address, topics } = params[0] as LogsAsked;
        const of = blockHash === undefined ? undefined : numberOf(blockHash);
        if (blockHash !== undefined && of === undefined) throw new Error('unknown block');
        const logs: ChainLog[] = [];
        for (let n = of ?? Number(fromBlock); n <= Math.min(of ?? Number(toBlock), this.head); n++)
          logs.push(...this.logsOf(n));
        return logs.filter(
          (log) => (address?.includes(log.address) ?? true) && (topics?.[0]?.includes(log.topics[0]!) ?? true),
        );
      }
      case 'eth_getBlockReceipts':
        return Number(params[0]) > this.head ? null : this.#receipts(Number(params[0]));
      case 'eth_getTransactionReceipt': {
        const number = Number(`0x${String(params[0]).slice(3, 65)}`);
        return this.#receipts(number).find(({ transactionHash }) => transactionHash === params[0]) ?? null;
      }
      case 'eth_call': {
        const found = functions[(params[0] as { readonly data: string }).data.slice(0, 10)];
        return found === undefined ? '0x' : `0x${word(found)}`;
      }
      default:
        throw new Error(`The method ${method} is not found`);
    }
  }

  /** What a node with a fault answers. */
  faulty(fault: Fault, method: string, params: readonly unknown[]): unknown {
    const answer = fault({ method, params, usual: this.answer(method, params) });
    if (answer instanceof Error) throw answer;
    return answer;
  }
}

/** A node of a chain, at an address. */
export async function serveChain(chain: EvmChain, fault: Fault): Promise<{ readonly url: string; stop(): void }> {
  const server: Server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request));
    const answers = [asked].flat().map(({ id, method, params }) => {
      try {
        return { jsonrpc: '2.0', id, result: chain.faulty(fault, method, params) };
      } catch (error) {
        return { jsonrpc: '2.0', id, error: { code: -32000, message: (error as Error).message } };
      }
    });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(asked) ? answers : answers[0]));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
