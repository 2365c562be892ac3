const powers = Array.from({ length: 23 }, (_, n) => 10 ** n);

/**
 * An amount in whole tokens: the double nearest to amount / 10^decimals.
 *
 * Both ways round once: the quotient of two doubles that are exact, and the reading of a decimal text.
 */
export function scale(amount: bigint, decimals: number): number {
  if (decimals < powers.length && amount <= Number.MAX_SAFE_INTEGER) return Number(amount) / powers[decimals]!;
  return Number(`${amount}e-${decimals}`);
}
