import type {
  OperationName,
  Operations,
  PortfolioToken,
  PositionFilter,
  PositionLabel,
  PositionMetrics,
  PositionProfile,
  PositionSortKey,
  TokenFilter,
  TokenLabel,
  TokenMetrics,
  TokenPoint,
  TokenProfile,
  TokenSortKey,
  TopicName,
  Topics,
  Trade,
  WalletFilter,
  WalletLabel,
  WalletMetrics,
  WalletPoint,
  WalletProfile,
  WalletSortKey,
} from '@swapfold/client';

/** What the client says of each kind of profiles. */
export interface Kinds {
  readonly wallets: {
    readonly profile: WalletProfile;
    readonly metrics: WalletMetrics;
    readonly filter: WalletFilter;
    readonly field: WalletSortKey['field'];
    readonly label: WalletLabel;
  };
  readonly tokens: {
    readonly profile: TokenProfile;
    readonly metrics: TokenMetrics;
    readonly filter: TokenFilter;
    readonly field: TokenSortKey['field'];
    readonly label: TokenLabel;
  };
  readonly positions: {
    readonly profile: PositionProfile;
    readonly metrics: PositionMetrics;
    readonly filter: PositionFilter;
    readonly field: PositionSortKey['field'];
    readonly label: PositionLabel;
  };
}

export type KindName = keyof Kinds;
export type Profile<Name extends KindName = KindName> = Kinds[Name]['profile'];
export type Metrics<Name extends KindName = KindName> = Kinds[Name]['metrics'];

/** Windows of a kind of profiles: `7d`. */
export type Window<Name extends KindName = KindName> = Extract<
  { [Kind in Name]: keyof NonNullable<Profile<Kind>['metrics']> }[Name],
  AnyWindow
>;
type AnyWindow = { [Kind in KindName]: keyof NonNullable<Profile<Kind>['metrics']> }[KindName];

/** What has all that it may have: the request asked for it. */
export type Whole<Of> = { readonly [Key in keyof Of]-?: Exclude<Of[Key], undefined> };

/** A profile with all its sections and windows: the request asked for those that are read. */
export type WholeProfile<Name extends KindName> = Omit<Whole<Profile<Name>>, 'metrics'> & {
  readonly metrics: { readonly [At in Window<Name>]: Whole<Metrics<Name>> };
};

/** Names of metrics that are a number: `pnl`. */
export type MetricName<Name extends KindName = KindName> = {
  [Kind in Name]: NumbersOf<Metrics<Kind>>;
}[Name];

/** Names below objects of metrics, such as the sizes of a distribution: `gt_500`. */
export type PartName<Name extends KindName = KindName> = {
  [Kind in Name]: {
    [Key in keyof Metrics<Kind>]-?: Metrics<Kind>[Key] extends number | null | undefined
      ? never
      : keyof Metrics<Kind>[Key];
  }[keyof Metrics<Kind>];
}[Name];

/** Keys whose values are numbers. */
export type NumbersOf<Of> = {
  [Key in keyof Of]-?: Of[Key] extends number | null | undefined ? Key : never;
}[keyof Of];

/** Paths of what is in the sections of a profile: `market.price`. */
export type FieldPath<Name extends KindName = KindName> = {
  [Kind in Name]: {
    [Section in Extract<keyof Profile<Kind>, 'metadata' | 'market' | 'holding' | 'identity'>]: `${Section}.${Extract<
      keyof NonNullable<Profile<Kind>[Section]>,
      string
    >}`;
  }[Extract<keyof Profile<Kind>, 'metadata' | 'market' | 'holding' | 'identity'>];
}[Name];

/** What a column of a list of profiles shows. */
export type ColumnName<Name extends KindName = KindName> = Extract<MetricName<Name> | FieldPath<Name>, string>;

/** What `wordOf` may have a word for beside the metrics. */
export type WordedField = FieldPath | 'labels' | keyof WalletPoint | keyof TokenPoint | keyof Trade;

/** The unit that a reader has chosen for money. */
export type MoneyUnit = 'usd' | 'native';

/** A question that people come with. */
export type Preset<Name extends KindName> = {
  [At in Window<Name>]: {
    readonly title: string;
    readonly window: At;
    readonly sort: MetricName<Name>;
    readonly filter: Kinds[Name]['filter'] | null;
    readonly says: string;
    readonly label?: Kinds[Name]['label'];
  };
}[Window<Name>];

/** What the page knows of a metric or a field. */
export interface Described {
  readonly description: string;
  readonly unit: string;
}
export interface DescribedMetric extends Described {
  readonly sentence: string;
  readonly formula: string;
}

/** A kind of profiles, as the server's OpenAPI document describes it. The server of another release may have other names. */
export interface Kind<Name extends KindName = KindName> {
  readonly kind: Name;
  readonly metrics: Readonly<Record<string, DescribedMetric>>;
  readonly fields: Readonly<Record<string, Described>>;
  readonly paths: Readonly<Record<string, string>>;
  readonly windows: readonly Window<Name>[];
  readonly sortable: ReadonlySet<string>;
  readonly labels: readonly string[];
  readonly rules: readonly { readonly label: string; readonly rule: string; readonly filter: unknown }[];
  readonly isSearchable: boolean;
}

/** The server, as its OpenAPI document describes it. */
export interface Model {
  readonly kinds: { readonly [Name in KindName]: Kind<Name> };
  readonly schemas: {
    readonly PortfolioToken: {
      readonly properties: Readonly<Record<keyof PortfolioToken, Pick<Described, 'description'>>>;
    };
  };
  readonly tradeFields: Readonly<Record<keyof Trade, Described>>;
  readonly quotes: readonly string[];
  readonly native: string;
  readonly chain: string;
  readonly hasKeys: boolean;
  readonly byName: ReadonlyMap<string, { readonly path: string }>;
}

export type { OperationName };
export type Request<Name extends OperationName> = Operations[Name]['request'];
export type Answer<Name extends OperationName> = Operations[Name]['answer'];

/** A request with its answer, if it has come. */
export interface Asked<Name extends OperationName> {
  readonly answer?: Answer<Name> | undefined;
  readonly error?: Error | undefined;
  readonly isLoading: boolean;
  readonly again: () => void;
  readonly operation: Name;
  readonly body: Request<Name> | undefined;
}

/** The pages of a list, as far as they were asked for. */
export interface AskedPages<Name extends OperationName, Row> extends Asked<Name> {
  readonly rows: readonly Row[];
  readonly count: number | undefined;
  readonly next: (() => Promise<void>) | '' | undefined;
}

/** The rows of a page of an operation. */
export type RowOf<Name extends OperationName> =
  Answer<Name> extends { readonly data: readonly (infer Row)[] } ? Row : never;

/** A column of a table: see `Table`. */
export interface Column<Row> {
  readonly name: string;
  readonly title?: string;
  readonly csv?: string;
  readonly meaning?: string;
  readonly canSort?: boolean;
  readonly isText?: boolean;
  readonly isWide?: boolean;
  readonly value?: (row: Row) => unknown;
  readonly cell?: (row: Row, at: number) => unknown;
}

/** One large number: see `Figure`. */
export interface FigureOf<Name extends string> {
  readonly title: string;
  readonly name: Name;
  readonly unit: string;
  readonly value: number | null | undefined;
  readonly isResult?: boolean;
  readonly beside?: unknown;
  readonly before?: number | null | undefined;
  readonly points?: readonly (number | null | undefined)[];
  readonly tone?: string;
  readonly why?: string | undefined;
}

/** Makes elements of a template. */
export type Html = (strings: TemplateStringsArray, ...values: readonly unknown[]) => unknown;

/** A topic to listen to, and how often to ask besides. */
export type Wanted = {
  readonly [Name in TopicName]: {
    readonly name: Name;
    readonly params: Topics[Name]['params'];
    readonly pollSeconds?: number;
  };
}[TopicName];
