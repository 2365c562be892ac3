import { createHash } from 'node:crypto';
import type { RawInstruction, SolanaTransaction } from '../../src/raw.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Bytes in base 58, by long division: another way than the package's. */
export function base58(bytes: Uint8Array): string {
  let rest = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + text;
}

/** An address for a name: the same for the same name. */
export const key = (name: string): string => base58(createHash('sha256').update(name).digest());

/** The first 8 bytes of an Anchor instruction, in hexadecimal digits. */
export const anchor = (name: string): string =>
  createHash('sha256').update(`global:${name}`).digest('hex').slice(0, 16);

export const SOL = 'So11111111111111111111111111111111111111112';
export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
const SYSTEM = '11111111111111111111111111111111';
/** Lamports that a token account holds to stay. */
export const RENT = 2_039_280;

/** Four and eight bytes of a number, the least first, in hexadecimal digits. */
export const u32 = (value: number): string => bytesOf(BigInt(value), 4);
export const u64 = (value: bigint | number): string => bytesOf(BigInt(value), 8);
const bytesOf = (value: bigint, length: number): string =>
  Buffer.from(Array.from({ length }, (_, i) => Number((value >> BigInt(8 * i)) & 255n))).toString('hex');

/** A call of a program, with those that it makes, and what it does to balances when its turn comes. */
export interface Call {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: string;
  readonly calls?: readonly Call[];
  readonly apply?: (ledger: Ledger) => void;
}

interface TokenState {
  readonly mint: string;
  readonly owner: string;
  readonly is2022: boolean;
  amount: bigint;
}

/** What accounts hold, step by step. */
class Ledger {
  readonly lamports = new Map<string, bigint>();
  readonly tokens = new Map<string, TokenState>();

  pay(from: string, to: string, amount: bigint): void {
    this.lamports.set(from, (this.lamports.get(from) ?? 0n) - amount);
    this.lamports.set(to, (this.lamports.get(to) ?? 0n) + amount);
  }

  move(from: string, to: string, sent: bigint, fee = 0n): void {
    const [source, target] = [this.tokens.get(from)!, this.tokens.get(to)!];
    source.amount -= sent;
    target.amount += sent - fee;
    if (source.mint === SOL) this.pay(from, to, sent);
  }
}

const of = (program: string, accounts: readonly string[], data: string, apply: Call['apply']): Call => ({
  program,
  accounts,
  data,
  ...(apply && { apply }),
});

/** `Transfer` of the token program. */
export const transfer = (from: string, to: string, authority: string, amount: bigint): Call =>
  of(TOKEN, [from, to, authority], `03${u64(amount)}`, (ledger) => ledger.move(from, to, amount));

/** `TransferChecked`; of Token-2022 with a fee that the program withholds and the instruction does not tell. */
export const checked = (from: string, mint: string, to: string, authority: string, amount: bigint, fee = 0n): Call =>
  of(fee > 0n ? TOKEN_2022 : TOKEN, [from, mint, to, authority], `0c${u64(amount)}06`, (ledger) =>
    ledger.move(from, to, amount, fee),
  );

/** `TransferCheckedWithFee` of Token-2022. */
export const withFee = (from: string, mint: string, to: string, authority: string, amount: bigint, fee: bigint): Call =>
  of(TOKEN_2022, [from, mint, to, authority], `1a01${u64(amount)}06${u64(fee)}`, (ledger) =>
    ledger.move(from, to, amount, fee),
  );

export const mintTo = (mint: string, to: string, authority: string, amount: bigint): Call =>
  of(TOKEN, [mint, to, authority], `07${u64(amount)}`, (ledger) => {
    ledger.tokens.get(to)!.amount += amount;
  });

export const burn = (from: string, mint: string, authority: string, amount: bigint): Call =>
  of(TOKEN, [from, mint, authority], `08${u64(amount)}`, (ledger) => {
    ledger.tokens.get(from)!.amount -= amount;
  });

/** `Transfer` of the system program. */
export const lamports = (from: string, to: string, amount: bigint): Call =>
  of(SYSTEM, [from, to], `02000000${u64(amount)}`, (ledger) => ledger.pay(from, to, amount));

/** Opens an account of wrapped SOL: `CreateAccount` and `InitializeAccount3`. */
export function openWrapped(account: string, owner: string): Call[] {
  const created = of(SYSTEM, [owner, account], `00000000${u64(RENT)}${u64(165)}${'00'.repeat(32)}`, (ledger) => {
    ledger.pay(owner, account, BigInt(RENT));
    ledger.tokens.set(account, { mint: SOL, owner, is2022: false, amount: 0n });
  });
  return [created, of(TOKEN, [account, SOL], `12${bytes(owner)}`, undefined)];
}

/** `SyncNative`: what its lamports are above the rent becomes wrapped SOL. */
export const sync = (account: string): Call =>
  of(TOKEN, [account], '11', (ledger) => {
    ledger.tokens.get(account)!.amount = ledger.lamports.get(account)! - BigInt(RENT);
  });

/** `CloseAccount`: all its lamports go to another account. */
export const close = (account: string, to: string, owner: string): Call =>
  of(TOKEN, [account, to, owner], '09', (ledger) => {
    ledger.pay(account, to, ledger.lamports.get(account) ?? 0n);
    ledger.tokens.delete(account);
  });

/** A program of one's own that moves lamports by itself, as no instruction shows. */
export const paysByItself = (call: Call, from: string, to: string, amount: bigint): Call => ({
  ...call,
  apply: (ledger) => ledger.pay(from, to, amount),
});

/** A program that is called, and what it calls. */
export const call = (program: string, accounts: readonly string[], data: string, ...calls: readonly Call[]): Call => ({
  program,
  accounts,
  data,
  calls,
});

/** The 32 bytes of an address in hexadecimal digits. */
export function bytes(address: string): string {
  let value = 0n;
  for (const letter of address) value = value * 58n + BigInt(ALPHABET.indexOf(letter));
  return value.toString(16).padStart(64, '0');
}

/** What a transaction is made of. */
export interface Made {
  readonly signers: readonly string[];
  /** Token accounts before it. */
  readonly tokens: readonly { address: string; mint: string; owner: string; amount: bigint; is2022?: boolean }[];
  readonly calls: readonly Call[];
  readonly decimals?: Readonly<Record<string, number>>;
  readonly fee?: number;
  readonly err?: unknown;
  readonly slot?: number;
  readonly signature?: string;
  /** Accounts that stand in a lookup table. */
  readonly looked?: readonly string[];
}

/** A transaction as a node answers it, with the balances that its calls come to. */
export function transactionOf(made: Made): SolanaTransaction {
  const { signers, tokens, calls, decimals = {}, fee = 5000, err = null, slot = 300_000_000, looked = [] } = made;
  const ledger = new Ledger();
  for (const signer of signers) ledger.lamports.set(signer, 10_000_000_000n);
  for (const { address, mint, owner, amount, is2022 = false } of tokens) {
    ledger.tokens.set(address, { mint, owner, is2022, amount });
    ledger.lamports.set(address, BigInt(RENT) + (mint === SOL ? amount : 0n));
  }
  const named = new Set([...signers, ...tokens.map(({ address }) => address)]);
  const visit = (one: Call): void => {
    for (const name of [...one.accounts, one.program]) named.add(name);
    for (const inner of one.calls ?? []) visit(inner);
  };
  calls.forEach(visit);
  const own = [...named].filter((name) => !looked.includes(name));
  const keys = [...own, ...looked];
  const balances = () =>
    keys.flatMap((name, accountIndex) => {
      const state = ledger.tokens.get(name);
      if (state === undefined) return [];
      const { mint, owner, amount, is2022 } = state;
      const uiTokenAmount = { amount: String(amount), decimals: decimals[mint] ?? (mint === SOL ? 9 : 6) };
      return [{ accountIndex, mint, owner, programId: is2022 ? TOKEN_2022 : TOKEN, uiTokenAmount }];
    });
  const held = () => keys.map((name) => Number(ledger.lamports.get(name) ?? 0n));
  const [preTokenBalances, preBalances] = [balances(), held()];
  const raw = ({ program, accounts, data }: Call, stackHeight: number): RawInstruction => ({
    programIdIndex: keys.indexOf(program),
    accounts: accounts.map((name) => keys.indexOf(name)),
    data: base58(Buffer.from(data, 'hex')),
    stackHeight,
  });
  const innerInstructions: { index: number; instructions: RawInstruction[] }[] = [];
  for (const [index, outer] of calls.entries()) {
    const instructions: RawInstruction[] = [];
    const run = (one: Call, height: number): void => {
      if (height > 1) instructions.push(raw(one, height));
      one.apply?.(ledger);
      for (const inner of one.calls ?? []) run(inner, height + 1);
    };
    run(outer, 1);
    if (instructions.length > 0) innerInstructions.push({ index, instructions });
  }
  ledger.lamports.set(signers[0]!, ledger.lamports.get(signers[0]!)! - BigInt(fee));
  return {
    slot,
    blockTime: 1_730_000_000,
    transaction: {
      signatures: [
        made.signature ??
          base58(
            createHash('sha512')
              .update(JSON.stringify([signers, calls.length, slot]))
              .digest(),
          ),
      ],
      message: {
        accountKeys: own,
        header: { numRequiredSignatures: signers.length },
        instructions: calls.map((one) => raw(one, 1)),
      },
    },
    meta: {
      err,
      fee,
      preBalances,
      postBalances: held(),
      preTokenBalances,
      postTokenBalances: balances(),
      innerInstructions,
      loadedAddresses: { writable: looked, readonly: [] },
    },
  };
}
