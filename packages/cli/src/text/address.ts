/** An address with its middle left out: `7xKX…gAsU`. */
export function shortAddress(address: string): string {
  return address.length <= 11 ? address : `${address.slice(0, 5)}…${address.slice(-5)}`;
}
