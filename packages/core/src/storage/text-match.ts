/** Makes the test of a row of a text column, which is false of a missing text. */
type Matcher = (column: readonly (string | null)[], text: string) => (row: number) => boolean;

/**
 * The ways to match a text as it is stored, unit by unit: fold the case on both sides before. The kinds of predicates, the operators of
 * filters and the schema of a plan derive from these; each dialect of SQL writes them for its engine.
 */
export const textMatches = {
  contains: (column, text) => (row) => column[row]?.includes(text) === true,
  startsWith: (column, text) => (row) => column[row]?.startsWith(text) === true,
} as const satisfies Readonly<Record<string, Matcher>>;

/** How a text is looked for in a column. */
export type TextMatch = keyof typeof textMatches;

export const textMatchNames = Object.keys(textMatches) as readonly TextMatch[];
