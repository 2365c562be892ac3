import type { TokenInput } from '@swapfold/core';
import { fromBase58, u32 } from './base58.ts';
import type { NodeBlocks } from './node-blocks.ts';
import { programAddress } from './program-address.ts';
import type { SwapRow } from './rows.ts';

/** Accounts that one call asks for. */
const AT_ONCE = 100;
/** Tokens that are remembered as asked for. */
const MOST = 500_000;
const METAPLEX = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';
/** Where the extensions of a Token-2022 mint begin, and which of them holds its name. */
const EXTENSIONS = 166;
const TOKEN_METADATA = 19;
/** Most characters of a name and a symbol that the registry takes. */
const LONGEST = 256;

interface Named {
  readonly name: string;
  readonly symbol: string;
}

/** Names and symbols of tokens, each asked for once: of the mint itself, else of its Metaplex account. */
export class Metadata {
  readonly #blocks: NodeBlocks;
  readonly #asked = new Set<string>();

  constructor(blocks: NodeBlocks) {
    this.#blocks = blocks;
  }

  /** Registry rows of tokens that rows name and that were not asked for yet. */
  async of(rows: readonly SwapRow[]): Promise<TokenInput[]> {
    const fresh = [...new Set(rows.flatMap((row) => [row.token_in, row.token_out]))].filter(
      (mint) => !this.#asked.has(mint),
    );
    const found: TokenInput[] = [];
    for (let at = 0; at < fresh.length; at += AT_ONCE) found.push(...(await this.#ask(fresh.slice(at, at + AT_ONCE))));
    if (this.#asked.size + fresh.length > MOST) this.#asked.clear();
    for (const mint of fresh) this.#asked.add(mint);
    return found;
  }

  async #ask(mints: readonly string[]): Promise<TokenInput[]> {
    const named = new Map<string, Named>();
    const note = (mint: string, of: Named | undefined): void => {
      if (of !== undefined && (of.name !== '' || of.symbol !== '')) named.set(mint, of);
    };
    for (const [i, data] of (await this.#blocks.accounts(mints)).entries()) note(mints[i]!, data && ofMint(data));
    const others = mints.filter((mint) => !named.has(mint));
    const accounts = others.length === 0 ? [] : await this.#blocks.accounts(others.map(metaplexAccount));
    for (const [i, data] of accounts.entries()) note(others[i]!, data && ofMetaplex(data));
    return [...named].map(([address, { name, symbol }]) => ({
      address,
      ...(name !== '' && { name }),
      ...(symbol !== '' && { symbol }),
    }));
  }
}

/** The address of the account that holds the name of a token. */
export function metaplexAccount(mint: string): string {
  return programAddress([Buffer.from('metadata'), fromBase58(METAPLEX), fromBase58(mint)], METAPLEX);
}

/** The name in a Token-2022 mint: extensions, each with its kind and length before it. */
export function ofMint(data: Buffer): Named | undefined {
  for (let at = EXTENSIONS; at + 4 <= data.length; at += 4 + data.readUInt16LE(at + 2)) {
    if (data.readUInt16LE(at) !== TOKEN_METADATA) continue;
    // Behind who may update it and the mint.
    const end = Math.min(data.length, at + 4 + data.readUInt16LE(at + 2));
    return namesAt(data.subarray(0, end), at + 4 + 64);
  }
  return undefined;
}

/** The name in a Metaplex account: behind its kind, who may update it, and the mint. */
export const ofMetaplex = (data: Buffer): Named | undefined => namesAt(data, 65);

function namesAt(data: Buffer, at: number): Named | undefined {
  const name = textAt(data, at);
  const symbol = name === undefined ? undefined : textAt(data, at + 4 + u32(data, at));
  return name === undefined || symbol === undefined ? undefined : { name, symbol };
}

/** A text behind its length; accounts of Metaplex fill it up with zeros. */
function textAt(data: Buffer, at: number): string | undefined {
  const length = u32(data, at);
  if (at + 4 + length > data.length) return undefined;
  const text = data
    .toString('utf8', at + 4, at + 4 + length)
    .replaceAll('\0', '')
    .trim();
  return text.slice(0, LONGEST);
}
