import { readdirSync, readFileSync } from 'node:fs';
import { yardstick } from './yardstick.ts';

/** How busy others kept the machine while a part ran, and how fast it was after it. */
export interface Watched {
  /** The engine and the part; `start` before the first. */
  readonly part: string;
  /**
   * What programs that are not of this run took of the processors meanwhile, with what the host gave to other guests: a part of all
   * cores, 0 to 1. `null` where the system does not tell it.
   */
  readonly others: number | null;
  /** Milliseconds of a loop that is always the same. */
  readonly yardstick: number;
}

/** A twentieth of two cores is a tenth of the one that counts. */
const MOST_OTHERS = 0.05;

/** How much slower the machine may become: the same loop varies by a tenth on a machine that rests. */
const MOST_SLOWER = 1.3;

/** Why a run is no measure of Swapfold: what disturbed the machine, a sentence each. Empty where nothing did. */
export function disturbances(watched: readonly Watched[]): readonly string[] {
  const fastest = Math.min(...watched.map(({ yardstick }) => yardstick));
  return watched.flatMap(({ part, others, yardstick }) => {
    const slower = yardstick / fastest;
    return [
      ...(others !== null && others > MOST_OTHERS
        ? [`${part}: others took ${(others * 100).toFixed(0)} % of the processors`]
        : []),
      ...(slower > MOST_SLOWER
        ? [`${part}: the machine was ${slower.toFixed(2)} times slower than at its fastest`]
        : []),
    ];
  });
}

/** Watches the machine from part to part of a run. */
export class Watch {
  readonly #watched: Watched[] = [];
  #before: Used | undefined;

  get watched(): readonly Watched[] {
    return this.#watched;
  }

  /** Notes how the machine was since the last note. The loop itself counts for the part that follows, as our own. */
  note(part: string): void {
    const now = used();
    const others = this.#before === undefined || now === undefined ? null : othersBetween(this.#before, now);
    this.#before = now;
    this.#watched.push({ part, others, yardstick: yardstick().median });
  }
}

/** Processor time since the machine started, and since this run did, in ticks of the system. */
export interface Used {
  /** Of all processors, whether busy or not. */
  readonly all: number;
  /** Busy, with what the host took away. */
  readonly busy: number;
  /** Of this process and those that it started. */
  readonly own: number;
}

export function othersBetween(before: Used, after: Used): number {
  const passed = after.all - before.all;
  const others = after.busy - before.busy - (after.own - before.own);
  return passed <= 0 ? 0 : Math.max(0, others) / passed;
}

function used(): Used | undefined {
  try {
    return { ...usedByAll(readFileSync('/proc/stat', 'utf8')), own: usedByTree(process.pid) };
  } catch {
    return undefined;
  }
}

/** The first line of Linux's /proc/stat: user, nice, system, idle, waiting for a disk, interrupts twice, stolen by the host. */
export function usedByAll(text: string): Pick<Used, 'all' | 'busy'> {
  const times = text.split('\n', 1)[0]!.trim().split(/\s+/).slice(1, 9).map(Number);
  const all = times.reduce((sum, time) => sum + time, 0);
  return { all, busy: all - times[3]! - times[4]! };
}

/** A process, and those below it: what they take, with that of children which have ended. */
function usedByTree(root: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        return [{ id: Number(name), ...usedByOne(readFileSync(`/proc/${name}/stat`, 'utf8')) }];
      } catch {
        // It has ended since.
        return [];
      }
    });
  const ticksBelow = (id: number): number =>
    processes.filter(({ parent }) => parent === id).reduce((sum, child) => sum + child.ticks + ticksBelow(child.id), 0);
  return processes.find(({ id }) => id === root)!.ticks + ticksBelow(root);
}

/** Of a process as /proc/ID/stat tells it: its parent; its time as a user and within the system, and that of ended children. */
export function usedByOne(text: string): { readonly parent: number; readonly ticks: number } {
  // The second field is a name in brackets, which may hold anything.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ticks };
}
