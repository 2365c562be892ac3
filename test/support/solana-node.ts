import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SolanaBlock, SolanaTransaction } from '@swapfold/solana';

/** A block of a stand-in chain. */
export interface StandInBlock extends SolanaBlock {
  readonly slot: number;
}

/** What a stand-in node does instead of an answer. */
export type Fault =
  | { readonly code: number; readonly message: string }
  | { readonly status: number; readonly retryAfter?: string }
  | { readonly body: string }
  | { readonly result: unknown }
  | 'hang up'
  | 'say nothing';

type Params = readonly [
  unknown,
  { readonly before?: string; readonly until?: string; readonly limit?: number; readonly transactionDetails?: string }?,
];

/** A node of a chain that a test makes, on loopback. */
export class StandInNode {
  readonly #server: Server;
  #blocks = new Map<number, StandInBlock>();
  /** Slots that it does not know yet, from here on. */
  height = Number.POSITIVE_INFINITY;
  /** The newest slot that is final. */
  finalized = Number.POSITIVE_INFINITY;
  /** Asked before each answer. */
  fault: (method: string, params: Params) => Fault | undefined = () => undefined;
  /** Signatures that it gives at once, although there are more. */
  mostSignatures = Number.POSITIVE_INFINITY;
  /** Data of accounts by address. */
  readonly accounts = new Map<string, Buffer>();
  /** How many calls of each method came. */
  readonly calls = new Map<string, number>();

  private constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
        this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
        const fault = this.fault(method, params ?? []);
        if (fault === 'say nothing') return;
        if (fault === 'hang up') request.socket.destroy();
        else if (fault !== undefined && 'status' in fault) {
          response.writeHead(fault.status, fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter });
          response.end('{}');
        } else if (fault !== undefined && 'body' in fault) response.end(fault.body);
        else {
          const answer = fault ?? this.#answer(method, params ?? []);
          const said = 'code' in answer ? { error: answer } : answer;
          response.end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
        }
      });
    });
  }

  static async start(blocks: readonly StandInBlock[]): Promise<StandInNode> {
    const node = new StandInNode();
    node.give(blocks);
    await new Promise<void>((resolve) => node.#server.listen(0, '127.0.0.1', resolve));
    // A test that fails does not stop it, and ends all the same.
    node.#server.unref();
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The chain from now on. */
  give(blocks: readonly StandInBlock[]): void {
    this.#blocks = new Map(blocks.map((block) => [block.slot, block]));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get newest(): number {
    return Math.min(this.height, Math.max(...this.#blocks.keys()));
  }

  #answer(method: string, [first, options]: Params): { result: unknown } | { code: number; message: string } {
    switch (method) {
      case 'getGenesisHash':
        return { result: 'a stand-in chain' };
      case 'getSlot': {
        const isFinal = (first as { readonly commitment?: string } | undefined)?.commitment === 'finalized';
        return { result: isFinal ? Math.min(this.newest, this.finalized) : this.newest };
      }
      case 'getBlock': {
        const slot = first as number;
        if (slot > this.newest) return { code: -32004, message: `Block not available for slot ${slot}` };
        const block = this.#blocks.get(slot);
        if (block === undefined)
          return {
            code: slot % 2 ? -32007 : -32009,
            message: `Slot ${slot} was skipped, or missing in long-term storage`,
          };
        const { slot: _, transactions, ...header } = block;
        if (options?.transactionDetails === 'signatures')
          return {
            result: { ...header, signatures: transactions.map(({ transaction }) => transaction.signatures[0]!) },
          };
        return { result: options?.transactionDetails === 'none' ? header : { ...header, transactions } };
      }
      case 'getTransaction':
        return { result: this.#found().find(({ transaction }) => transaction.signatures[0] === first) ?? null };
      case 'getSignatureStatuses': {
        const known = new Set(this.#found().map(({ transaction }) => transaction.signatures[0]));
        return { result: { value: (first as readonly string[]).map((one) => (known.has(one) ? {} : null)) } };
      }
      case 'getSignaturesForAddress':
        return { result: this.#signatures(first as string, options ?? {}) };
      case 'getMultipleAccounts': {
        const value = (first as readonly string[]).map((address) => {
          const data = this.accounts.get(address);
          return data === undefined ? null : { data: [data.toString('base64'), 'base64'] };
        });
        return { result: { value } };
      }
      default:
        return { code: -32601, message: 'Method not found' };
    }
  }

  /** All transactions, the newest first. */
  #found(): SolanaTransaction[] {
    return [...this.#blocks.values()]
      .filter(({ slot }) => slot <= this.newest)
      .flatMap(({ slot, blockTime, transactions }) => transactions.map((raw) => ({ ...raw, slot, blockTime })))
      .reverse();
  }

  #signatures(address: string, { before, until, limit = 1000 }: NonNullable<Params[1]>): unknown[] {
    const own = this.#found()
      .filter(({ transaction }) => transaction.message.accountKeys.includes(address))
      .map(({ transaction, meta, slot, blockTime }) => ({
        signature: transaction.signatures[0]!,
        ...{ slot, blockTime, err: meta?.err ?? null },
      }));
    const from = before === undefined ? 0 : own.findIndex(({ signature }) => signature === before) + 1;
    const end = until === undefined ? -1 : own.findIndex(({ signature }) => signature === until);
    return own.slice(from, end < 0 ? undefined : end).slice(0, Math.min(limit, this.mostSignatures));
  }
}
