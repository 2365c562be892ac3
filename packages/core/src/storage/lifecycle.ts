import { AsyncLocalStorage } from 'node:async_hooks';
import { SwapfoldError } from '../errors.ts';
import type { ReadCost } from './adapter.ts';

/** What a snapshot reads through: taken before its function runs, given back after. */
export interface Snapshots<S> {
  /** `mayWait` is false for a snapshot inside a write: those it would wait for may be waiting for that write. */
  take(mayWait: boolean, use: ReadCost): Promise<S>;
  release(snapshot: S): Promise<void>;
}

/** Who may run when: what every adapter does alike around its reads and writes. */
export interface Lifecycle<S> {
  /** Runs beside all others. Inside a running read, `body` shares the snapshot of that read. */
  read<R>(body: (snapshot: S) => Promise<R>, use?: ReadCost): Promise<R>;
  /** Runs alone among the writes, in the order of the calls. */
  write<R>(body: () => Promise<R>): Promise<R>;
  /** Runs beside all others, without a snapshot. A write inside it waits for its turn. */
  beside<R>(body: () => Promise<R>): Promise<R>;
  /** Waits for what is running, then runs `finish`, once. */
  close(finish: () => Promise<void>): Promise<void>;
}

interface Call<S> {
  readonly kind: 'read' | 'write';
  readonly outer: Call<S> | undefined;
  readonly snapshot?: S;
  isRunning: boolean;
}

/** A lifecycle of one store; `engine` names it in messages. */
export function createLifecycle<S>(engine: string, snapshots: Snapshots<S>): Lifecycle<S> {
  const calls = new AsyncLocalStorage<Call<S>>();
  let entered = 0;
  const running = new Set<Promise<unknown>>();
  let lastWrite: Promise<unknown> = Promise.resolve();
  let closing: Promise<void> | undefined;

  function refuseWhenClosed(): void {
    if (closing) throw new SwapfoldError('closed', `The ${engine} store is closed; open it again to use it.`);
  }

  /** The call that this code runs inside of. Ended ones count no more, though their context may outlive them. */
  function enclosing(kind?: Call<S>['kind']): Call<S> | undefined {
    let call = calls.getStore();
    while (call && !(call.isRunning && (kind === undefined || call.kind === kind))) call = call.outer;
    return call;
  }

  async function enter<R>(call: Call<S>, body: () => Promise<R>): Promise<R> {
    entered++;
    try {
      return await calls.run(call, body);
    } finally {
      call.isRunning = false;
      // While it is in use every promise of the process costs more in Node before 24: a quarter of the rate of an HTTP server beside it.
      if (--entered === 0) calls.disable();
    }
  }

  async function track<R>(work: Promise<R>): Promise<R> {
    running.add(work);
    try {
      return await work;
    } finally {
      running.delete(work);
    }
  }

  async function readAnew<R>(body: (snapshot: S) => Promise<R>, use: ReadCost): Promise<R> {
    const outer = enclosing();
    const snapshot = await snapshots.take(!enclosing('write'), use);
    try {
      return await enter({ kind: 'read', outer, snapshot, isRunning: true }, () => body(snapshot));
    } finally {
      await snapshots.release(snapshot);
    }
  }

  return {
    async read(body, use = 'scan') {
      const outer = enclosing('read');
      if (outer) return body(outer.snapshot as S);
      refuseWhenClosed();
      return track(readAnew(body, use));
    },

    async write(body) {
      refuseWhenClosed();
      if (enclosing('write')) {
        throw new SwapfoldError(
          'nested-call',
          'write was called inside a running write, which it would wait for; call it when that one has ended.',
        );
      }
      const call: Call<S> = { kind: 'write', outer: enclosing(), isRunning: true };
      const turn = lastWrite.then(() => enter(call, body));
      lastWrite = turn.catch(() => undefined);
      return track(turn);
    },

    async beside(body) {
      refuseWhenClosed();
      return track(body());
    },

    async close(finish) {
      if (closing) return closing;
      if (enclosing()) {
        throw new SwapfoldError(
          'nested-call',
          'close was called inside a running snapshot or write, which it would wait for; call it when that one has ended.',
        );
      }
      closing = Promise.allSettled(running).then(finish);
      return closing;
    },
  };
}
