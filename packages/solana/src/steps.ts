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
  const add = (raw: RawInstruction, outer: number, inner: number, height: number): void => {
    const program = keys[raw.programIdIndex] ?? '';
    steps.push({ program, accounts: raw.accounts, data: raw.data, outer, inner, height, end: 0 });
  };
  for (const [outer, raw] of transaction.message.instructions.entries()) {
    add(raw, outer, -1, 1);
    const called = meta?.innerInstructions?.find(({ index }) => index === outer)?.instructions ?? [];
    let hasCaller = false;
    for (const [inner, one] of called.entries()) {
      const isCaller = !isPlain(keys[one.programIdIndex] ?? '');
      hasCaller ||= isCaller;
      // Nodes did not always record the height: then the plain ones belong to the last that is not.
      add(one, outer, inner, one.stackHeight ?? (isCaller || !hasCaller ? 2 : 3));
    }
  }
  setEnds(steps);
  return steps;
}

function setEnds(steps: Step[]): void {
  const open: Step[] = [];
  for (const [at, step] of steps.entries()) {
    while (open.length > 0 && open.at(-1)!.height >= step.height) open.pop()!.end = at;
    open.push(step);
  }
  for (const step of open) step.end = steps.length;
}

/** The bytes of an instruction. */
export const dataOf = (step: Step): Uint8Array => fromBase58(step.data);
