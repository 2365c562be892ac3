/** Wrapped SOL, which lamports count as too. */
export const SOL = 'So11111111111111111111111111111111111111112';
export const SOL_DECIMALS = 9;

export const SYSTEM = '11111111111111111111111111111111';
export const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022 = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';

export const isTokenProgram = (program: string): boolean => program === TOKEN || program === TOKEN_2022;

/** Programs of the chain itself, which exchange nothing. */
const plain: ReadonlySet<string> = new Set([
  SYSTEM,
  TOKEN,
  TOKEN_2022,
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  'ComputeBudget111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'Stake11111111111111111111111111111111111111',
  'AddressLookupTab1e1111111111111111111111111',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
]);

export const isPlain = (program: string): boolean => plain.has(program);
