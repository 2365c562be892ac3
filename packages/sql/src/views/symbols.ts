import type { ViewSource } from '@swapfold/core/engine';
import { literal, textOf } from './columns.ts';

/** The symbol that a row gives a token, else the registry's (joined as `<token>_known`), else that of the configured quote token. */
export function symbolOf(symbol: string, token: string, { quotes }: ViewSource): string {
  const known = quotes.map(({ address, symbol }) => `when ${literal(address)} then ${literal(symbol)}`).join(' ');
  const quoted = known === '' ? '' : `, case ${textOf(token)} ${known} end`;
  return `coalesce(${textOf(symbol)}, "${token}_known"."symbol"${quoted})`;
}
