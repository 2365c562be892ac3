import { eventKinds, isManaged, type KindName } from './event-kinds.ts';

/** Which logs are asked for: those of listed pools, or of every contract, creation events of pools included. */
export interface LogFilter {
  readonly address?: readonly string[];
  readonly topics: readonly (readonly string[])[];
}

/** `pools`: a list of them, of whatever kind; else those of `kinds` are followed. */
export function filterOf(pools: readonly string[] | undefined, kinds: ReadonlySet<KindName>): LogFilter {
  if (pools !== undefined) {
    const swaps = eventKinds.filter((kind) => !isManaged(kind)).map((kind) => kind.swapTopic);
    return { address: pools, topics: [[...new Set(swaps)]] };
  }
  const followed = eventKinds.filter(({ name }) => kinds.has(name));
  return { topics: [[...new Set(followed.flatMap((kind) => [kind.swapTopic, kind.createdTopic]))]] };
}
