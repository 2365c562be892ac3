import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { SwapfoldError } from '@swapfold/core';
import { show } from '@swapfold/core/host';

/** The header in which a proxy says whom it asks for. */
export const proxyHeaders = ['x-forwarded-for', 'forwarded'] as const;
/** A header of `proxyHeaders`. */
export type ProxyHeader = (typeof proxyHeaders)[number];

export interface ProxyOptions {
  readonly trustProxy?: number | readonly string[] | undefined;
  readonly proxyHeader?: ProxyHeader | undefined;
}

/** The address of the caller; empty if it is not known. */
export type AddressOf = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Reads the address of a caller. Without trusted proxies it is that of the connection.
 *
 * Each proxy adds the address that asked it at the end of the header. From that end on, addresses count as long as the one that gave them is a
 * trusted proxy; the first that is none is the caller, because anything before it may be made up. What is no address ends the walk, too.
 *
 * - Errors: `invalid-config`.
 */
export function addressReader({ trustProxy, proxyHeader = 'x-forwarded-for' }: ProxyOptions): AddressOf {
  if (!proxyHeaders.includes(proxyHeader))
    throw invalid('proxyHeader', `expected ${proxyHeaders.join(' or ')}, received ${show(proxyHeader)}`);
  if (trustProxy === undefined) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = trustOf(trustProxy);
  return ({ headers, socket }) => {
    const given = [headers[proxyHeader] ?? []].flat().join(',').split(',').reverse();
    let address = plain(socket.remoteAddress ?? '');
    for (const [proxies, element] of given.entries()) {
      if (!isTrusted(address, proxies)) return address;
      const before = addressIn(proxyHeader === 'forwarded' ? forOf(element) : element);
      if (before === undefined) return address;
      address = before;
    }
    return address;
  };
}

/** Whether a proxy is believed, by its address and by how many stand behind it. */
function trustOf(trusted: number | readonly string[]): (address: string, proxies: number) => boolean {
  if (typeof trusted === 'number') {
    if (!Number.isSafeInteger(trusted) || trusted < 1)
      throw invalid(
        'trustProxy',
        `expected how many proxies there are, from 1, or a list of addresses, received ${show(trusted)}`,
      );
    return (_, proxies) => proxies < trusted;
  }
  if (!Array.isArray(trusted))
    throw invalid('trustProxy', `expected a number of proxies or a list of addresses, received ${show(trusted)}`);
  const list = new BlockList();
  for (const [i, subnet] of trusted.entries()) addTo(list, subnet, `trustProxy.${i}`);
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

function addTo(list: BlockList, subnet: unknown, path: string): void {
  const [address = '', bits, ...rest] = typeof subnet === 'string' ? subnet.split('/') : [];
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  if (most < 0 || address.includes('%') || !isPrefix || rest.length > 0)
    throw invalid(path, `expected an address or a subnet such as "10.0.0.0/8", received ${show(subnet)}`);
  list.addSubnet(address, bits === undefined ? most : Number(bits), familyOf(address));
}

/** What an element of `Forwarded` (RFC 7239) has as `for`. Commas in quotes are not looked for: what stands before the last proxy's element may be made up. */
function forOf(element: string): string {
  const [, quoted, bare] = /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^;\s"]*))/i.exec(element) ?? [];
  return quoted ?? bare ?? '';
}

/** The address of what may have a port behind it, and brackets around it; `undefined` for names such as `unknown` and `_proxy`. */
function addressIn(node: string): string | undefined {
  const text = node.trim();
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? [];
  const address = inBrackets ?? beforePort ?? text;
  return isIP(address) === 0 ? undefined : plain(address);
}

/** An IPv4 address within IPv6 as the IPv4 address that it is. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function invalid(path: string, message: string): SwapfoldError {
  return new SwapfoldError('invalid-config', `"${path}": ${message}.`, { details: [{ path, message }] });
}
