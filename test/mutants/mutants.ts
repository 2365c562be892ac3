import { bag } from './bag.ts';
import { cache } from './cache.ts';
import { copies } from './copy.ts';
import { emptyTables } from './empty-tables.ts';
import { explain } from './explain.ts';
import { filter } from './filter.ts';
import { horizon } from './horizon.ts';
import { launch } from './launch.ts';
import { ledger } from './ledger.ts';
import { marketData } from './market-data.ts';
import { marks } from './marks.ts';
import { mcp } from './mcp.ts';
import { metrics } from './metrics.ts';
import { moving } from './moving.ts';
import type { Mutant } from './mutant.ts';
import { names } from './names.ts';
import { order } from './order.ts';
import { ordersAndFees } from './orders.ts';
import { pools } from './pools.ts';
import { positionAnswers } from './position-answers.ts';
import { positions } from './positions.ts';
import { record } from './record.ts';
import { rowShapes } from './row-shapes.ts';
import { server } from './server.ts';
import { timeOrder } from './time-order.ts';
import { worth } from './worth.ts';

/** What no test notices yet, by what breaks: each is a test to be written. */
export const unnoticed: ReadonlySet<string> = new Set([]);

/** Every way in which the code is broken on purpose. */
export const mutants: readonly Mutant[] = [
  ...ledger,
  ...ordersAndFees,
  ...bag,
  ...metrics,
  ...marketData,
  ...filter,
  ...cache,
  ...names,
  ...order,
  ...timeOrder,
  ...pools,
  ...positions,
  ...positionAnswers,
  ...explain,
  ...server,
  ...worth,
  ...marks,
  ...moving,
  ...horizon,
  ...mcp,
  ...rowShapes,
  ...copies,
  ...launch,
  ...record,
  ...emptyTables,
];
