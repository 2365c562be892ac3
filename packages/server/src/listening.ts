import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SwapfoldError } from '@swapfold/core';

/** Where to listen, and how many connections may wait to be taken: what the system turns away comes back after seconds. */
interface Address {
  readonly host: string;
  readonly port: number;
  readonly backlog?: number | undefined;
}

/** Errors: `invalid-config`, for an address that cannot be listened on. */
export async function listen(server: Server, { host, port, backlog }: Address): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'the port is in use' : cause.message;
      reject(new SwapfoldError('invalid-config', `Cannot listen on ${host}, port ${port}: ${reason}.`, { cause }));
    });
    server.listen(backlog === undefined ? { port, host } : { port, host, backlog }, resolve);
  });
}

/** Takes no more connections and waits for those that are open, `patience` seconds; then they are cut. */
export async function closeServer(server: Server, patience: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), patience * 1000);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(timer);
}

/** Where a server listens. */
export function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
}
