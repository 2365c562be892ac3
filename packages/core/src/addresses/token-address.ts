import { type AddressFormat, normalAddress } from './address.ts';

/** What decides which address a token has: the format of addresses, and the aliases of quote tokens. */
export interface TokenNames {
  readonly address_format: AddressFormat;
  readonly quote_tokens: readonly { readonly address: string; readonly aliases?: readonly string[] | undefined }[];
}

/** The address of a quote token by each of its aliases. */
export function aliasesOf({ quote_tokens }: TokenNames): ReadonlyMap<string, string> {
  return new Map(
    quote_tokens.flatMap(({ address, aliases = [] }) => aliases.map((alias) => [alias, address] as const)),
  );
}

/** The address of a token as it is stored and compared, for an alias that of its quote token; `undefined` where a text is none. */
export function tokenAddress(names: TokenNames): (text: string) => string | undefined {
  const aliases = aliasesOf(names);
  return (text) => {
    const normal = normalAddress(text, names.address_format);
    return normal === undefined ? undefined : (aliases.get(normal) ?? normal);
  };
}

/**
 * Whether a swap of one given address for another is of a token for itself, such as the native token for its wrapped form: an alias is
 * one of the two. The same address twice is none, unless it is an alias.
 */
export function wrapping(names: TokenNames): (given: string, received: string) => boolean {
  const aliases = aliasesOf(names);
  const addressOf = tokenAddress(names);
  const isAlias = (text: string): boolean => aliases.has(normalAddress(text, names.address_format) ?? '');
  return (given, received) => addressOf(given) === addressOf(received) && (isAlias(given) || isAlias(received));
}
