import type { Writer } from '../storage/adapter.ts';
import type { Remembered } from './remembered.ts';
import type { StoreSession } from './session.ts';
import type { WriteCall } from './write-call.ts';

/** A write of profiles: `fill` writes their rows, `change` says that they count. */
export interface AsideWrite<F, R> {
  readonly fill: (writer: Writer) => Promise<F>;
  readonly change: (writer: Writer, filled: F) => Promise<R>;
  readonly remember: (answer: R) => Partial<Remembered>;
}

/** As `StoreSession.write`. Other writes wait for `change` alone, if the engine has transactions beside each other. */
export async function writeAside<F, R>(
  session: StoreSession,
  call: WriteCall,
  { fill, change, remember }: AsideWrite<F, R>,
): Promise<R> {
  const { storage, shapes } = session;
  if (storage.writeAside === undefined)
    return session.write(call, async (writer) => change(writer, await fill(writer)), remember);
  const tables = Object.values(shapes).map(({ table }) => table);
  return storage.writeAside(tables, async (writer, end) => {
    const aside = session.cache.profiles.watchAside(writer);
    let filled: F;
    try {
      filled = await fill(aside.writer);
    } catch (error) {
      aside.fail();
      throw error;
    }
    return session.write({ ...call, storage: end, aside }, (own) => change(own, filled), remember);
  });
}
