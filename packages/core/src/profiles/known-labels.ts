/** Labels that the interface names; rules may add others. */
export const knownLabels = {
  tokens: ['trending', 'hot', 'new', 'popular'],
  wallets: ['kol', 'trencher', 'conviction', 'smart', 'whale', 'degen', 'sniper', 'swing', 'holder'],
  positions: ['flip', 'diamond', 'bagholder'],
} as const;

/** Labels as they are stored, `|a|b|`, as a list. */
export function labelsOf(stored: string | null): readonly string[] {
  return (stored ?? '').split('|').filter((label) => label !== '');
}
