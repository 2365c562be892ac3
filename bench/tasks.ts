import type { MarketShape } from '@swapfold/testing';
import { type Engine, filesOf } from './files.ts';
import { writeMarket, writeOtherFormats } from './market.ts';
import { copyPlain } from './plain/copy.ts';
import { rewriteStore } from './rewrite.ts';
import { serveHttp } from './tasks/http.ts';
import { importStore } from './tasks/import-store.ts';
import { arriveInBlocks } from './tasks/incremental.ts';
import { askLarge, copyMarket } from './tasks/large.ts';
import { loadCsv } from './tasks/load-csv.ts';
import { refreshFully } from './tasks/refresh.ts';
import { serve } from './tasks/serving.ts';
import { storeTransfers } from './tasks/transfers.ts';
import { askViews } from './tasks/views.ts';

interface Made {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
}

/** What the benchmark runs in processes of their own, by name. */
export const tasks = {
  writeMarket: ({ swaps, root, market }: Omit<Made, 'engine'> & { readonly market: MarketShape }) =>
    writeMarket(swaps, market, filesOf(root, swaps)),
  writeOtherFormats: ({ swaps, root }: Omit<Made, 'engine'>) => writeOtherFormats(filesOf(root, swaps)),
  copyPlain: ({ engine, swaps, root }: Made) => {
    const files = filesOf(root, swaps);
    return copyPlain(engine, files.store[engine], files.plain[engine]);
  },
  rewriteStore: ({ engine, swaps, root }: Made) => {
    const files = filesOf(root, swaps);
    return rewriteStore(engine, files.store[engine], files.scratch(`rewritten.${engine}`));
  },
  importStore,
  loadCsv,
  refreshFully,
  arriveInBlocks,
  serve,
  serveHttp,
  storeTransfers,
  askViews,
  askLarge,
  copyMarket,
} as const;

export type TaskName = keyof typeof tasks;
