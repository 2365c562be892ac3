/** Jupiter's router, whose events name what its hops exchanged. */
export const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';

/**
 * Programs that move tokens both ways and exchange none: lending, staking, farms, perpetuals, vaults. A reward that is paid with a deposit is
 * no swap.
 */
const others: ReadonlySet<string> = new Set([
  'So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo',
  'KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD',
  'MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA',
  'dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH',
  '4MangoMjqJ2firMokCjjGgoK8d4MXcrgL7XJaL3w6fVg',
  'PERPHjGBqRHArX4DySjwM6UJHiR3sWAatqfdBS2qQJu',
  'jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi',
  'jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9',
  'jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC',
  '9KEPoZmtHUrBbhWN1v1KWLMkkvwY6WLtAVUCPRtRjP4z',
  'EhhTKczWMGQt46ynNeRX1WfeagwwJd7ufHvCDjRxjo5Q',
  'FarmqiPv5eAj3j1GMdMCMUGXqPUvmquZtMy86QH6rzhG',
  '82yxjeMsvaURa4MbZZ7WZZHfobirZYkH1zF8fmeGtyaQ',
  'FarmuwXPWXvefWUeqFAa5w6rifLkq5X6E8bimYvrhCB1',
  'FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr',
  'QMNeHCGYnLVDn1icRAfQZpjPLBNkfGbSKRB83G5d8KB',
  'MarBmsSgKXdrN1egZf5sqe1TMai9K1rChYNDJgjq7aD',
  'SPoo1Ku8WFXoNDMHPsrGSTSG1Y47rzgn41SLUNakuHy',
]);

/** Whether a program is known to exchange nothing. */
export const isOther = (program: string): boolean => others.has(program);
