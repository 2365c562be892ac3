import { NONE } from './numbers.ts';

/** Notes the units of sums of which no part is known: they are shown as a dash, and `lines` say why. */
export class UnknownSums {
  readonly #units = new Set<string>();

  /** The text of a sum, or a dash if `isUnknown`. */
  text(unit: string, isUnknown: boolean, known: () => string): string {
    if (!isUnknown) return known();
    this.#units.add(unit);
    return NONE;
  }

  /** A line a unit, below the table. */
  get lines(): string[] {
    return [...this.#units].map((unit) => {
      const advice = unit === 'USD' ? ' "swapfold info" says which quote token has no price.' : '';
      return `${NONE} for a sum in ${unit}: none of its trades has a value in ${unit}.${advice}`;
    });
  }
}
