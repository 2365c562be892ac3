import type { IncomingMessage } from 'node:http';
import { SwapfoldError } from '@swapfold/core';
import { show } from '@swapfold/core/host';

/** Names and addresses by which a machine calls itself. */
const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[?::1\]?|(\[?::ffff:)127(\.\d{1,3}){3}\]?)$/i;

/** Errors: `invalid-config` for what is no name of a host. */
export function checkHosts(hosts: readonly string[]): void {
  for (const [i, host] of hosts.entries()) {
    if (typeof host === 'string' && nameOf(host) === host.toLowerCase() && !host.includes('*')) continue;
    const message = `expected the name of a host such as "dex.internal", received ${show(host)}`;
    throw new SwapfoldError('invalid-config', `"hosts.${i}": ${message}.`, {
      details: [{ path: `hosts.${i}`, message }],
    });
  }
}

/**
 * Refuses what the page of another site asks of a server without keys on a loopback address: its name may lead to 127.0.0.1 by the time that
 * the browser asks again (DNS rebinding), which makes it a page of this host. There, only loopback names and those of `hosts` count in
 * `Host` and `Origin`, and the origins of `cors`.
 *
 * - Errors: `forbidden`.
 */
export function checkHost(
  { headers, socket }: IncomingMessage,
  { hosts, cors }: { readonly hosts: readonly string[]; readonly cors: readonly string[] },
): void {
  if (!loopback.test(socket.localAddress ?? '')) return;
  const { host, origin } = headers;
  const counts = (name: string | undefined): boolean =>
    name !== undefined && (loopback.test(name) || hosts.some((known) => known.toLowerCase() === name));
  if (host !== undefined && !counts(nameOf(host))) throw refused('Host', host);
  if (origin === undefined || cors.includes(origin) || cors.includes('*')) return;
  const isName = URL.canParse(origin);
  if (!isName || !counts(nameOf(new URL(origin).host))) throw refused('Origin', origin);
}

/** The name without the port, as browsers write it; `undefined` for what is none. */
function nameOf(host: string): string | undefined {
  const url = `http://${host}`;
  return URL.canParse(url) && !/[/?#@\s]/.test(host) ? new URL(url).hostname : undefined;
}

function refused(header: string, value: string): SwapfoldError {
  return new SwapfoldError(
    'forbidden',
    `This server asks for no key and is reached on a loopback address, where ${header} ${show(value)} does not count; use localhost, or the operator lists the name in "hosts".`,
  );
}
