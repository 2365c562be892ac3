const texts = new WeakMap<object, string>();

/** The JSON of an answer. A list that is frozen, as candles that stay the same are, is written once and lives as long as the list. */
export function answerText(answer: unknown): string {
  if (!Array.isArray(answer) || !Object.isFrozen(answer)) return JSON.stringify(answer);
  const known = texts.get(answer);
  if (known !== undefined) return known;
  const text = JSON.stringify(answer);
  texts.set(answer, text);
  return text;
}
