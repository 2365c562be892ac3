import { positionSearchFaults, searchPositions } from '../../queries/positions/search.ts';
import type { ProfileSearch } from '../../queries/profiles.ts';
import { operation, type RunnableOperation } from '../operation.ts';
import { requestObject } from '../request.ts';
import { searchAnswer, searchEntries } from './search-entries.ts';

export const positionsSearch: RunnableOperation = operation({
  name: 'positions.search',
  path: '/profiles/positions/search-profiles',
  cost: 'scan',
  summary: 'Search positions.',
  description:
    'Filters the stored positions, sorts them, and returns a page. `count` is exact. What is computed when it is asked for can be filtered and sorted by beside a condition on wallets or tokens.',
  example: () => ({
    filter: { 'metadata.state': 'open', 'metrics.7d.pnl': { $gt: 100 } },
    options: { include_holding: true },
    limit: 10,
  }),
  request: () => requestObject(searchEntries('positions')),
  returns: 'A page of positions.',
  response: (store) => searchAnswer('positions', store),
  alsoWrong: (context, right) => positionSearchFaults(context, right as ProfileSearch),
  answer: (context, request) => searchPositions(context, request as ProfileSearch),
});
