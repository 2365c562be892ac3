/** Labels that the interface names; rules may add others. */
export const knownLabels = {
  tokens: ['trending', 'hot', 'new', 'popular'],
  wallets: ['kol', 'trencher', 'conviction', 'smart', 'whale', 'degen', 'sniper', 'swing', 'holder'],
  positions: ['flip', 'diamond', 'bagholder'],
} as const;
