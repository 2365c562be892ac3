import type { Accounts } from './accounts.ts';
import { toBase58, u32, u64 } from './base58.ts';
import { dataOf, type Step } from './steps.ts';
import { isTokenProgram, SOL, SYSTEM, TOKEN_2022 } from './well-known.ts';

/** Tokens or lamports that went from one account to another, or came into being, or went out of it. */
export interface Transfer {
  /** Place of its instruction among the steps. */
  readonly at: number;
  readonly kind: 'transfer' | 'mint' | 'burn';
  readonly mint: string;
  /** Owners of the accounts; `undefined` of what is made or destroyed. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Indexes of token accounts; `undefined` of lamports. */
  readonly source: number | undefined;
  readonly target: number | undefined;
  readonly sent: bigint;
  /** What arrived: less than was sent if the token withholds a fee. */
  arrived: bigint;
  /** Whether the instruction says what is withheld. */
  readonly saysFee: boolean;
}

/** What is read of the steps of a transaction. */
export interface Moved {
  readonly transfers: readonly Transfer[];
  /** Indexes of accounts of wrapped SOL that were opened, closed or brought level with their lamports. */
  readonly wrapped: ReadonlySet<number>;
}

/** A transfer of tokens, by the indexes of its accounts. */
interface TokenTransfer {
  readonly source: number;
  readonly target: number;
  readonly authority: number;
  /** If the instruction names it. */
  readonly mint: string | undefined;
  readonly sent: bigint;
  /** What is withheld, if the instruction says. */
  readonly fee: bigint | undefined;
}

/** Instructions of the token programs, by their first byte. */
const op = {
  initializeAccount: 1,
  transfer: 3,
  mintTo: 7,
  burn: 8,
  close: 9,
  transferChecked: 12,
  mintToChecked: 14,
  burnChecked: 15,
  initializeAccount2: 16,
  syncNative: 17,
  initializeAccount3: 18,
  transferFee: 26,
  unwrap: 45,
  batch: 255,
} as const;
/** Of the system program. */
const system = { assign: 1, transfer: 2, allocate: 8, transferWithSeed: 11 } as const;

/** Reads what moved, and learns the token accounts that were opened. */
export class TransferReader {
  readonly #keys: readonly string[];
  readonly #accounts: Accounts;
  readonly #transfers: Transfer[] = [];
  readonly #wrapped = new Set<number>();
  /** Who moved tokens of accounts whose owner nobody says, by address of the account. */
  readonly #movers = new Map<string, string>();
  /** Wrapped SOL in accounts of it, so far. */
  readonly #held = new Map<number, bigint>();

  constructor(keys: readonly string[], accounts: Accounts) {
    this.#keys = keys;
    this.#accounts = accounts;
    for (const [index, { mint, before }] of accounts.all()) if (mint === SOL) this.#held.set(index, before);
  }

  read(steps: readonly Step[]): Moved {
    for (let at = 0; at < steps.length; at++) {
      const step = steps[at]!;
      if (isTokenProgram(step.program)) this.#token(at, step, dataOf(step));
      else if (step.program === SYSTEM) this.#system(at, step, steps);
    }
    return { transfers: this.#withMovers(), wrapped: this.#wrapped };
  }

  /** A token account whose owner nobody says is of who moves its tokens. */
  #withMovers(): readonly Transfer[] {
    if (this.#movers.size === 0) return this.#transfers;
    const ownerOf = (name: string | undefined): string | undefined => this.#movers.get(name ?? '') ?? name;
    return this.#transfers.map((one) => ({ ...one, from: ownerOf(one.from), to: ownerOf(one.to) }));
  }

  #token(at: number, { program, accounts }: Pick<Step, 'program' | 'accounts'>, data: Uint8Array): void {
    const [a, b, c, d] = [accounts[0] ?? -1, accounts[1] ?? -1, accounts[2] ?? -1, accounts[3] ?? -1];
    switch (data[0]) {
      case op.transfer:
        this.#transfer(at, { source: a, mint: undefined, target: b, authority: c, sent: u64(data, 1), fee: undefined });
        break;
      case op.transferChecked: {
        const mint = this.#keys[b];
        this.#transfer(at, { source: a, mint, target: c, authority: d, sent: u64(data, 1), fee: undefined });
        break;
      }
      case op.transferFee: {
        const mint = this.#keys[b];
        // The first of the instructions that its second byte tells apart.
        if (data[1] === 1)
          this.#transfer(at, { source: a, mint, target: c, authority: d, sent: u64(data, 2), fee: u64(data, 11) });
        break;
      }
      case op.mintTo:
      case op.mintToChecked:
        this.#make(at, 'mint', { mint: this.#keys[a], account: b, amount: u64(data, 1) });
        break;
      case op.burn:
      case op.burnChecked:
        this.#make(at, 'burn', { mint: this.#keys[b], account: a, amount: u64(data, 1) });
        break;
      case op.close:
        this.#close(at, a, b);
        break;
      case op.syncNative:
        this.#wrapped.add(a);
        break;
      case op.initializeAccount:
        this.#open(program, accounts, () => this.#keys[c]);
        break;
      case op.initializeAccount2:
      case op.initializeAccount3:
        this.#open(program, accounts, () => toBase58(data.subarray(1, 33)));
        break;
      case op.unwrap:
        this.#unwrap(at, a, b, data[1] === 1 ? u64(data, 2) : undefined);
        break;
      case op.batch:
        this.#batch(at, { program, accounts }, data);
        break;
    }
  }

  /** Several instructions in one: of each how many accounts and how many bytes it has, then these bytes. */
  #batch(at: number, { program, accounts }: Pick<Step, 'program' | 'accounts'>, data: Uint8Array): void {
    let [byte, first] = [1, 0];
    while (byte + 1 < data.length) {
      const [count, length] = [data[byte]!, data[byte + 1]!];
      const part = data.subarray(byte + 2, byte + 2 + length);
      if (part[0] !== op.batch) this.#token(at, { program, accounts: accounts.slice(first, first + count) }, part);
      first += count;
      byte += 2 + length;
    }
  }

  /** Wrapped SOL that becomes lamports of another account; all of it, if the amount is not given. */
  #unwrap(at: number, account: number, target: number, amount: bigint | undefined): void {
    const known = this.#accounts.get(account);
    if (known === undefined) return;
    this.#wrapped.add(account);
    const taken = amount ?? this.#held.get(account) ?? 0n;
    this.#hold(account, -taken);
    const to = this.#accounts.get(target)?.owner ?? this.#keys[target];
    if (known.owner !== to && taken > 0n) this.#lamports(at, known.owner, to, taken);
  }

  #open(program: string, [index = -1, mint = -1]: readonly number[], ownerOf: () => string | undefined): void {
    const address = this.#keys[mint] ?? '';
    if (!this.#accounts.get(index)?.isReported)
      this.#accounts.open(index, { mint: address, owner: ownerOf(), mayWithhold: program === TOKEN_2022 });
    if (address !== SOL) return;
    this.#wrapped.add(index);
    if (!this.#held.has(index)) this.#held.set(index, 0n);
  }

  #transfer(at: number, { source, target, authority, mint: named, sent, fee }: TokenTransfer): void {
    const [from, to] = [this.#accounts.get(source), this.#accounts.get(target)];
    // Both accounts of a transfer are of one token.
    const mint = named ?? from?.mint ?? to?.mint;
    if (mint === undefined || sent === 0n) return;
    const [name, mover] = [this.#keys[source], this.#keys[authority]];
    if (from?.owner === undefined && name !== undefined && mover !== undefined) this.#movers.set(name, mover);
    if (mint === SOL) {
      this.#hold(source, -sent);
      this.#hold(target, sent);
    }
    this.#transfers.push({
      at,
      kind: 'transfer',
      mint,
      from: from?.owner ?? mover,
      to: to?.owner ?? this.#keys[target],
      source,
      target,
      sent,
      arrived: fee === undefined ? sent : sent - fee,
      saysFee: fee !== undefined,
    });
  }

  #make(
    at: number,
    kind: 'mint' | 'burn',
    { mint = '', account, amount }: { mint: string | undefined; account: number; amount: bigint },
  ): void {
    const owner = this.#accounts.get(account)?.owner ?? this.#keys[account];
    const isMade = kind === 'mint';
    this.#transfers.push({
      at,
      kind,
      mint,
      from: isMade ? undefined : owner,
      to: isMade ? owner : undefined,
      source: isMade ? undefined : account,
      target: isMade ? account : undefined,
      sent: amount,
      arrived: amount,
      saysFee: true,
    });
  }

  /** Wrapped SOL of an account that is closed goes to whoever gets its lamports. */
  #close(at: number, account: number, target: number): void {
    const known = this.#accounts.get(account);
    if (known?.mint !== SOL) return;
    this.#wrapped.add(account);
    const held = this.#held.get(account) ?? 0n;
    this.#held.set(account, 0n);
    const to = this.#accounts.get(target)?.owner ?? this.#keys[target];
    if (known.owner === undefined || known.owner === to || held <= 0n) return;
    this.#lamports(at, known.owner, to, held);
  }

  #system(at: number, step: Step, steps: readonly Step[]): void {
    const data = dataOf(step);
    const kind = u32(data, 0);
    if (kind !== system.transfer && kind !== system.transferWithSeed) return;
    const from = step.accounts[0] ?? -1;
    const to = step.accounts[kind === system.transfer ? 1 : 2] ?? -1;
    const amount = u64(data, 4);
    if (amount === 0n || isRent(steps, at, to)) return;
    if (this.#accounts.get(to)?.mint === SOL) this.#hold(to, amount);
    this.#lamports(at, this.#keys[from], this.#accounts.get(to)?.owner ?? this.#keys[to], amount);
  }

  #lamports(at: number, from: string | undefined, to: string | undefined, amount: bigint): void {
    this.#transfers.push({
      at,
      kind: 'transfer',
      mint: SOL,
      from,
      to,
      source: undefined,
      target: undefined,
      sent: amount,
      arrived: amount,
      saysFee: true,
    });
  }

  #hold(account: number, amount: bigint): void {
    const held = this.#held.get(account);
    if (held !== undefined) this.#held.set(account, held + amount);
  }
}

/** Whether a transfer of lamports pays for the room of an account that is made right after it. */
function isRent(steps: readonly Step[], at: number, to: number): boolean {
  const next = steps[at + 1];
  if (next?.program !== SYSTEM || next.accounts[0] !== to) return false;
  const kind = u32(dataOf(next), 0);
  return kind === system.allocate || kind === system.assign;
}

/** The transfers of the steps from one on to before another: they stand in the order of their steps. */
export function transfersIn(transfers: readonly Transfer[], from: number, to: number): readonly Transfer[] {
  const placeOf = (step: number): number => countBefore(step, transfers.length, (i) => transfers[i]!.at);
  const [begin, end] = [placeOf(from), placeOf(to)];
  return begin === end ? none : transfers.slice(begin, end);
}

const none: readonly Transfer[] = [];

/** How many of some things, which stand in the order of their places, have a place before another. */
export function countBefore(place: number, count: number, placeAt: (i: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeAt(middle) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
