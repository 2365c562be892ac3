import { isDeepStrictEqual } from 'node:util';
import { type Config, parseConfig } from '../../config.ts';
import { type ErrorDetail, SwapfoldError } from '../../errors.ts';
import { show } from '../../nearest.ts';
import type { Meta } from '../../storage/meta.ts';
import { rulesChanged } from './folding.ts';

/** What a store remembers of a configuration: all of it but the keys of its callers. */
type StoredConfig = Omit<Config, 'api_keys'>;

/** The configuration as a store remembers it, JSON. */
export function configText({ api_keys: _, ...rest }: Config): string {
  return JSON.stringify(rest satisfies StoredConfig);
}

/**
 * The configuration that a store is opened with: the given one, else the store's own. One that gives nothing but `api_keys` says nothing of
 * the store, which has its own then. A store that remembers none, new or of an earlier version, has the default.
 *
 * - Errors: `invalid-config`; `newer-schema` where this Swapfold does not know the store's own.
 */
export function configFor(found: Partial<Meta>, input: unknown): Config {
  const given = parseConfig(input);
  if (found.config === undefined || !saysNothing(input)) return given;
  return { ...readStored(found.config), api_keys: given.api_keys };
}

function saysNothing(input: unknown): boolean {
  return input === undefined || Object.keys(input as object).every((field) => field === 'api_keys');
}

/** Fields in which a configuration differs from the store's own. */
export function configDifferences(found: Partial<Meta>, config: Config): readonly ErrorDetail[] {
  if (found.config === undefined) return [];
  const { config: text } = found;
  if (text === configText(config)) return [];
  const stored = readStored(text);
  const { api_keys: _, ...given } = config;
  return (Object.keys(given) as (keyof StoredConfig)[]).flatMap((path) => {
    const message = fieldChanged(path, stored, config);
    return message === undefined ? [] : [{ path, message }];
  });
}

function fieldChanged(path: keyof StoredConfig, stored: Config, given: Config): string | undefined {
  if (path === 'labels') return labelsChanged(stored.labels, given.labels);
  if (path === 'quote_tokens') return valueChanged(namesOf(stored.quote_tokens), namesOf(given.quote_tokens));
  return valueChanged(stored[path], given[path]);
}

const namesOf = (tokens: Config['quote_tokens']): string =>
  tokens
    .map(({ address, symbol, kind, aliases = [] }) => [`${symbol} (${kind}) ${address}`, ...aliases].join(' = '))
    .join(', ');

function valueChanged(stored: unknown, given: unknown): string | undefined {
  return isDeepStrictEqual(stored, given)
    ? undefined
    : `the store has ${show(stored)}, the configuration ${show(given)}`;
}

function labelsChanged(stored: Config['labels'], given: Config['labels']): string | undefined {
  if (isDeepStrictEqual(stored, given)) return undefined;
  const ofKinds = (['tokens', 'wallets', 'positions'] as const).flatMap((kind) => {
    const changed = rulesChanged(stored[kind], given[kind]);
    return changed === undefined ? [] : [`${kind}: ${changed}`];
  });
  return ofKinds.length > 0 ? ofKinds.join('; ') : valueChanged(stored.mode, given.mode);
}

function readStored(text: string): Config {
  try {
    return parseConfig(JSON.parse(text));
  } catch (cause) {
    throw new SwapfoldError(
      'newer-schema',
      `The store remembers a configuration that this Swapfold does not know (${(cause as Error).message}) Upgrade Swapfold to open it.`,
      { cause },
    );
  }
}
