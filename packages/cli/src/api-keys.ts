import { type ConfigInput, parseConfig, SwapfoldError } from '@swapfold/core';

/** The keys of a server: those of the environment variable, then those of the configuration. Errors: `invalid-config` where there are none. */
export function apiKeysOf(config: ConfigInput | undefined, variable: string | undefined): readonly string[] {
  const given = (variable ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  const keys = [...given, ...parseConfig(config).api_keys];
  if (keys.length > 0) return keys;
  throw new SwapfoldError(
    'invalid-config',
    'There is no API key, so nobody could call the server: set SWAPFOLD_API_KEYS=KEY[,KEY...], or "api_keys" in the configuration.',
  );
}
