import { InvalidArgumentError } from 'commander';

/** Reads a part of the wallets, `2/8`. */
export function parseShard(text: string): { readonly index: number; readonly of: number } {
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  const shard = { index: Number(index), of: Number(of) };
  if (!(shard.index >= 1 && shard.index <= shard.of))
    throw new InvalidArgumentError('Give a part and the number of parts, such as 2/8, counted from 1.');
  return shard;
}
