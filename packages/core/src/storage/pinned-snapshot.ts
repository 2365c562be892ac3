import type { Reader } from './adapter.ts';

/** Takes a snapshot and gives reads of it. */
export type TakeSnapshot = (read: (reader: Reader) => Promise<void>) => Promise<void>;

/** A snapshot that lasts until it is given back. */
export interface PinnedSnapshot {
  readonly reader: Reader;
  end(): Promise<void>;
}

/** Takes a snapshot for longer than a function runs, such as for a generator; `close` of the store waits for its end. */
export function pinSnapshot(take: TakeSnapshot): Promise<PinnedSnapshot> {
  return new Promise((resolve, reject) => {
    let giveBack: () => void = () => undefined;
    const given = new Promise<void>((end) => {
      giveBack = end;
    });
    const held = take(async (reader) => {
      const end = (): Promise<void> => {
        giveBack();
        return held;
      };
      resolve({ reader, end });
      await given;
    });
    held.catch(reject);
  });
}
