import { fromBase58 } from './base58.ts';
import type { RawInstruction, RawTransaction } from './raw.ts';
import { isPlain } from './well-known.ts';

/** An instruction that ran: one of the message, or one that another called. */
export interface Step {
  readonly program: string;
  readonly accounts: readonly number[];
  readonly data: string;
  /** Index of the instruction of the message that it belongs to. */
  readonly outer: number;
  /** Index among those that were called below it; -1 of the instruction of the message itself. */
  readonly inner: number;
  /** 1 of an instruction of the message, one more for each call. */
  readonly height: number;
  /** Place in the list behind the last step that this one called. */
  end: number;
  /** Its data, once they are asked for: up to four times of one that moves tokens. */
  bytes: Buffer | undefined;
}

/** The addresses that the indexes of a transaction mean: its own, then those of lookup tables. */
export function keysOf({ transaction, meta }: RawTransaction): readonly string[] {
  const { accountKeys } = transaction.message;
  const loaded = meta?.loadedAddresses;
  if (loaded === undefined || loaded === null) return accountKeys;
  return [...accountKeys, ...loaded.writable, ...loaded.readonly];
}

/** All instructions of a transaction in the order in which they began. */
export function stepsOf({ transaction, meta }: RawTransaction, keys: readonly string[]): Step[] {
  const steps: Step[] = [];
  const open: Step[] = [];
  const add = (raw: RawInstruction, outer: number, inner: number): void => {
    const program = keys[raw.programIdIndex] ?? '';
    const height = inner < 0 ? 1 : (raw.stackHeight ?? heightOf(raw, program, open));
    while (open.length > 0 && open.at(-1)!.height >= height) open.pop()!.end = steps.length;
    const { accounts, data } = raw;
    const step: Step = { program, accounts, data, outer, inner, height, end: 0, bytes: undefined };
    open.push(step);
    steps.push(step);
  };
  const called = new Map(meta?.innerInstructions?.map(({ index, instructions }) => [index, instructions]));
  const { instructions } = transaction.message;
  for (let outer = 0; outer < instructions.length; outer++) {
    add(instructions[outer]!, outer, -1);
    const below = called.get(outer) ?? none;
    for (let inner = 0; inner < below.length; inner++) add(below[inner]!, outer, inner);
  }
  for (const step of open) step.end = steps.length;
  return steps;
}

/**
 * The height of a step of which the node did not record it: one more than that of the innermost running call that named all its accounts, as
 * each caller has to. A program calls itself only to log, with one account. If nobody named them, one of the chain's own programs belongs to the
 * last call of another.
 */
function heightOf({ accounts }: RawInstruction, program: string, open: readonly Step[]): number {
  for (let at = open.length - 1; at > 0; at--) {
    const caller = open[at]!;
    if (program === caller.program && accounts.length > 1) continue;
    if (accounts.every((account) => caller.accounts.includes(account))) return caller.height + 1;
  }
  const last = isPlain(program) ? open.findLast((caller) => !isPlain(caller.program)) : undefined;
  return (last?.height ?? 1) + 1;
}

const none: readonly RawInstruction[] = [];

/** The bytes of an instruction. */
export function dataOf(step: Step): Buffer {
  step.bytes ??= fromBase58(step.data);
  return step.bytes;
}
