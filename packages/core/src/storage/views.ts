/**
 * What a column of a view holds.
 *
 * - `number`, `integer`: as in the interface. `flag`: true or false. `list`: texts.
 * - `time`, `date`: an instant, stored as Unix seconds.
 */
export type ViewType = 'text' | 'list' | 'number' | 'integer' | 'time' | 'date' | 'flag';

/** Something that the interface has a name for, as a view may show it. */
export interface ViewField {
  readonly name: string;
  readonly type: ViewType;
  /** One phrase with the unit, for documentation. */
  readonly meaning: string;
  /** The words that it may be, of one that is stored as the place of its word among them. */
  readonly words?: readonly string[];
}

/** What views are made of: the fields of the interface, in its order, and the configured quote tokens. */
export interface ViewSource {
  readonly swaps: readonly ViewField[];
  readonly trades: readonly ViewField[];
  readonly candles: readonly ViewField[];
  /** Fields of profiles that are stored, by the names of their columns. */
  readonly profiles: Readonly<Record<'tokens' | 'wallets' | 'positions', readonly ViewField[]>>;
  /** Columns of the registries. */
  readonly registries: Readonly<Record<'tokens' | 'wallets', readonly ViewField[]>>;
  readonly quotes: readonly { readonly address: string; readonly symbol: string }[];
}

/** A view as an engine makes it. */
export interface ViewDefinition {
  readonly name: string;
  /** What makes it, in place of the one of that name; run one after the other. */
  readonly statements: readonly string[];
}
