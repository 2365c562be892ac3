import { InvalidArgumentError } from 'commander';

const units = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
const MOST = 2_592_000;

/** Seconds of an interval such as `1h`, `15m` or `3600`. */
export function parseInterval(text: string): number {
  const [, count, unit = 's'] = /^(\d{1,7})([smhdw]?)$/.exec(text) ?? [];
  const seconds = Number(count) * units[(unit === '' ? 's' : unit) as keyof typeof units];
  if (!(seconds >= 1 && seconds <= MOST))
    throw new InvalidArgumentError('Give seconds, or a number with s, m, h, d or w, such as 15m or 1h; at most 30d.');
  return seconds;
}
