import type { Swapfold } from '@swapfold/core';

/** Fields that hold text; every other text in an answer is a number gone astray. */
const textFields = new Set([
  'wallet',
  'token',
  'quote',
  'token_in',
  'token_out',
  'token_address',
  'wallet_address',
  'position_address',
  'creator_address',
  'position',
  'tx_hash',
  'protocol',
  'pool',
  'pools',
  'symbol',
  'token_symbol',
  'quote_symbol',
  'token_symbol_in',
  'token_symbol_out',
  'swap_type',
  'valued_by',
  'direction',
  'position_state',
  'state',
  'cursor',
  'name',
  'image',
  'twitter',
  'discord',
  'website',
  'telegram',
  'twitter_username',
  'telegram_username',
  'metric',
  'window',
  'unit',
  'decided_by',
  'role',
  'roles',
  'rule',
  'source',
  'dev',
  'wallets',
  'formula',
  'meaning',
]);
const dateFields = new Set([
  'updated_at',
  'synced_at',
  'as_of',
  'first_trade_at',
  'last_trade_at',
  'created_at',
  'opened_at',
  'closed_at',
  'launched_at',
  'from',
  'to',
  'since',
]);
/** Labels and their rules: lists of names. */
const nameFields = new Set(['labels', 'matched_labels', 'dynamic_labels']);
const date = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** What is wrong with an answer, as sentences: NaN, an infinity, a negative zero, a number as text, a value JSON cannot carry. */
export function faultsOf(answer: unknown, where = 'answer'): string[] {
  const faults: string[] = [];
  scan(answer, where, '', faults);
  return faults;
}

function scan(value: unknown, where: string, field: string, faults: string[]): void {
  if (value === null || typeof value === 'boolean') return;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) faults.push(`${where} is ${value}`);
    else if (Object.is(value, -0)) faults.push(`${where} is a negative zero`);
    else if (textFields.has(field) || dateFields.has(field)) faults.push(`${where} is a number where text belongs`);
  } else if (typeof value === 'string') {
    if (dateFields.has(field) ? !date.test(value) : !textFields.has(field))
      faults.push(`${where} is the text ${JSON.stringify(value)}`);
  } else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) scan(item, `${where}[${i}]`, field, faults);
  } else if (typeof value === 'object') {
    for (const [name, item] of Object.entries(value))
      if (!nameFields.has(name)) scan(item, `${where}.${name}`, name, faults);
  } else {
    faults.push(`${where} is a value of type ${typeof value}`);
  }
}

/** The same store, which throws instead of answering with what `faultsOf` finds fault with. */
export function watched(dex: Swapfold): Swapfold {
  const call = dex.call.bind(dex);
  dex.call = async (name, body, options) => {
    const answer = await call(name, body, options);
    const faults = faultsOf(answer, name);
    if (faults.length > 0) throw new Error(`${faults.length} faults in an answer: ${faults.slice(0, 5).join('; ')}`);
    return answer;
  };
  return dex;
}
