import type {
  LiveMessage,
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
    [Section in Extract<
      keyof Profile<Kind>,
      'metadata' | 'market' | 'lifetime' | 'holding' | 'identity'
    >]: `${Section}.${Extract<keyof NonNullable<Profile<Kind>[Section]>, string>}`;
  }[Extract<keyof Profile<Kind>, 'metadata' | 'market' | 'lifetime' | 'holding' | 'identity'>];
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
    readonly sort: ColumnName<Name>;
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
  readonly rules: readonly LabelRule[];
  readonly isSearchable: boolean;
}

/** A JSON Schema of the OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** An operation of the OpenAPI document. */
export interface DescribedOperation {
  readonly name: OperationName;
  readonly path: string;
  readonly description?: string;
  readonly requestBody: {
    readonly content: { readonly 'application/json': { readonly schema: Schema; readonly example: object } };
  };
  readonly responses: Readonly<Record<string, DescribedAnswer>> & { readonly 200: DescribedAnswer };
}
interface DescribedAnswer {
  readonly description: string;
  readonly content: { readonly 'application/json'?: { readonly schema: Schema } };
}

/** A rule that gives profiles a label. */
export interface LabelRule {
  readonly label: string;
  readonly rule: string;
  readonly filter: object;
}

/** The OpenAPI document of a server. */
export interface OpenApi {
  readonly info: { readonly description: string };
  readonly paths: Readonly<
    Record<
      string,
      { readonly post?: Omit<DescribedOperation, 'name' | 'path'> & { readonly operationId: OperationName } }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes?: object };
  readonly 'x-computed-fields'?: {
    readonly positions: readonly { readonly most: number; readonly fields: readonly string[] }[];
  };
  readonly 'x-quote-tokens'?: readonly { readonly address: string; readonly kind: string; readonly symbol?: string }[];
  readonly 'x-label-rules'?: { readonly [Name in KindName]?: readonly LabelRule[] };
}

/** The server, as its OpenAPI document describes it. */
export interface Model {
  readonly document: OpenApi;
  readonly operations: readonly DescribedOperation[];
  readonly kinds: { readonly [Name in KindName]: Kind<Name> };
  readonly schemas: Readonly<Record<string, Schema>> & {
    readonly PortfolioToken: {
      readonly properties: Readonly<Record<keyof PortfolioToken, Pick<Described, 'description'>>>;
    };
  };
  readonly tradeFields: Readonly<Record<keyof Trade, Described>>;
  /** Fields of positions that are computed when they are asked for, and how many positions may be left to sort by one. */
  readonly computed: ReadonlyMap<string, number>;
  readonly quotes: readonly string[];
  readonly native: string;
  readonly chain: string;
  readonly hasKeys: boolean;
  readonly byName: ReadonlyMap<string, DescribedOperation>;
}

export type { OperationName, TopicName };
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

/** Operations that answer with pages, each with how many rows there are on all of them. */
export type PagedName = {
  [Name in OperationName]: Answer<Name> extends { readonly count: number } ? Name : never;
}[OperationName];

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
  /** What several columns beside one another are of: the heading above theirs. */
  readonly group?: string;
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

/** A value of a component that draws it again when it changes. */
export type State<Value> = readonly [value: Value, set: (next: Value | ((before: Value) => Value)) => void];

/** What a component keeps from one drawing to the next. */
export interface Ref<Value> {
  current: Value;
}

/** What happens to a field of a form. */
export type FieldEvent = Event & { readonly target: HTMLInputElement; readonly currentTarget: HTMLElement };

/** A form is sent. */
export type FormEvent = Event & { readonly target: HTMLFormElement };

/** A condition of a filter as a line. */
export interface Line {
  readonly path: string;
  readonly operator: string;
  readonly text: string;
}

/** The conditions of a filter: all must hold, or any of them. */
export interface Lines {
  readonly isAny: boolean;
  readonly lines: readonly Line[];
}

/** Makes elements of a template. */
export type Html = (strings: TemplateStringsArray, ...values: readonly unknown[]) => unknown;

/** A message of a topic. */
export type Message<Name extends TopicName = TopicName> = LiveMessage<Name>;

/** What tells trades apart. */
export type TradeId = Pick<Trade, 'tx_hash' | 'wallet' | 'token'>;

/** A topic to listen to, and how often to ask besides; without a name only that. */
export type Wanted =
  | {
      readonly [Name in TopicName]: {
        readonly name: Name;
        readonly params: Topics[Name]['params'];
        readonly pollSeconds?: number;
      };
    }[TopicName]
  | { readonly name?: undefined; readonly pollSeconds: number };
