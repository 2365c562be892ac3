/** What a number counts in: `percent` carries 12.5 for 12.5 %, `native` are whole native tokens, `seconds` are whole when served. A `count` is whole, and never `null` where `empty` is 0. */
export type Unit =
  | 'USD'
  | 'native'
  | 'USD per token'
  | 'percent'
  | 'ratio'
  | 'count'
  | 'count per day'
  | 'seconds'
  | 'score';
