/** Largest fall from a running peak of the curve that starts at 1 and compounds the returns (percent), in percent. */
export function compoundedFall(returns: Float64Array): number {
  let level = 1;
  let peak = 1;
  let fall = 0;
  for (let i = 0; i < returns.length; i++) {
    level *= 1 + returns[i]! / 100;
    if (level > peak) peak = level;
    fall = Math.max(fall, (1 - level / peak) * 100);
  }
  return fall;
}

/** Where the first of the largest falls from a running peak begins and ends, as places in the curve; `null` where it never falls. */
export function fallOf(
  curve: ArrayLike<number>,
  sizeOf: (peak: number, value: number) => number,
): { readonly peak: number; readonly trough: number } | null {
  let largest = 0;
  let found = null;
  let peak = 0;
  for (let i = 0; i < curve.length; i++) {
    if (curve[i]! > curve[peak]!) peak = i;
    const fall = sizeOf(curve[peak]!, curve[i]!);
    if (!(fall > largest)) continue;
    largest = fall;
    found = { peak, trough: i };
  }
  return found;
}
