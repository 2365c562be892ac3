import type { Message } from '@swapfold/core';

/** The JSON of items, and of whole lists: subscriptions share the items of a commit, so each is written once. */
const texts = new WeakMap<object, string>();

function textOf(value: object, write: () => string): string {
  const known = texts.get(value);
  if (known !== undefined) return known;
  const text = write();
  texts.set(value, text);
  return text;
}

/** The JSON of a message. */
export function messageText({ data, ...others }: Message): string {
  const items = textOf(data, () =>
    (data as readonly object[]).map((item) => textOf(item, () => JSON.stringify(item))).join(','),
  );
  return `${JSON.stringify(others).slice(0, -1)},"data":[${items}]}`;
}
