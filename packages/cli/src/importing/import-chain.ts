import { type FollowResult, type Source, type Swapfold, SwapfoldError } from '@swapfold/core';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { watchInterruption } from '../interruption.ts';
import { note, print } from '../output.ts';
import { createProgress } from '../progress/create-progress.ts';
import { refreshAloud } from '../refreshing.ts';
import { undecodedLine } from '../sources/evm.ts';
import { formatCount, formatElapsed } from '../text/numbers.ts';

/** Stores what a source of a chain gives until it ends, says what became of it, and refreshes the profiles. */
export async function importChain(
  dex: Swapfold,
  source: Source,
  options: { readonly refresh: boolean },
): Promise<ExitCode> {
  const stopping = new AbortController();
  const interruption = watchInterruption(() => {
    note('\nStopping ...');
    stopping.abort();
  });
  const progress = createProgress();
  progress.begin('blocks', 'swaps');
  const begun = performance.now();
  let result: FollowResult | undefined;
  try {
    result = await dex.follow(source, {
      signal: stopping.signal,
      onItem: (sofar) => {
        result = sofar;
        progress.advance(0, sofar.added + sofar.duplicate);
      },
    });
  } catch (error) {
    if (!(error instanceof SwapfoldError && error.code === 'aborted')) throw error;
  } finally {
    interruption.dispose();
    progress.end();
  }
  const { added, duplicate, conflicting, rejected, rolled_back } = result ?? none;
  const rest = Object.entries({ known: duplicate, conflicting, rejected, 'rolled back': rolled_back })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `, ${formatCount(count)} ${what}`)
    .join('');
  print(`Stored ${formatCount(added)} swaps${rest} in ${formatElapsed((performance.now() - begun) / 1000)}.`);
  const undecoded = undecodedLine(source);
  if (undecoded !== undefined) print(undecoded);
  if (stopping.signal.aborted) {
    note('Interrupted. The counts above are of what is stored; run the same command again to go on.');
    return exitCodes.interrupted;
  }
  if (options.refresh) await refreshAloud(dex, { progress });
  return exitCodes.ok;
}

const none = { added: 0, duplicate: 0, conflicting: 0, rejected: 0, rolled_back: 0 };
