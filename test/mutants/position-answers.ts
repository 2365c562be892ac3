import type { Mutant } from './mutant.ts';

export const positionAnswers: readonly Mutant[] = [
  {
    breaks: 'the age of a price counts to the newest swap',
    file: 'queries/positions/prices.ts',
    find: 'context.asOf - print.block_time',
    replace: 'context.lastTime! - print.block_time',
    noticedBy: ['position answers'],
  },
  {
    breaks: 'a window begins without open cost',
    file: 'queries/positions/metrics.ts',
    find: 'trades!.columns.open_before[from]!',
    replace: '0',
    noticedBy: ['position answers'],
  },
  {
    breaks: 'a metric of tokens stands for that of positions of the same name',
    file: 'queries/positions/metrics.ts',
    find: "metrics.filter(({ of }) => of.includes('positions'))",
    replace: 'metrics',
    noticedBy: ['position answers'],
  },
  {
    breaks: 'a wallet that is one of several alternatives is a condition',
    file: 'queries/positions/conditions.ts',
    find: "where.kind === 'and' ? where.of.flatMap(partsOf)",
    replace: "where.kind === 'and' || where.kind === 'or' ? where.of.flatMap(partsOf)",
    noticedBy: ['position answers'],
  },
  {
    breaks: 'every rule gives every label',
    file: 'queries/positions/conditions.ts',
    find: 'rules.filter(({ label }) => label === leaf.label)',
    replace: 'rules',
    noticedBy: ['position answers'],
  },
  {
    breaks: 'conditions on what is computed are left out',
    file: 'queries/positions/rows.ts',
    find: 'rest: and(...parts.filter((part) => !isDecided(part)))',
    replace: 'rest: and()',
    noticedBy: ['position answers'],
  },
  {
    breaks: 'more positions are searched than may be',
    file: 'queries/positions/rows.ts',
    find: 'if (count > MAX_CANDIDATES)',
    replace: 'if (count > MAX_CANDIDATES + 1)',
    noticedBy: ['position answers'],
  },
  {
    breaks: 'a page that was found in memory comes in the order of the table',
    file: 'queries/positions/rows.ts',
    find: '(id) => rowOf.get(id)!',
    replace: '(_, i) => i',
    noticedBy: ['position answers'],
  },
  {
    breaks: 'a sort by what is computed needs no condition',
    file: 'queries/positions/search.ts',
    find: 'plan.sort.find(({ column }) => !isStored(shape, [column]))',
    replace: 'plan.sort.find(() => false)',
    noticedBy: ['position answers'],
  },
  {
    breaks: 'an answer has all metrics of all windows if nobody asks for any',
    file: 'profiles/shape.ts',
    find: "section.option === 'windows' ? nodes.map(storedNode) : nodes",
    replace: 'nodes',
    noticedBy: ['position answers'],
  },
];
