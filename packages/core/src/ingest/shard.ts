import { SwapfoldError } from '../errors.ts';
import { show } from '../nearest.ts';
import { hash53 } from '../records/hash.ts';

/** Which shard of the wallets a store holds: shard `index`, from 1, of `of`. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The most shards that swaps may be split into. */
const MOST = 4096;

/** A shard as it stands in settings and on the command line: `2/8`. */
export function showShard({ index, of }: Shard): string {
  return `${index}/${of}`;
}

/** Errors: `invalid-config` for what is no shard, such as 9 of 8. */
export function validShard(shard: Shard): Shard {
  const { index, of } = shard;
  const isWhole = Number.isInteger(index) && Number.isInteger(of);
  if (!(isWhole && of >= 1 && of <= MOST && index >= 1 && index <= of)) {
    throw new SwapfoldError(
      'invalid-config',
      `"shard" must be a part from 1 of 1 to ${MOST} of ${MOST}, such as { index: 2, of: 8 }, not ${show(shard)}.`,
      { details: [{ path: 'shard', message: 'no part' }] },
    );
  }
  return shard;
}

/** The shard, from 1, that a wallet belongs to: a function of its address alone. */
export function shardOf(wallet: string, of: number): number {
  return (hash53(wallet) % of) + 1;
}
