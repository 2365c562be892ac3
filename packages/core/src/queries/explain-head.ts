import { newEntityTrades, noPrints } from '../bag/entity.ts';
import type { TermName } from '../bag/terms.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import { tradeCount } from '../metrics/shared/activity.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { NO_ID } from '../records/columns.ts';
import { metricValue } from '../refresh/metric-value.ts';
import { orNull, type QueryContext } from './context.ts';
import { bestCounterparty } from './explain-page.ts';
import type { MetricTerm } from './explain-schema.ts';
import { storedTerms, termColumns } from './explain-stored.ts';
import { type Asked, columnOf, isReading, type Subject } from './explain-subject.ts';
import { servedTerms } from './explain-terms.ts';

/** What an explanation says beside its page of trades. */
interface Head {
  readonly value: number | null;
  readonly terms: readonly MetricTerm[];
  readonly count: number;
  /** The counterparty that made the most, where parts tell it from others. */
  readonly best: number;
}

/** Columns of stored profiles that say what an explanation does. */
export interface Wanted {
  readonly value: string;
  readonly count: string;
  /** Those of the terms, if stored profiles have them all. */
  readonly terms: ReadonlyMap<TermName, string> | undefined;
}

export function wantedOf(context: QueryContext, kind: ProfileKind, asked: Asked): Wanted {
  const { metric, window } = asked;
  return {
    value: columnOf(metric, window),
    count: columnOf(tradeCount, window),
    terms: termColumns(context, kind, asked),
  };
}

/** Those of them that are read. */
export function columnsOf({ value, count, terms }: Wanted, { isStoredOnly }: Metric): readonly string[] {
  return [...(isStoredOnly ? [value] : []), ...(terms === undefined ? [] : [count, ...terms.values()])];
}

/**
 * The head of an explanation: what an earlier page said, else what the stored profile says, else what a fold of the trades says. All three say
 * the same, to the bit.
 */
export async function headOf(context: QueryContext, subject: Subject, asked: Asked, wanted: Wanted): Promise<Head> {
  if (asked.metric.isStoredOnly) return foldedHead(context, subject, asked, wanted);
  const known = rememberedOf(context, subject, asked);
  if (known.head !== undefined) return known.head;
  const head = storedHead(subject, asked, wanted) ?? (await foldedHead(context, subject, asked, wanted));
  known.remember(head);
  return head;
}

/** What a stored profile says that no swap has changed since, if it has all terms. */
function storedHead({ stored, asOf }: Subject, asked: Asked, { count, terms }: Wanted): Head | undefined {
  if (terms === undefined || stored?.isCurrent !== true) return undefined;
  const { metric, window } = asked;
  const bag = storedTerms(asked, asOf, terms, stored);
  return {
    value: orNull(metricValue(metric, bag)),
    terms: servedTerms(metric, { ...nothingFolded, bag, window }),
    count: stored.numberOf(count),
    best: NO_ID,
  };
}

const nothingFolded = { trades: newEntityTrades(0), prints: noPrints };

async function foldedHead(
  context: QueryContext,
  subject: Subject,
  { metric, window }: Asked,
  wanted: Wanted,
): Promise<Head> {
  const { stored } = subject;
  const fold = await subject.fold();
  const value = metric.isStoredOnly && stored ? stored.numberOf(wanted.value) : metricValue(metric, fold.bag);
  return {
    value: orNull(value),
    terms: servedTerms(metric, { ...fold, window }),
    count: metricValue(tradeCount, fold.bag),
    best: isReading(metric, 'best') ? await bestCounterparty(context, subject, fold, window) : NO_ID,
  };
}

/** What an earlier page said, and where what this one says is remembered. */
function rememberedOf({ cache }: QueryContext, { kind, id, token, asOf }: Subject, { metric, window }: Asked) {
  const region = kind === 'tokens' ? 'explained_tokens' : 'explained_wallets';
  const question = JSON.stringify([token, metricPath(metric), window.name, asOf]);
  const questions = () => cache.get(region, id);
  return {
    head: questions()?.get(question)?.said as Head | undefined,
    remember: (said: Head) => cache.put(region, id, new Map([...(questions() ?? []), [question, { asOf, said }]])),
  };
}
