import type { Message } from '@swapfold/core';

/** The JSON of items: subscriptions share the items of a commit, so each is written once. */
const texts = new WeakMap<object, string>();

function itemText(item: object): string {
  const known = texts.get(item);
  if (known !== undefined) return known;
  const text = JSON.stringify(item);
  texts.set(item, text);
  return text;
}

/** The JSON of a message. */
export function messageText({ data, ...others }: Message): string {
  const start = JSON.stringify(others).slice(0, -1);
  return `${start},"data":[${(data as readonly object[]).map(itemText).join(',')}]}`;
}
