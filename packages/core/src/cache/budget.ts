import { machineMemory } from '../memory-limit.ts';

/** The part of the memory that each thing may take, of 256. What runs needs memory of its own beside it. */
const parts = {
  profiles: 128,
  refresh: 48,
  texts: 24,
  state: 22,
  candles: 8,
  commits: 8,
  prices: 4,
  stats: 4,
  lists: 2,
  registered: 2,
  symbols: 3,
  native: 1,
  known: 1,
  labels: 1,
} as const;

/** Something that is kept, as it is named wherever it is spoken of. */
export type KeptName = keyof typeof parts;

/** Bytes that each thing may take. */
export type Budget = Readonly<Record<KeptName, number>>;

/** Divides the bytes that a process may keep of a store. Default: a quarter of the memory of the machine, or of its container. */
export function budgetOf(bytes = machineMemory() / 4): Budget {
  const budget = Object.entries(parts).map(([name, part]) => [name, (bytes * part) / 256]);
  return Object.fromEntries(budget) as Budget;
}
