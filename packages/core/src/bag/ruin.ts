/**
 * Adjustment coefficient of a walk that gains `b` with chance `p` and loses 1 otherwise: the root z > 0 of
 * p (exp(-z b) - 1) + (1 - p)(exp(z) - 1) = 0, for a walk that drifts upwards (Cramer-Lundberg; Feller, vol. 2, ch. XII).
 */
export function adjustmentCoefficient(p: number, b: number): number {
  let z = -Math.log1p(-p);
  // Convex and not below 0 at the start: Newton's steps fall towards the root from the right until rounding stops them.
  for (let i = 0; i < 200; i++) {
    const next =
      z - (p * Math.expm1(-z * b) + (1 - p) * Math.expm1(z)) / ((1 - p) * Math.exp(z) - p * b * Math.exp(-z * b));
    if (!(next < z && next > 0)) break;
    z = next;
  }
  return z;
}
