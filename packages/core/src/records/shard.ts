import { SwapfoldError } from '../errors.ts';
import { show } from '../nearest.ts';
import { hash53 } from './hash.ts';

/** Shard `index`, from 1, of `of`: of the wallets that a store holds, or of the entities that a worker of a refresh folds. */
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

/**
 * Whether a key is of the shard, by its remainder.
 *
 * - `key`: a whole number from 0. A wallet's is the hash of its address (`walletKey`), the same in every store. Within one store it may be
 *   an id: ids are given in order of appearance, so the busy entities, which appear first, are spread over all shards.
 */
export function isInShard(key: number, { index, of }: Shard): boolean {
  return key % of === index - 1;
}

/** The key by which a store of one shard takes the swaps of a wallet. */
export function walletKey(address: string): number {
  return hash53(address);
}
