import type { Bag } from '../bag/bag.ts';
import type { TermName } from '../bag/terms.ts';
import { defineMetric, type Example, type Metric } from './metric.ts';
import { nothing, type Story } from './story.ts';

/** `empty`: default 0 of a sum, else `null`. `source`: default the reference, which has the formula. `examples`: without the example of no trades. */
interface Declared extends Omit<Metric, 'of' | 'isExtension' | 'terms' | 'value' | 'empty' | 'source'> {
  readonly empty?: 0;
  readonly source?: string;
}

/** Makes what declares built-in metrics of these kinds of profiles, each with the case of no trades as its last example. */
const declaring =
  <const Kinds extends Metric['of']>(of: Kinds, beside: Pick<Metric, 'isExtension'> = {}) =>
  <const M extends Declared, const T extends TermName = TermName>(
    metric: M & { readonly terms?: readonly T[]; readonly value: (bag: Pick<Bag, T>) => number | null },
  ): typeof metric & { readonly of: Kinds } & Pick<Metric, 'empty' | 'source' | 'isExtension'> => {
    const { empty = metric.isSum ? 0 : null, source = 'docs/reference/metrics.md' } = metric;
    const because = empty === 0 ? 'a count or sum over nothing is 0' : 'undefined over nothing';
    const examples = [...metric.examples, { story: nothing, window: '7d', value: empty, because }];
    return { ...defineMetric({ ...metric, ...beside, of, empty, source }), examples };
  };

/** `Wallets` are those with their positions, `WalletsAlone` those without. An extension is a metric that the interface does not name. */
export const metricOfAll = declaring(['tokens', 'wallets', 'positions']);
export const metricOfEntities = declaring(['tokens', 'wallets']);
export const metricOfTokens = declaring(['tokens']);
export const metricOfWallets = declaring(['wallets', 'positions']);
export const metricOfWalletsAlone = declaring(['wallets']);
export const extensionOfAll = declaring(['tokens', 'wallets', 'positions'], { isExtension: true });
export const extensionOfTokens = declaring(['tokens'], { isExtension: true });
export const extensionOfWallets = declaring(['wallets', 'positions'], { isExtension: true });
export const extensionOfWalletsAlone = declaring(['wallets'], { isExtension: true });

/** An example, of the window `7d` unless it says another. */
export function over(
  story: Story,
  value: number | null,
  because: string,
  more: Partial<Pick<Example, 'of' | 'window'>> = {},
): Example {
  return { story, window: '7d', value, because, ...more };
}
