import { SwapfoldError } from '@swapfold/core';

type Filter = Readonly<Record<string, unknown>>;

const operators: ReadonlyMap<string, string> = new Map([
  ['>', '$gt'],
  ['>=', '$gte'],
  ['<', '$lt'],
  ['<=', '$lte'],
  ['=', '$eq'],
  ['!=', '$ne'],
]);

/** Letters behind numbers: `10k` is 10,000. */
const scales: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['k', 1e3],
  ['m', 1e6],
  ['b', 1e9],
]);

const TOKEN = /\s*(?:(>=|<=|!=|[<>=()])|"([^"]*)"|'([^']*)'|([^\s<>=!()"']+))/y;
const NUMBER = /^(-?(?:\d+\.?\d*|\.\d+))([kmb]?)%?$/i;

interface Token {
  /** A sign or a word as it was written, or the text between quotes. */
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * A filter of a search from conditions as one would say them: `pnl > 10k and (winrate >= 60 or labels has sniper)`.
 *
 * - `pathOf`: the path of a field of the search from its name; throws for a name that is none.
 * - `and` binds closer than `or`; `not` and parentheses as everywhere. Numbers may end in k, m, b or %. A word is a text.
 * - Errors: `invalid-input` that names what was read where something else was expected.
 */
export function parseWhere(text: string, pathOf: (name: string) => string): Filter {
  const tokens = tokensOf(text);
  let at = 0;
  const isNext = (word: string): boolean =>
    at < tokens.length && !tokens[at]!.isQuoted && tokens[at]!.text.toLowerCase() === word;
  const take = (word: string): boolean => {
    const found = isNext(word);
    if (found) at++;
    return found;
  };
  const expected = (what: string): SwapfoldError => {
    const got = at < tokens.length ? `"${tokens[at]!.text}"` : 'the end';
    return new SwapfoldError('invalid-input', `--where: expected ${what}, not ${got}, in "${text}".`);
  };

  function either(): Filter {
    const parts = [both()];
    while (take('or')) parts.push(both());
    return parts.length === 1 ? parts[0]! : { $or: parts };
  }

  function both(): Filter {
    const parts = [negated()];
    while (take('and')) parts.push(negated());
    return parts.length === 1 ? parts[0]! : { $and: parts };
  }

  function negated(): Filter {
    if (take('not')) return { $not: negated() };
    if (!take('(')) return condition();
    const inner = either();
    if (!take(')')) throw expected('")"');
    return inner;
  }

  function condition(): Filter {
    const name = tokens[at];
    if (name === undefined || name.isQuoted || /^[<>=!()]/.test(name.text)) throw expected('the name of a field');
    at++;
    if (take('has')) return { [pathOf(name.text)]: { $all: [value()] } };
    const operator = at < tokens.length && !tokens[at]!.isQuoted ? operators.get(tokens[at]!.text) : undefined;
    if (operator === undefined) throw expected('one of >, >=, <, <=, =, !=, has');
    at++;
    return { [pathOf(name.text)]: { [operator]: value() } };
  }

  function value(): unknown {
    const token = tokens[at];
    if (token === undefined || (!token.isQuoted && /^[<>=!()]/.test(token.text))) throw expected('a value');
    at++;
    return token.isQuoted ? token.text : scalarOf(token.text);
  }

  const filter = either();
  if (at < tokens.length) throw expected('"and", "or" or the end');
  return filter;
}

function scalarOf(text: string): unknown {
  const number = NUMBER.exec(text);
  if (number !== null) return Number(number[1]) * scales.get(number[2]!.toLowerCase())!;
  const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
    ['true', true],
    ['false', false],
    ['null', null],
  ]);
  return words.has(text) ? words.get(text) : text;
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  while (TOKEN.lastIndex < end) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(text);
    if (found === null)
      throw new SwapfoldError('invalid-input', `--where: cannot be read from "${text.slice(from).trim()}" on.`);
    const quoted = found[2] ?? found[3];
    tokens.push({ text: found[1] ?? quoted ?? found[4]!, isQuoted: quoted !== undefined });
  }
  return tokens;
}
