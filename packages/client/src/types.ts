// Generated from the operations and topics by test/generate-docs/client-types.ts; not to be edited.

/** What is asked of a boolean: a value, or operators that must all hold. `null` is a missing value. */
export type BooleanCondition = boolean | null | {
readonly $eq?: boolean | null | undefined;
readonly $ne?: boolean | null | undefined;
readonly $in?: readonly (boolean | null)[] | undefined;
readonly $nin?: readonly (boolean | null)[] | undefined;
readonly $exists?: boolean | undefined;
};

export type Candle = {
/** Unix seconds, UTC, at the start of the bucket: a multiple of the interval; of whole weeks a Monday. */ readonly timestamp: number;
/** USD per token. */ readonly open: number;
/** USD per token. */ readonly high: number;
/** USD per token. */ readonly low: number;
/** USD per token. */ readonly close: number;
/** USD. */ readonly volume: number;
/** Swaps that touch the token. */ readonly count: number;
/** Prints far off those before them, which `prints: "clean"` leaves out of the prices. */ readonly suspect_count: number;
};

/** What is asked of a date: a value, or operators that must all hold. `null` is a missing value. */
export type DateCondition = string | null | {
readonly $eq?: string | null | undefined;
readonly $ne?: string | null | undefined;
readonly $in?: readonly (string | null)[] | undefined;
readonly $nin?: readonly (string | null)[] | undefined;
readonly $exists?: boolean | undefined;
readonly $gt?: string | undefined;
readonly $gte?: string | undefined;
readonly $lt?: string | undefined;
readonly $lte?: string | undefined;
};

export type ExplainedClause = ExplainedGroup | ExplainedCondition;

export type ExplainedCondition = {
/** The field. */ readonly path: string;
/** The operator. */ readonly operator: string;
/** As the request gave it. */ readonly operand: string | number | boolean | null | readonly (string | number | boolean | null)[];
/** The profile's value; null where it is missing. */ readonly actual: string | number | boolean | null | readonly (string)[];
/** Whether it holds for the profile. */ readonly held: boolean;
};

export type ExplainedGroup = {
/** What joins the clauses. */ readonly operator: '$and' | '$or' | '$nor' | '$not';
/** Whether it holds for the profile. */ readonly held: boolean;
readonly clauses: readonly (ExplainedClause)[];
};

export type ExplainedMove = {
/** What moved the lots: a transfer; tokens that came or went unseen, as balances say; a swap that is no trade of the token; a quote token that paid for another; a sell of lots that were away. */ readonly by: 'transfer' | 'gap' | 'swap' | 'spent' | 'sold';
/** Address. */ readonly wallet: string;
/** Address. */ readonly token: string;
/** Unix seconds, UTC. */ readonly block_time: number;
/** Hash of the transaction; null if it is not known. */ readonly tx_hash: string | null;
/** Of a transfer: its index in the transaction. */ readonly transfer_index: number | null;
/** Whether the tokens came or went. */ readonly direction: 'in' | 'out';
/** Whole tokens that came or went. */ readonly token_amount: number;
/** USD: known cost of the lots that left. */ readonly away_cost: number;
/** USD: known cost of the lots that came back. */ readonly returned_cost: number;
/** USD: known cost of the lots that were spent. */ readonly spent_cost: number;
};

export type ExplainedTrade = {
/** Where the first swap took place. */ readonly protocol: string | null;
/** Who traded. */ readonly wallet: string;
/** What was bought or sold. */ readonly token: string;
/** What was paid or received for it. */ readonly quote: string;
/** Id of the wallet-token pair. */ readonly position: string;
/** Whole tokens. */ readonly token_amount: number;
/** Whole tokens of the quote. */ readonly quote_amount: number;
/** Whole native tokens: its own, those that it was traded for or through, or its value in them. */ readonly native_amount: number | null;
/** USD. */ readonly usd_amount: number | null;
/** Whole tokens, before the trade. */ readonly pre_token_balance: number | null;
/** Whole tokens, after the trade. */ readonly post_token_balance: number | null;
/** Symbol of the token. */ readonly token_symbol: string | null;
/** Symbol of the quote. */ readonly quote_symbol: string | null;
/** USD per token. */ readonly token_price: number | null;
/** USD per token of the quote. */ readonly quote_price: number | null;
/** Slot or number of the block. */ readonly block_slot: number | null;
/** Unix seconds, UTC. */ readonly block_time: number;
/** Hash of the transaction. */ readonly tx_hash: string;
/** Place of the first swap in the transaction. */ readonly trade_index: number;
/** Roles of what was given and received. */ readonly swap_type: 'quote_token' | 'token_quote' | 'token_token' | 'quote_quote';
/** Whether the wallet bought or sold the token. */ readonly direction: 'buy' | 'sell';
/** What the trade does to its position. */ readonly position_state: 'open' | 'trade' | 'close';
/** USD; null for a buy, and if no cost is known. */ readonly realized_pnl_usd: number | null;
/** Percent; null for a buy, and if no cost is known. */ readonly realized_roi: number | null;
/** Native tokens; null for a buy, and if no cost in them is known. */ readonly realized_pnl_native: number | null;
/** Native tokens: the trade's part of what its wallet paid the chain for the transaction. */ readonly fee_native: number | null;
/** Whole tokens that came (positive) or went (negative) unseen before the trade: what its balances say beyond what is stored; 0 without any. */ readonly gap_before: number;
/** USD: what lots cost that came back since the trade before of the same position; 0 without any. */ readonly returned_cost: number;
/** USD at the price of the trade; null without a supply. */ readonly market_cap: number | null;
/** Addresses of the pools that it went through, each once, in chain order; swaps without a pool have none. */ readonly pools: readonly (string)[];
/** What the trade adds to the metric; null if the metric is no sum, or the trade is not in it. */ readonly part: number | null;
};

export type LatestPrice = {
/** Address. */ readonly token: string;
/** USD per token. */ readonly usd_price: number;
/** Slot or number of the block of the last print. */ readonly block_slot: number | null;
/** Unix seconds, UTC, of the last print. */ readonly block_time: number;
/** Whether the last print is far off those before it. */ readonly suspect: boolean;
/** USD per token: the mark now, which is what the token is worth; null without one. */ readonly clean_usd_price: number | null;
};

export type LaunchBundle = {
/** In one transaction, in neighbours of the launch block, or in that block. */ readonly rule: 'transaction' | 'neighbours' | 'block';
/** Addresses, in the order of their buys; without the dev. */ readonly wallets: readonly (string)[];
/** Those of their buys, in chain order. */ readonly transactions: readonly ({
/** Unix seconds, UTC. */ readonly block_time: number;
/** Slot or number of the block. */ readonly block_slot: number | null;
/** Index of the transaction in its block. */ readonly tx_index: number | null;
/** Hash of the transaction. */ readonly tx_hash: string;
})[];
};

export type LaunchInsider = {
/** Address. */ readonly wallet: string;
/** Whole tokens that the wallet holds. */ readonly held: number | null;
/** Whole tokens that it has sold. */ readonly sold: number;
/** USD that it made of the token: realised, and of its lots at the mark. */ readonly made: number | null;
/** What it was at the launch. */ readonly roles: readonly ('dev' | 'sniper' | 'bundler' | 'insider')[];
/** Why, role by role. */ readonly evidence: readonly (RoleEvidence)[];
};

export type LaunchPlace = {
/** Why this is the launch. */ readonly source: 'created_at' | 'first_swap' | 'activity';
/** Unix seconds, UTC. */ readonly block_time: number;
/** Slot or number of the block. */ readonly block_slot: number | null;
/** Index of the transaction in its block. */ readonly tx_index: number | null;
/** Hash of the transaction. */ readonly tx_hash: string;
/** The creator, from the registry. */ readonly dev: string | null;
};

export type Mark = {
/** Hash of the transaction of the swap that is the print. */ readonly tx_hash: string;
/** Position of the swap inside its transaction. */ readonly swap_index: number;
/** Unix seconds, UTC. */ readonly block_time: number;
/** USD per token. */ readonly usd_price: number;
/** Native tokens per token, if the native token valued the print: then the price of the token is this x the native price. */ readonly native_price: number | null;
/** Prints after it that are suspect, and therefore no marks. */ readonly suspects_since: number;
};

export type MetricExplanation = {
/** The end of the window: the instant that the profile holds for. */ readonly as_of: string;
/** The path of the metric below its window, or of the field. */ readonly metric: string;
/** The window; null of a result of a holding and of a field of a record, which have none. */ readonly window: string | null;
/** The metric. */ readonly value: number | null;
/** What the metric counts in. */ readonly unit: string;
/** How it is made, in the words of docs/reference/metrics.md. */ readonly formula: string;
/** What the function of the metric reads; none of a metric that does not name them. */ readonly terms: readonly (MetricTerm)[];
/** Of a result of a holding: the print that values it; null if the token has none. */ readonly mark?: Mark | null | undefined;
/** Trades that enter, on all pages. */ readonly count: number;
/** Of a field of a wallet's record that is made of positions: as many tokens as the limit of the request, those that add the most first. */ readonly parts?: readonly (RecordPart)[] | undefined;
/** Of what has no window and has trades from before the horizon: they are in the value, in no page and not in `count`. */ readonly forgotten?: {
/** The horizon: the store has forgotten the swaps before it. */ readonly before: string;
/** Trades before it. */ readonly count: number;
} | undefined;
/** For the next page; absent on the last. */ readonly cursor?: string | undefined;
/** A page of the trades that enter, newest first. */ readonly trades: readonly (ExplainedTrade)[];
/** What moved lots of their positions since the trade before each, newest first, from the horizon on. On the first page of a result of a holding, what moved them since the last trade, too. */ readonly moves: readonly (ExplainedMove)[];
};

export type MetricTerm = {
/** As docs/reference/metrics.md ("Terms") has it. */ readonly name: string;
/** A number, or a series as a list; null is undefined. */ readonly value: number | null | readonly (number | null)[];
/** What the value counts in. */ readonly unit: string;
/** What it is. */ readonly meaning: string;
/** When a fall or a streak begins; null for other terms, and if there is none. */ readonly from: string | null;
/** When it ends. */ readonly to: string | null;
};

/** What is asked of a number: a value, or operators that must all hold. `null` is a missing value. */
export type NumberCondition = number | null | {
readonly $eq?: number | null | undefined;
readonly $ne?: number | null | undefined;
readonly $in?: readonly (number | null)[] | undefined;
readonly $nin?: readonly (number | null)[] | undefined;
readonly $exists?: boolean | undefined;
readonly $gt?: number | undefined;
readonly $gte?: number | undefined;
readonly $lt?: number | undefined;
readonly $lte?: number | undefined;
};

export type PlanOrder = {
/** A column of stored profiles. */ readonly column: string;
/** Missing values come last in both. */ readonly direction: 'asc' | 'desc';
};

export type PlanStep = {
/** match: rows that a text query may match, to be ranked; count and page: what the engine decides. */ readonly step: 'match' | 'count' | 'page';
/** Rows that the step answered with. */ readonly rows: number;
/** Those of them that matched. */ readonly matches?: number | undefined;
};

export type Portfolio = {
/** USD, of the tokens with a known value. */ readonly value: number;
/** By value, the largest first, unknown ones last, then by address. */ readonly tokens: readonly (PortfolioToken)[];
};

export type PortfolioToken = {
/** Address. */ readonly token: string;
/** Symbol. */ readonly symbol: string | null;
/** Whole tokens. */ readonly balance: number;
/** USD per token. */ readonly price: number | null;
/** USD. */ readonly value: number | null;
/** USD, of the lots of known cost that are here. */ readonly cost_basis: number | null;
/** USD, of the same lots. */ readonly unrealized_pnl: number | null;
/** Whole tokens of the balance that no lot of known cost covers: no profit figure has them. */ readonly unmatched_amount: number;
};

/** Filters by label: `dynamic_labels` of each profile names those that hold. */
export type PositionDynamicLabels = { readonly [name: string]: PositionFilter };

/** Every key must hold: a field path with a value (equality) or an object of operators, and the groups `$and`, `$or`, `$nor`, `$not`. */
export type PositionFilter = {
/** All of them hold. */ readonly $and?: readonly (PositionFilter)[] | undefined;
/** Any of them holds. */ readonly $or?: readonly (PositionFilter)[] | undefined;
/** None of them holds. */ readonly $nor?: readonly (PositionFilter)[] | undefined;
readonly $not?: PositionFilter | undefined;
readonly updated_at?: DateCondition | undefined;
readonly synced_at?: DateCondition | undefined;
readonly position_address?: TextCondition | undefined;
readonly wallet_address?: TextCondition | undefined;
readonly token_address?: TextCondition | undefined;
readonly labels?: PositionLabelsCondition | undefined;
readonly 'metadata.symbol'?: TextCondition | undefined;
readonly 'metadata.first_trade_at'?: DateCondition | undefined;
readonly 'metadata.last_trade_at'?: DateCondition | undefined;
readonly 'metadata.opened_at'?: DateCondition | undefined;
readonly 'metadata.closed_at'?: DateCondition | undefined;
readonly 'metadata.held'?: NumberCondition | undefined;
readonly 'metadata.age'?: NumberCondition | undefined;
readonly 'metadata.idle'?: NumberCondition | undefined;
readonly 'metadata.state'?: TextCondition | undefined;
readonly 'holding.balance'?: NumberCondition | undefined;
readonly 'holding.cost_basis'?: NumberCondition | undefined;
readonly 'holding.avg_entry_price'?: NumberCondition | undefined;
readonly 'holding.realized_pnl'?: NumberCondition | undefined;
readonly 'holding.realized_roi'?: NumberCondition | undefined;
readonly 'holding.cost_basis_native'?: NumberCondition | undefined;
readonly 'holding.realized_pnl_native'?: NumberCondition | undefined;
readonly 'holding.realized_roi_native'?: NumberCondition | undefined;
readonly 'holding.bought_usd'?: NumberCondition | undefined;
readonly 'holding.sold_usd'?: NumberCondition | undefined;
readonly 'holding.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'holding.buy_count'?: NumberCondition | undefined;
readonly 'holding.sell_count'?: NumberCondition | undefined;
readonly 'holding.arrived_amount'?: NumberCondition | undefined;
readonly 'holding.away_amount'?: NumberCondition | undefined;
readonly 'holding.away_cost'?: NumberCondition | undefined;
readonly 'holding.spent_cost'?: NumberCondition | undefined;
readonly 'holding.price'?: NumberCondition | undefined;
readonly 'holding.value'?: NumberCondition | undefined;
readonly 'holding.unrealized_pnl'?: NumberCondition | undefined;
readonly 'holding.unrealized_pnl_native'?: NumberCondition | undefined;
readonly 'holding.unrealized_roi'?: NumberCondition | undefined;
readonly 'holding.price_age'?: NumberCondition | undefined;
readonly 'metrics.30d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.30d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.30d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.30d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.30d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.30d.volume'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.30d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.30d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.30d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.30d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.30d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.30d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.30d.win_count'?: NumberCondition | undefined;
readonly 'metrics.30d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.30d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.30d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.30d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.30d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.30d.roi'?: NumberCondition | undefined;
readonly 'metrics.30d.winrate'?: NumberCondition | undefined;
readonly 'metrics.30d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.30d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.30d.turnover'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.30d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.30d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.30d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.30d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.30d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.30d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.30d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.30d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.30d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.30d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.30d.fees'?: NumberCondition | undefined;
readonly 'metrics.30d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.30d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.30d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.30d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.30d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.30d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.14d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.14d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.14d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.14d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.14d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.14d.volume'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.14d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.14d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.14d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.14d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.14d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.14d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.14d.win_count'?: NumberCondition | undefined;
readonly 'metrics.14d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.14d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.14d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.14d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.14d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.14d.roi'?: NumberCondition | undefined;
readonly 'metrics.14d.winrate'?: NumberCondition | undefined;
readonly 'metrics.14d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.14d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.14d.turnover'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.14d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.14d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.14d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.14d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.14d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.14d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.14d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.14d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.14d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.14d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.14d.fees'?: NumberCondition | undefined;
readonly 'metrics.14d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.14d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.14d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.14d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.14d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.14d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.7d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.7d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.7d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.7d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.volume'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.7d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.7d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.7d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.7d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.7d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.7d.win_count'?: NumberCondition | undefined;
readonly 'metrics.7d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.7d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.7d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.7d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.7d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.roi'?: NumberCondition | undefined;
readonly 'metrics.7d.winrate'?: NumberCondition | undefined;
readonly 'metrics.7d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.7d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.7d.turnover'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.7d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.7d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.7d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.7d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.7d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.7d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.7d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.7d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.7d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.7d.fees'?: NumberCondition | undefined;
readonly 'metrics.7d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.7d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.7d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.7d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.7d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.3d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.3d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.3d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.3d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.3d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.3d.volume'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.3d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.3d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.3d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.3d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.3d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.3d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.3d.win_count'?: NumberCondition | undefined;
readonly 'metrics.3d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.3d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.3d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.3d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.3d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.3d.roi'?: NumberCondition | undefined;
readonly 'metrics.3d.winrate'?: NumberCondition | undefined;
readonly 'metrics.3d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.3d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.3d.turnover'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.3d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.3d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.3d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.3d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.3d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.3d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.3d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.3d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.3d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.3d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.3d.fees'?: NumberCondition | undefined;
readonly 'metrics.3d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.3d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.3d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.3d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.3d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.3d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.1d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.1d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.1d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.1d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.volume'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.1d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.1d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.1d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.1d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.1d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.1d.win_count'?: NumberCondition | undefined;
readonly 'metrics.1d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.1d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.1d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.1d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.1d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.roi'?: NumberCondition | undefined;
readonly 'metrics.1d.winrate'?: NumberCondition | undefined;
readonly 'metrics.1d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.1d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.1d.turnover'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.1d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.1d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.1d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.1d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.1d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.1d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.1d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.1d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.1d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.1d.fees'?: NumberCondition | undefined;
readonly 'metrics.1d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.1d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.1d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.1d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.1d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.30d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.cumulative_pnl'?: NumberCondition | undefined;
};

/** A label of the interface, or of a rule of this server. */
export type PositionLabel = 'flip' | 'diamond' | 'bagholder';

/** What is asked of the labels: a value, or operators that must all hold. `null` is a missing value. */
export type PositionLabelsCondition = PositionLabel | null | {
readonly $eq?: PositionLabel | null | undefined;
readonly $ne?: PositionLabel | null | undefined;
readonly $in?: readonly (PositionLabel | null)[] | undefined;
readonly $nin?: readonly (PositionLabel | null)[] | undefined;
readonly $exists?: boolean | undefined;
readonly $all?: readonly (PositionLabel)[] | undefined;
};

export type PositionMetrics = {
/** Trades in the window. Formula: |T|. Unit: count. */ readonly trade_count: number;
/** Buys in the window. Formula: |B|. Unit: count. */ readonly buy_count?: number | undefined;
/** Sells in the window. Formula: |S|. Unit: count. */ readonly sell_count?: number | undefined;
/** What was bought in the window. Formula: sum of usd_amount over B. Unit: USD. */ readonly buy_volume?: number | null | undefined;
/** What was sold in the window. Formula: sum of usd_amount over S. Unit: USD. */ readonly sell_volume?: number | null | undefined;
/** What was bought and sold in the window. Formula: sum of usd_amount over T. Unit: USD. */ readonly volume: number | null;
/** Mean size of a buy of known value. Formula: mean usd_amount over B. Unit: USD. */ readonly avg_buy_size?: number | null | undefined;
/** Mean size of a sell of known value. Formula: mean usd_amount over S. Unit: USD. */ readonly avg_sell_size?: number | null | undefined;
/** Mean market cap of the token at the buys, where known. Formula: mean of token_price x supply over B. Unit: USD. */ readonly avg_buy_mcap?: number | null | undefined;
/** Mean market cap of the token at the sells, where known. Formula: mean of token_price x supply over S. Unit: USD. */ readonly avg_sell_mcap?: number | null | undefined;
/** Realised profit of the sells in the window, first in first out. Formula: sum of proceeds - cost over R*. Unit: USD. */ readonly pnl: number | null;
/** Sum of the profits. Formula: sum of pnl over wins. Unit: USD. */ readonly win_pnl?: number | null | undefined;
/** Sum of the losses, not positive. Formula: sum of pnl over losses. Unit: USD. */ readonly loss_pnl?: number | null | undefined;
/** Mean time that sold tokens were held, weighted within a sell by amount. Formula: mean of sum(matched x age) / matched over R. Unit: seconds. */ readonly avg_holding_duration?: number | null | undefined;
/** Part of the cost at stake that was in wins. Formula: cost of wins / cost of wins and losses x 100. Unit: percent. */ readonly volume_weighted_winrate?: number | null | undefined;
/** Mean return of a realised sell, weighted by its turnover. Formula: sum(roi x v) / sum(v) over R, v = cost + proceeds. Unit: percent. */ readonly volume_weighted_roi?: number | null | undefined;
/** Profits per unit of loss. Formula: win_pnl / |loss_pnl|. Unit: ratio. */ readonly profit_factor?: number | null | undefined;
/** Mean win against mean loss. Formula: mean win / |mean loss|. Unit: ratio. */ readonly win_loss_size_ratio?: number | null | undefined;
/** Profit per USD traded. Formula: pnl / volume. Unit: ratio. */ readonly pnl_volume_ratio?: number | null | undefined;
/** Profit of the sells whose cost and proceeds are both under dust_usd: what pnl has beside win_pnl and loss_pnl. Formula: sum of proceeds - cost over R* without R. Unit: USD. */ readonly small_pnl?: number | null | undefined;
/** How much the profit of a period scatters. Formula: volatility of pnl_j. Unit: USD. */ readonly pnl_volatility?: number | null | undefined;
/** How even the profit of the periods is, 0 to 1. Formula: |mean| / (|mean| + volatility) of pnl_j. Unit: ratio. */ readonly pnl_stability?: number | null | undefined;
/** How much the return of a period scatters, in points. Formula: volatility of roi_j. Unit: percent. */ readonly roi_volatility?: number | null | undefined;
/** How even the return of the periods is, 0 to 1. Formula: |mean| / (|mean| + volatility) of roi_j. Unit: ratio. */ readonly roi_stability?: number | null | undefined;
/** Realised sells with a profit. Formula: |r with pnl > 0|. Unit: count. */ readonly win_count?: number | undefined;
/** Realised sells with a loss. Formula: |r with pnl < 0|. Unit: count. */ readonly loss_count?: number | undefined;
/** Largest profit of a realised sell, 0 without one. Formula: max(0, max pnl) over R. Unit: USD. */ readonly largest_win?: number | null | undefined;
/** Largest loss of a realised sell, 0 without one. Formula: min(0, min pnl) over R. Unit: USD. */ readonly largest_loss?: number | null | undefined;
/** Longest run of wins in chain order; a result of 0 ends it. Formula: longest run of pnl > 0 in R. Unit: count. */ readonly max_consecutive_wins?: number | undefined;
/** Longest run of losses in chain order; a result of 0 ends it. Formula: longest run of pnl < 0 in R. Unit: count. */ readonly max_consecutive_losses?: number | undefined;
/** Mean result of a realised sell. Formula: (win_pnl + loss_pnl) / |R|. Unit: USD. */ readonly avg_pnl?: number | null | undefined;
/** Mean return of a realised sell. Formula: mean of pnl / cost x 100 over R. Unit: percent. */ readonly avg_roi?: number | null | undefined;
/** Profit on the cost of what was sold. Formula: pnl / sum of cost over R* x 100. Unit: percent. */ readonly roi: number | null;
/** Part of the decided sells that won; break-evens count on neither side. Formula: win_count / (win_count + loss_count) x 100. Unit: percent. */ readonly winrate: number | null;
/** What a decided sell brings on average. Formula: (win_pnl + loss_pnl) / (win_count + loss_count). Unit: USD. */ readonly profit_expectancy?: number | null | undefined;
/** Profit against the largest fall of the running profit from its peak. Formula: pnl / largest fall of the cumulative pnl over R*, which starts at 0. Unit: ratio. */ readonly recovery_factor?: number | null | undefined;
/** How often the capital at work was turned over. Formula: sum of cost over R* / time average of C(t). Unit: ratio. */ readonly turnover?: number | null | undefined;
/** Mean time between two trades. Formula: (last - first block_time of T) / (trade_count - 1). Unit: seconds. */ readonly avg_trade_delta?: number | null | undefined;
/** Profit a day of the window. Formula: pnl / days. Unit: USD. */ readonly avg_daily_pnl?: number | null | undefined;
/** Volume a day of the window. Formula: volume / days. Unit: USD. */ readonly avg_daily_volume?: number | null | undefined;
/** Trades a day of the window. Formula: trade_count / days. Unit: count per day. */ readonly avg_daily_trade_count?: number | null | undefined;
/** Mean return of a day on the capital at work. Formula: mean of roi_j over the 24 h periods. Unit: percent. */ readonly avg_daily_roi?: number | null | undefined;
/** How much the win rate of a period scatters, in points. Formula: volatility of winrate_j. Unit: percent. */ readonly winrate_volatility?: number | null | undefined;
/** How even the win rate of the periods is, 0 to 1. Formula: |mean| / (|mean| + volatility) of winrate_j. Unit: ratio. */ readonly winrate_stability?: number | null | undefined;
/** Mean return of a period against its scatter, annualised, risk-free rate 0. Formula: mean(roi_j) / volatility(roi_j) x sqrt(365 d / h). Unit: ratio. */ readonly sharpe_ratio?: number | null | undefined;
/** Mean return of a period against its downside, annualised, target 0. Formula: mean(roi_j) / sqrt(mean(min(roi_j, 0)^2)) x sqrt(365 d / h). Unit: ratio. */ readonly sortino_ratio?: number | null | undefined;
/** Largest fall of the compounded returns from their peak. Formula: max(1 - E_j / running peak) x 100, E_0 = 1, E_j = E_(j-1) x (1 + roi_j / 100). Unit: percent. */ readonly max_drawdown?: number | null | undefined;
/** Chance that an unending run of such sells ever loses one average stake. Formula: exp(-U z) x 100, U = min(1e6, max(1, mean cost / |mean loss|)), z > 0 the root of p (exp(-z b) - 1) + (1 - p)(exp(z) - 1) = 0, p = winrate / 100, b = win_loss_size_ratio; null with fewer than 5 wins and losses together, else 100 where win_pnl + loss_pnl <= 0, else 0 without a loss. Unit: percent. */ readonly risk_of_ruin?: number | null | undefined;
/** How risky the trading is, 0 (safe) to 100. Formula: 100 x weighted mean of max_drawdown / 100 (0.35), risk_of_ruin / 100 (0.25), 1 - roi_stability (0.20), 1 - winrate / 100 (0.20); a part that is null drops out with its weight, roi_stability counts as 0 where the mean of roi_j is <= 0; null without a realised sell. Unit: score. */ readonly risk_score?: number | null | undefined;
/** How reliably the periods bring a profit, 0 to 100. Formula: 100 x weighted mean of the share of periods with pnl_j > 0 among those with a realised sell (0.4), pnl_stability (0.3), winrate_stability (0.3); a part that is null drops out with its weight, a stability counts as 0 where the mean of its series is <= 0; null with fewer than 3 periods that hold a realised sell. Unit: score. */ readonly consistency_score?: number | null | undefined;
/** Trades whose value in USD is unknown: they are in no sum of USD. Formula: |t in T without a usd_amount|. Unit: count. */ readonly unvalued_trade_count?: number | undefined;
/** Value of the trades in the native token. Formula: sum native_amount over T, where known. Unit: native. */ readonly volume_native?: number | null | undefined;
/** Profit in the native token, which no dollar is needed for. Formula: sum pnl_native over the sells that have one. Unit: native. */ readonly pnl_native?: number | null | undefined;
/** Return in the native token on what the sold tokens cost in it. Formula: pnl_native / sum cost_native x 100. Unit: percent. */ readonly roi_native?: number | null | undefined;
/** What the wallet paid the chain for its trades, and for transactions that left none, in the native token. Formula: sum fee_native over T and the transactions of the wallet without a trade, where known. Unit: native. */ readonly fees_native?: number | null | undefined;
/** What the wallet paid the chain for its trades, and for transactions that left none; null while a fee came before the first native price. Formula: sum fee_native x native price over T and the transactions of the wallet without a trade. Unit: USD. */ readonly fees?: number | null | undefined;
/** Fees that are worth a native price older than reference_max_age, counted once for each trade that bears one. Formula: |fees of T and of the transactions of the wallet without a trade at a stale native price|. Unit: count. */ readonly stale_fee_count?: number | undefined;
/** Profit less what the wallet paid the chain for its trades. Formula: pnl - fees. Unit: USD. */ readonly net_pnl?: number | null | undefined;
/** Volume that was bought and sold often, at once and for nothing. Formula: sum of the volumes of round trips, sold at most 120 s after they were bought for a result of -3 % to 0.2 % of their volume, in the positions with 5 such buys and 5 such sells. Unit: USD. */ readonly wash_volume?: number | null | undefined;
/** Value of what was sold without a known cost: beyond the lots, and from lots of unknown cost. Formula: sum of usd_amount - proceeds over S of known value, proceeds 0 if nothing of a sell has a cost. Unit: USD. */ readonly unmatched_proceeds?: number | null | undefined;
/** Part of the value of the sells that has no known cost: no profit figure has it. Formula: unmatched_proceeds / sell_volume x 100. Unit: percent. */ readonly unmatched_share?: number | null | undefined;
/** Cost of the lots that left the wallet, without a sell, since the trade before each trade. Formula: sum over T of the known cost of the lots of the token that left since its trade before. Unit: USD. */ readonly away_cost?: number | null | undefined;
/** Cost of the lots that came back to the wallet since the trade before each trade. Formula: sum over T of the known cost of the lots of the token that came back since its trade before. Unit: USD. */ readonly returned_cost?: number | null | undefined;
};

export type PositionProfile = {
/** Block time of the newest of the wallet's swaps that touches the token. */ readonly updated_at: string | null;
/** When the profile was stored. */ readonly synced_at: string | null;
/** Id of the wallet-token pair, as trades have it in `position`. */ readonly position_address: string;
/** Address of the wallet. */ readonly wallet_address: string;
/** Address of the token. */ readonly token_address: string;
/** Labels that hold. */ readonly labels?: readonly (PositionLabel)[] | undefined;
/** By label, the names of the rules that matched. */ readonly matched_labels?: { readonly [name: string]: readonly (string)[] } | undefined;
readonly metadata?: {
/** The token's: from the registry, else of the newest swap that names one. */ readonly symbol: string | null;
/** Block time of the first trade. */ readonly first_trade_at: string | null;
/** Block time of the newest trade. */ readonly last_trade_at: string | null;
/** When the position was opened that is open now, or was last open: by its first lot, or by lots that came back. */ readonly opened_at: string | null;
/** When that one was closed: none of its lots was here any more; `null` while it is open. */ readonly closed_at: string | null;
/** Seconds from `opened_at` to `closed_at`; `null` while it is open. */ readonly held: number | null;
/** `open` with lots that are here, `closed` once opened and none here, `unknown` where the token was never bought. */ readonly state: string;
/** What the wallet was at the launch of the token; `null` if no launch is known. With `include_launch`. */ readonly roles?: readonly ('dev' | 'sniper' | 'bundler' | 'insider')[] | null | undefined;
} | undefined;
readonly holding?: {
/** Whole tokens. */ readonly balance: number | null;
/** USD, of the lots of known cost that are here. */ readonly cost_basis: number | null;
/** USD per token: cost_basis / tokens in the lots of known cost that are here. */ readonly avg_entry_price: number | null;
/** USD, of all realised and small sells. */ readonly realized_pnl: number | null;
/** Percent: realized_pnl / cost of what was sold x 100. */ readonly realized_roi: number | null;
/** Native tokens, of the lots of known cost in them that are here. */ readonly cost_basis_native: number | null;
/** Native tokens, of all sells that have a result in them. */ readonly realized_pnl_native: number | null;
/** Percent: realized_pnl_native / cost of what was sold, in native tokens, x 100. */ readonly realized_roi_native: number | null;
/** USD, of all buys of known value. */ readonly bought_usd: number | null;
/** USD, of all sells of known value. */ readonly sold_usd: number | null;
/** USD, the part of sold_usd that has no known cost: sold_usd - realized_pnl - cost of what was sold. */ readonly unmatched_proceeds: number | null;
/** Buys. */ readonly buy_count: number;
/** Sells. */ readonly sell_count: number;
/** Whole tokens of the balance beyond the lots that are here: they came without a known cost. */ readonly arrived_amount: number | null;
/** Whole tokens in lots that left without a sell, and may come back. */ readonly away_amount: number | null;
/** USD, of the lots of known cost that are away; `null` if only lots of unknown cost are. */ readonly away_cost: number | null;
/** USD, of lots of a quote token that were spent on other tokens. */ readonly spent_cost: number | null;
/** Latest price of the token, USD. */ readonly price: number | null;
/** USD: balance x price. */ readonly value: number | null;
/** USD: tokens in the lots of known cost that are here x price - cost_basis. */ readonly unrealized_pnl: number | null;
/** Native tokens: tokens in the lots of known cost in them that are here x native price of the token - cost_basis_native. */ readonly unrealized_pnl_native: number | null;
/** Percent: unrealized_pnl / cost_basis x 100. */ readonly unrealized_roi: number | null;
/** Seconds from the print, or the reference price, that `price` is of to the as-of time. */ readonly price_age: number | null;
} | undefined;
/** Metrics by window. */ readonly metrics?: {
readonly '30d'?: PositionMetrics | undefined;
readonly '14d'?: PositionMetrics | undefined;
readonly '7d'?: PositionMetrics | undefined;
readonly '3d'?: PositionMetrics | undefined;
readonly '1d'?: PositionMetrics | undefined;
} | undefined;
/** The last instant that the profile holds for, where a refresh of what was traded has left it behind the others. */ readonly as_of?: string | undefined;
/** Labels of the request that hold. */ readonly dynamic_labels?: readonly (string)[] | undefined;
readonly explain?: ProfileExplanation | undefined;
};

/** One key, or up to four, the most important first. Default: `metrics.7d.pnl`. */
export type PositionSort = PositionSortKey | readonly (PositionSortKey)[];

/** A field to sort by. */
export type PositionSortKey = {
/** A path of numbers, dates or text. */ readonly field: 'updated_at' | 'synced_at' | 'position_address' | 'wallet_address' | 'token_address' | 'metadata.symbol' | 'metadata.first_trade_at' | 'metadata.last_trade_at' | 'metadata.opened_at' | 'metadata.closed_at' | 'metadata.held' | 'metadata.age' | 'metadata.idle' | 'metadata.state' | 'holding.balance' | 'holding.cost_basis' | 'holding.avg_entry_price' | 'holding.realized_pnl' | 'holding.realized_roi' | 'holding.cost_basis_native' | 'holding.realized_pnl_native' | 'holding.realized_roi_native' | 'holding.bought_usd' | 'holding.sold_usd' | 'holding.unmatched_proceeds' | 'holding.buy_count' | 'holding.sell_count' | 'holding.arrived_amount' | 'holding.away_amount' | 'holding.away_cost' | 'holding.spent_cost' | 'holding.price' | 'holding.value' | 'holding.unrealized_pnl' | 'holding.unrealized_pnl_native' | 'holding.unrealized_roi' | 'holding.price_age' | 'metrics.30d.trade_count' | 'metrics.30d.buy_count' | 'metrics.30d.sell_count' | 'metrics.30d.buy_volume' | 'metrics.30d.sell_volume' | 'metrics.30d.volume' | 'metrics.30d.avg_buy_size' | 'metrics.30d.avg_sell_size' | 'metrics.30d.avg_buy_mcap' | 'metrics.30d.avg_sell_mcap' | 'metrics.30d.pnl' | 'metrics.30d.win_pnl' | 'metrics.30d.loss_pnl' | 'metrics.30d.avg_holding_duration' | 'metrics.30d.volume_weighted_winrate' | 'metrics.30d.volume_weighted_roi' | 'metrics.30d.profit_factor' | 'metrics.30d.win_loss_size_ratio' | 'metrics.30d.pnl_volume_ratio' | 'metrics.30d.small_pnl' | 'metrics.30d.pnl_volatility' | 'metrics.30d.pnl_stability' | 'metrics.30d.roi_volatility' | 'metrics.30d.roi_stability' | 'metrics.30d.win_count' | 'metrics.30d.loss_count' | 'metrics.30d.largest_win' | 'metrics.30d.largest_loss' | 'metrics.30d.max_consecutive_wins' | 'metrics.30d.max_consecutive_losses' | 'metrics.30d.avg_pnl' | 'metrics.30d.avg_roi' | 'metrics.30d.roi' | 'metrics.30d.winrate' | 'metrics.30d.profit_expectancy' | 'metrics.30d.recovery_factor' | 'metrics.30d.turnover' | 'metrics.30d.avg_trade_delta' | 'metrics.30d.avg_daily_pnl' | 'metrics.30d.avg_daily_volume' | 'metrics.30d.avg_daily_trade_count' | 'metrics.30d.avg_daily_roi' | 'metrics.30d.winrate_volatility' | 'metrics.30d.winrate_stability' | 'metrics.30d.sharpe_ratio' | 'metrics.30d.sortino_ratio' | 'metrics.30d.max_drawdown' | 'metrics.30d.risk_of_ruin' | 'metrics.30d.risk_score' | 'metrics.30d.consistency_score' | 'metrics.30d.unvalued_trade_count' | 'metrics.30d.volume_native' | 'metrics.30d.pnl_native' | 'metrics.30d.roi_native' | 'metrics.30d.fees_native' | 'metrics.30d.fees' | 'metrics.30d.stale_fee_count' | 'metrics.30d.net_pnl' | 'metrics.30d.wash_volume' | 'metrics.30d.unmatched_proceeds' | 'metrics.30d.unmatched_share' | 'metrics.30d.away_cost' | 'metrics.30d.returned_cost' | 'metrics.14d.trade_count' | 'metrics.14d.buy_count' | 'metrics.14d.sell_count' | 'metrics.14d.buy_volume' | 'metrics.14d.sell_volume' | 'metrics.14d.volume' | 'metrics.14d.avg_buy_size' | 'metrics.14d.avg_sell_size' | 'metrics.14d.avg_buy_mcap' | 'metrics.14d.avg_sell_mcap' | 'metrics.14d.pnl' | 'metrics.14d.win_pnl' | 'metrics.14d.loss_pnl' | 'metrics.14d.avg_holding_duration' | 'metrics.14d.volume_weighted_winrate' | 'metrics.14d.volume_weighted_roi' | 'metrics.14d.profit_factor' | 'metrics.14d.win_loss_size_ratio' | 'metrics.14d.pnl_volume_ratio' | 'metrics.14d.small_pnl' | 'metrics.14d.pnl_volatility' | 'metrics.14d.pnl_stability' | 'metrics.14d.roi_volatility' | 'metrics.14d.roi_stability' | 'metrics.14d.win_count' | 'metrics.14d.loss_count' | 'metrics.14d.largest_win' | 'metrics.14d.largest_loss' | 'metrics.14d.max_consecutive_wins' | 'metrics.14d.max_consecutive_losses' | 'metrics.14d.avg_pnl' | 'metrics.14d.avg_roi' | 'metrics.14d.roi' | 'metrics.14d.winrate' | 'metrics.14d.profit_expectancy' | 'metrics.14d.recovery_factor' | 'metrics.14d.turnover' | 'metrics.14d.avg_trade_delta' | 'metrics.14d.avg_daily_pnl' | 'metrics.14d.avg_daily_volume' | 'metrics.14d.avg_daily_trade_count' | 'metrics.14d.avg_daily_roi' | 'metrics.14d.winrate_volatility' | 'metrics.14d.winrate_stability' | 'metrics.14d.sharpe_ratio' | 'metrics.14d.sortino_ratio' | 'metrics.14d.max_drawdown' | 'metrics.14d.risk_of_ruin' | 'metrics.14d.risk_score' | 'metrics.14d.consistency_score' | 'metrics.14d.unvalued_trade_count' | 'metrics.14d.volume_native' | 'metrics.14d.pnl_native' | 'metrics.14d.roi_native' | 'metrics.14d.fees_native' | 'metrics.14d.fees' | 'metrics.14d.stale_fee_count' | 'metrics.14d.net_pnl' | 'metrics.14d.wash_volume' | 'metrics.14d.unmatched_proceeds' | 'metrics.14d.unmatched_share' | 'metrics.14d.away_cost' | 'metrics.14d.returned_cost' | 'metrics.7d.trade_count' | 'metrics.7d.buy_count' | 'metrics.7d.sell_count' | 'metrics.7d.buy_volume' | 'metrics.7d.sell_volume' | 'metrics.7d.volume' | 'metrics.7d.avg_buy_size' | 'metrics.7d.avg_sell_size' | 'metrics.7d.avg_buy_mcap' | 'metrics.7d.avg_sell_mcap' | 'metrics.7d.pnl' | 'metrics.7d.win_pnl' | 'metrics.7d.loss_pnl' | 'metrics.7d.avg_holding_duration' | 'metrics.7d.volume_weighted_winrate' | 'metrics.7d.volume_weighted_roi' | 'metrics.7d.profit_factor' | 'metrics.7d.win_loss_size_ratio' | 'metrics.7d.pnl_volume_ratio' | 'metrics.7d.small_pnl' | 'metrics.7d.pnl_volatility' | 'metrics.7d.pnl_stability' | 'metrics.7d.roi_volatility' | 'metrics.7d.roi_stability' | 'metrics.7d.win_count' | 'metrics.7d.loss_count' | 'metrics.7d.largest_win' | 'metrics.7d.largest_loss' | 'metrics.7d.max_consecutive_wins' | 'metrics.7d.max_consecutive_losses' | 'metrics.7d.avg_pnl' | 'metrics.7d.avg_roi' | 'metrics.7d.roi' | 'metrics.7d.winrate' | 'metrics.7d.profit_expectancy' | 'metrics.7d.recovery_factor' | 'metrics.7d.turnover' | 'metrics.7d.avg_trade_delta' | 'metrics.7d.avg_daily_pnl' | 'metrics.7d.avg_daily_volume' | 'metrics.7d.avg_daily_trade_count' | 'metrics.7d.avg_daily_roi' | 'metrics.7d.winrate_volatility' | 'metrics.7d.winrate_stability' | 'metrics.7d.sharpe_ratio' | 'metrics.7d.sortino_ratio' | 'metrics.7d.max_drawdown' | 'metrics.7d.risk_of_ruin' | 'metrics.7d.risk_score' | 'metrics.7d.consistency_score' | 'metrics.7d.unvalued_trade_count' | 'metrics.7d.volume_native' | 'metrics.7d.pnl_native' | 'metrics.7d.roi_native' | 'metrics.7d.fees_native' | 'metrics.7d.fees' | 'metrics.7d.stale_fee_count' | 'metrics.7d.net_pnl' | 'metrics.7d.wash_volume' | 'metrics.7d.unmatched_proceeds' | 'metrics.7d.unmatched_share' | 'metrics.7d.away_cost' | 'metrics.7d.returned_cost' | 'metrics.3d.trade_count' | 'metrics.3d.buy_count' | 'metrics.3d.sell_count' | 'metrics.3d.buy_volume' | 'metrics.3d.sell_volume' | 'metrics.3d.volume' | 'metrics.3d.avg_buy_size' | 'metrics.3d.avg_sell_size' | 'metrics.3d.avg_buy_mcap' | 'metrics.3d.avg_sell_mcap' | 'metrics.3d.pnl' | 'metrics.3d.win_pnl' | 'metrics.3d.loss_pnl' | 'metrics.3d.avg_holding_duration' | 'metrics.3d.volume_weighted_winrate' | 'metrics.3d.volume_weighted_roi' | 'metrics.3d.profit_factor' | 'metrics.3d.win_loss_size_ratio' | 'metrics.3d.pnl_volume_ratio' | 'metrics.3d.small_pnl' | 'metrics.3d.pnl_volatility' | 'metrics.3d.pnl_stability' | 'metrics.3d.roi_volatility' | 'metrics.3d.roi_stability' | 'metrics.3d.win_count' | 'metrics.3d.loss_count' | 'metrics.3d.largest_win' | 'metrics.3d.largest_loss' | 'metrics.3d.max_consecutive_wins' | 'metrics.3d.max_consecutive_losses' | 'metrics.3d.avg_pnl' | 'metrics.3d.avg_roi' | 'metrics.3d.roi' | 'metrics.3d.winrate' | 'metrics.3d.profit_expectancy' | 'metrics.3d.recovery_factor' | 'metrics.3d.turnover' | 'metrics.3d.avg_trade_delta' | 'metrics.3d.avg_daily_pnl' | 'metrics.3d.avg_daily_volume' | 'metrics.3d.avg_daily_trade_count' | 'metrics.3d.avg_daily_roi' | 'metrics.3d.winrate_volatility' | 'metrics.3d.winrate_stability' | 'metrics.3d.sharpe_ratio' | 'metrics.3d.sortino_ratio' | 'metrics.3d.max_drawdown' | 'metrics.3d.risk_of_ruin' | 'metrics.3d.risk_score' | 'metrics.3d.consistency_score' | 'metrics.3d.unvalued_trade_count' | 'metrics.3d.volume_native' | 'metrics.3d.pnl_native' | 'metrics.3d.roi_native' | 'metrics.3d.fees_native' | 'metrics.3d.fees' | 'metrics.3d.stale_fee_count' | 'metrics.3d.net_pnl' | 'metrics.3d.wash_volume' | 'metrics.3d.unmatched_proceeds' | 'metrics.3d.unmatched_share' | 'metrics.3d.away_cost' | 'metrics.3d.returned_cost' | 'metrics.1d.trade_count' | 'metrics.1d.buy_count' | 'metrics.1d.sell_count' | 'metrics.1d.buy_volume' | 'metrics.1d.sell_volume' | 'metrics.1d.volume' | 'metrics.1d.avg_buy_size' | 'metrics.1d.avg_sell_size' | 'metrics.1d.avg_buy_mcap' | 'metrics.1d.avg_sell_mcap' | 'metrics.1d.pnl' | 'metrics.1d.win_pnl' | 'metrics.1d.loss_pnl' | 'metrics.1d.avg_holding_duration' | 'metrics.1d.volume_weighted_winrate' | 'metrics.1d.volume_weighted_roi' | 'metrics.1d.profit_factor' | 'metrics.1d.win_loss_size_ratio' | 'metrics.1d.pnl_volume_ratio' | 'metrics.1d.small_pnl' | 'metrics.1d.pnl_volatility' | 'metrics.1d.pnl_stability' | 'metrics.1d.roi_volatility' | 'metrics.1d.roi_stability' | 'metrics.1d.win_count' | 'metrics.1d.loss_count' | 'metrics.1d.largest_win' | 'metrics.1d.largest_loss' | 'metrics.1d.max_consecutive_wins' | 'metrics.1d.max_consecutive_losses' | 'metrics.1d.avg_pnl' | 'metrics.1d.avg_roi' | 'metrics.1d.roi' | 'metrics.1d.winrate' | 'metrics.1d.profit_expectancy' | 'metrics.1d.recovery_factor' | 'metrics.1d.turnover' | 'metrics.1d.avg_trade_delta' | 'metrics.1d.avg_daily_pnl' | 'metrics.1d.avg_daily_volume' | 'metrics.1d.avg_daily_trade_count' | 'metrics.1d.avg_daily_roi' | 'metrics.1d.winrate_volatility' | 'metrics.1d.winrate_stability' | 'metrics.1d.sharpe_ratio' | 'metrics.1d.sortino_ratio' | 'metrics.1d.max_drawdown' | 'metrics.1d.risk_of_ruin' | 'metrics.1d.risk_score' | 'metrics.1d.consistency_score' | 'metrics.1d.unvalued_trade_count' | 'metrics.1d.volume_native' | 'metrics.1d.pnl_native' | 'metrics.1d.roi_native' | 'metrics.1d.fees_native' | 'metrics.1d.fees' | 'metrics.1d.stale_fee_count' | 'metrics.1d.net_pnl' | 'metrics.1d.wash_volume' | 'metrics.1d.unmatched_proceeds' | 'metrics.1d.unmatched_share' | 'metrics.1d.away_cost' | 'metrics.1d.returned_cost' | 'metrics.30d.cumulative_pnl' | 'metrics.14d.cumulative_pnl' | 'metrics.7d.cumulative_pnl' | 'metrics.3d.cumulative_pnl' | 'metrics.1d.cumulative_pnl';
/** Missing values come last in both directions. Default `desc`. */ readonly direction?: 'asc' | 'desc' | undefined;
};

export type Predicate = {
readonly kind: 'and';
readonly of: readonly (Predicate)[];
} | {
readonly kind: 'or';
readonly of: readonly (Predicate)[];
} | {
readonly kind: 'not';
readonly of: Predicate;
} | {
readonly kind: 'compare';
/** A column of stored profiles. */ readonly column: string;
/** How they compare. */ readonly op: 'eq' | 'lt' | 'lte' | 'gt' | 'gte';
/** What the column is compared with. */ readonly value: number | string;
/** It holds for nearly every row. */ readonly holds_mostly?: true | undefined;
} | {
readonly kind: 'in';
/** A column of stored profiles. */ readonly column: string;
/** Any of these. */ readonly values: readonly (number)[] | readonly (string)[];
} | {
readonly kind: 'missing';
/** A column of stored profiles. */ readonly column: string;
} | {
readonly kind: 'contains';
/** A column of stored profiles. */ readonly column: string;
/** Folded text. */ readonly text: string;
} | {
readonly kind: 'startsWith';
/** A column of stored profiles. */ readonly column: string;
/** Folded text. */ readonly text: string;
} | {
readonly kind: 'has';
/** A column of stored profiles. */ readonly column: string;
/** A label. */ readonly label: string;
};

export type PriceHistory = {
/** Address. */ readonly token: string;
/** Oldest first. */ readonly prices: readonly (PricePoint)[];
};

export type PricePoint = {
/** Unix seconds, UTC. */ readonly timestamp: number;
/** USD per token, at the last print until then. */ readonly usd_price: number;
/** USD since the point before. */ readonly usd_volume: number;
/** Prints since the point before that are far off those before them. */ readonly suspect_count: number;
};

export type PriceStats = {
/** Address. */ readonly token: string;
/** USD per token. */ readonly usd_price: number;
/** Slot or number of the block of the last print. */ readonly block_slot: number | null;
/** Unix seconds, UTC, of the last print. */ readonly block_time: number;
/** Whether the last print is far off those before it. */ readonly suspect: boolean;
/** USD per token: the mark now, which is what the token is worth; null without one. */ readonly clean_usd_price: number | null;
/** Percent against 5m ago, without suspect prints; null without a price at both ends. */ readonly usd_price_change_5m: number | null;
/** Percent against 1h ago, without suspect prints; null without a price at both ends. */ readonly usd_price_change_1h: number | null;
/** Percent against 6h ago, without suspect prints; null without a price at both ends. */ readonly usd_price_change_6h: number | null;
/** Percent against 12h ago, without suspect prints; null without a price at both ends. */ readonly usd_price_change_12h: number | null;
/** Percent against 1d ago, without suspect prints; null without a price at both ends. */ readonly usd_price_change_1d: number | null;
/** Percent against 7d ago, without suspect prints; null without a price at both ends. */ readonly usd_price_change_7d: number | null;
/** Percent against 30d ago, without suspect prints; null without a price at both ends. */ readonly usd_price_change_30d: number | null;
/** USD in the last 5m. */ readonly usd_volume_5m: number;
/** USD in the last 1h. */ readonly usd_volume_1h: number;
/** USD in the last 6h. */ readonly usd_volume_6h: number;
/** USD in the last 12h. */ readonly usd_volume_12h: number;
/** USD in the last 1d. */ readonly usd_volume_1d: number;
/** USD in the last 7d. */ readonly usd_volume_7d: number;
/** USD in the last 30d. */ readonly usd_volume_30d: number;
/** Percent against the 5m before. */ readonly usd_volume_change_5m: number | null;
/** Percent against the 1h before. */ readonly usd_volume_change_1h: number | null;
/** Percent against the 6h before. */ readonly usd_volume_change_6h: number | null;
/** Percent against the 12h before. */ readonly usd_volume_change_12h: number | null;
/** Percent against the 1d before. */ readonly usd_volume_change_1d: number | null;
/** Percent against the 7d before. */ readonly usd_volume_change_7d: number | null;
/** Percent against the 30d before. */ readonly usd_volume_change_30d: number | null;
};

/** Why the profile was found, clause by clause. */
export type ProfileExplanation = {
readonly filter: ExplainedClause;
/** By label, also for those that do not hold. */ readonly dynamic_labels: { readonly [name: string]: ExplainedClause };
};

export type PushedPrice = {
/** Address of a quote token. */ readonly token: string;
/** When the price became known: Unix seconds, or RFC 3339. */ readonly time: number | string;
/** USD per token; null removes the price of that time. */ readonly usd_price: number | null;
};

export type PushedSwap = {
/** Name of the exchange or program, such as raydium. */ readonly protocol?: string | null | undefined;
/** Address of the wallet that swapped. */ readonly wallet: string;
/** Address of the token that the wallet gave. */ readonly token_in: string;
/** Address of the token that the wallet received. */ readonly token_out: string;
/** Symbol of token_in. */ readonly token_symbol_in?: string | null | undefined;
/** Symbol of token_out. */ readonly token_symbol_out?: string | null | undefined;
/** Amount of token_in, whole tokens. */ readonly token_amount_in: number;
/** Amount of token_out, whole tokens. */ readonly token_amount_out: number;
/** Price of token_in, USD per token. */ readonly token_price_in?: number | null | undefined;
/** Price of token_out, USD per token. */ readonly token_price_out?: number | null | undefined;
/** The wallet's balance of token_in before the swap, whole tokens. */ readonly pre_token_balance_in?: number | null | undefined;
/** The wallet's balance of token_out before the swap, whole tokens. */ readonly pre_token_balance_out?: number | null | undefined;
/** The wallet's balance of token_in after the swap, whole tokens. */ readonly post_token_balance_in?: number | null | undefined;
/** The wallet's balance of token_out after the swap, whole tokens. */ readonly post_token_balance_out?: number | null | undefined;
/** Value of the amount of token_in, USD. */ readonly usd_amount_in?: number | null | undefined;
/** Value of the amount of token_out, USD. */ readonly usd_amount_out?: number | null | undefined;
/** Slot or number of the block. A rollback needs it. */ readonly block_slot?: number | null | undefined;
/** Unix seconds, UTC. A fraction orders swaps of one second; answers have whole seconds. */ readonly block_time: number;
/** Hash of the transaction. */ readonly tx_hash: string;
/** Place in the transaction: a number that no other swap of it has. */ readonly swap_index: number;
/** Place of the transaction in its block, an extension of the interface. It orders swaps of one block. */ readonly tx_index?: number | null | undefined;
/** Address of the pool or market that it went through. */ readonly pool?: string | null | undefined;
/** What the wallet paid the chain for the transaction, whole native tokens: base and priority fee, tips. Of the swaps of a wallet in a transaction the greatest counts, once. */ readonly fee_native?: number | null | undefined;
/** Place of the swap's event among all events of its block. The smallest of a transaction orders transactions of one slot, after tx_index. */ readonly log_index?: number | null | undefined;
/** What the pool received of token_in, whole tokens, where that is not what the wallet gave: prices and volumes of tokens go by it. Only together with pool_amount_out. */ readonly pool_amount_in?: number | null | undefined;
/** What the pool gave of token_out, whole tokens, where that is not what the wallet received: prices and volumes of tokens go by it. Only together with pool_amount_in. */ readonly pool_amount_out?: number | null | undefined;
};

export type PushedToken = {
/** Address. */ readonly address: string;
/** Symbol. */ readonly symbol?: string | null | undefined;
/** Name. */ readonly name?: string | null | undefined;
/** Decimals of the raw amounts. */ readonly decimals?: number | null | undefined;
/** Address of its image. */ readonly image?: string | null | undefined;
/** Whether the registry vouches for it. */ readonly verified?: boolean | null | undefined;
/** Address of the wallet that created it. */ readonly creator_address?: string | null | undefined;
/** When it was created. */ readonly created_at?: number | string | null | undefined;
/** Its account on Twitter. */ readonly twitter?: string | null | undefined;
/** Its Discord. */ readonly discord?: string | null | undefined;
/** Address of its website. */ readonly website?: string | null | undefined;
/** Its Telegram. */ readonly telegram?: string | null | undefined;
/** Tokens that exist, whole tokens. */ readonly total_supply?: number | null | undefined;
/** Tokens in circulation, whole tokens. */ readonly circulating_supply?: number | null | undefined;
/** Liquidity of its pools, USD. */ readonly liquidity?: number | null | undefined;
/** Wallets that hold it. */ readonly holders?: number | null | undefined;
};

export type PushedTransfer = {
/** Hash of the transaction. */ readonly tx_hash: string;
/** Place in the transaction: a number that no other transfer of it has, such as a log index. A row without one gets a number from 2^52 on, made of what it says. */ readonly transfer_index?: number | null | undefined;
/** Unix seconds, UTC. Where the store has swaps of the transaction, their time counts. */ readonly block_time: number;
/** Slot or number of the block. A rollback needs it. */ readonly block_slot?: number | null | undefined;
/** Place of the transaction in its block. */ readonly tx_index?: number | null | undefined;
/** Address of the token. */ readonly token: string;
/** Amount of the token, whole tokens. */ readonly token_amount: number;
/** Address of the wallet that it leaves. Missing, or the zero address: the tokens were minted. */ readonly from?: string | null | undefined;
/** Address of the wallet that it reaches. Missing, or the zero address: the tokens were burnt. */ readonly to?: string | null | undefined;
/** What the tokens cost the wallet that they reach, USD; 0 is a cost of 0. Not their value at the time. */ readonly cost_usd?: number | null | undefined;
/** What it was, in words of your own, such as airdrop. */ readonly kind?: string | null | undefined;
/** True if the rows of the transaction list all movements of the token, those of its swaps among them. One row with it speaks for its transaction. */ readonly includes_swaps?: boolean | null | undefined;
};

export type PushedWallet = {
/** Address. */ readonly address: string;
/** Name. */ readonly name?: string | null | undefined;
/** Account on Twitter. */ readonly twitter_username?: string | null | undefined;
/** Account on Telegram. */ readonly telegram_username?: string | null | undefined;
/** Labels that it carries whatever the rules say. */ readonly labels?: readonly (string)[] | null | undefined;
};

export type RecordPart = {
/** Address. */ readonly token: string;
/** What the token adds to the field; null if the field is no sum over tokens. */ readonly part: number | null;
/** USD, of its sells. */ readonly realized_pnl: number;
/** Whole tokens in the lots of known cost that are here. */ readonly lot_amount: number | null;
/** USD: what these cost. */ readonly cost_basis: number | null;
/** Whole tokens in the lots of known cost that are away. */ readonly away_amount: number | null;
/** USD: what these cost. */ readonly away_cost: number | null;
/** USD per token, at its mark. */ readonly price: number | null;
/** Seconds since the mark. */ readonly price_age: number | null;
};

/** What is taken back. */
export type Retracted = {
/** Swaps, trades, transfers and prices of this block slot and of later ones are gone. */ readonly from_block_slot?: number | undefined;
/** Unix seconds. Candles that end after it are gone. */ readonly from_block_time?: number | undefined;
/** Trades that there are no more although their transactions stay. */ readonly trades?: readonly ({
/** Hash of the transaction. */ readonly tx_hash: string;
/** Who had traded. */ readonly wallet: string;
/** What had been bought or sold. */ readonly token: string;
})[] | undefined;
/** Transfers that there are no more although their slots stay. */ readonly transfers?: readonly ({
/** Hash of the transaction. */ readonly tx_hash: string;
readonly transfer_index: number;
})[] | undefined;
/** Tokens that have no price. */ readonly tokens?: readonly (string)[] | undefined;
/** Starts of buckets that have no candle, Unix seconds. */ readonly timestamps?: readonly (number)[] | undefined;
};

export type RoleEvidence = {
/** A role at the launch. */ readonly role: 'dev' | 'sniper' | 'bundler' | 'insider';
/** What gave it: `creator` of the registry; `seconds` or `block`, a first buy within the span of the launch; a bundle in one transaction, of neighbours, or of a block; `transfers`. */ readonly rule: 'creator' | 'seconds' | 'block' | 'bundle_transaction' | 'bundle_neighbours' | 'bundle_block' | 'transfers';
/** Of a bundler: which of `bundles`, from 0 on. */ readonly bundle: number | null;
/** Of an insider: whole tokens that it got by transfers that count. */ readonly token_amount: number | null;
/** Of an insider: in how many steps they came from the dev or a bundler. */ readonly steps: number | null;
/** The transactions that show it: the first buy, the buy in the bundle, the transfers, oldest first, at most 8. The registry has none. */ readonly transactions: readonly ({
/** Unix seconds, UTC. */ readonly block_time: number;
/** Slot or number of the block. */ readonly block_slot: number | null;
/** Index of the transaction in its block. */ readonly tx_index: number | null;
/** Hash of the transaction. */ readonly tx_hash: string;
/** Of a transfer: who sent the tokens. */ readonly from: string | null;
})[];
};

/** What ran, where the request asks to explain. */
export type SearchPlan = {
readonly where: Predicate;
readonly order: readonly (PlanOrder)[];
readonly steps: readonly (PlanStep)[];
};

export type SimulatedDelay = {
/** Seconds. */ readonly delay: number;
/** USD, of what was sold. */ readonly realized_pnl: number;
/** USD, of what is held at `to`. */ readonly unrealized_pnl: number;
/** USD that all of this cost. */ readonly cost: number;
/** Percent: `realized_pnl` + `unrealized_pnl` on `cost`; null without a cost. */ readonly roi: number | null;
/** USD, of the trades that were made; those of what is held at `to` are in `unrealized_pnl` alone. */ readonly fees: number;
/** Buys and sells that were made. */ readonly trade_count: number;
/** Buys that were not made: above `limit`, or without a print that is not suspect. */ readonly missed_count: number;
/** USD that the missed buys made at the leader's prices, with what is held of them at `to`. */ readonly missed_leader_pnl: number;
/** Trades, missed ones included, at whose moment the depth of the pool was not known. */ readonly unknown_count: number;
/** Times that the leader sent tokens away, or lost them unseen, which the follower kept. */ readonly kept_count: number;
};

export type SimulatedPair = {
/** Hash of the leader's transaction. */ readonly tx_hash: string;
/** Place of the first swap in the transaction. */ readonly trade_index: number;
/** Unix seconds, UTC, of the leader's trade. */ readonly block_time: number;
/** What was bought or sold. */ readonly token: string;
/** Symbol of the token. */ readonly token_symbol: string | null;
/** Whether the token was bought or sold. */ readonly direction: 'buy' | 'sell';
/** USD per token for the leader; null of a sell without a value. */ readonly leader_price: number | null;
/** USD per token for the follower, with slippage and the token's tax; null without a print. */ readonly price: number | null;
/** Whole tokens that the follower bought or sold; 0 of a missed buy. */ readonly token_amount: number;
/** USD that a buy took with its fee, or a sell brought after its fee. */ readonly usd_amount: number;
/** USD. */ readonly fee: number;
/** Depth of the pool as its side sees it, USD times tokens; null if it is not known. */ readonly k: number | null;
/** What made the price: the depth of the pool, its newest print made worse because no depth is known, or the next print of somebody else. */ readonly decided_by: 'depth' | 'unknown' | 'next' | null;
/** The print that decided. */ readonly print: SimulatedPrint | null;
/** What the follower found; only with `explain`. */ readonly market?: {
/** Depth by the buys of the pool, or by its sells if too few buys say it. */ readonly k_buy: number | null;
/** Depth by the sells of the pool, or by its buys. */ readonly k_sell: number | null;
/** Pairs of buys that said `k_buy`; 0 if its sells did. */ readonly buys: number | null;
/** Pairs of sells that said `k_sell`; 0 if its buys did. */ readonly sells: number | null;
/** USD in the pool before the follower, if the depth decided. */ readonly reserve: number | null;
/** The newest print that is not suspect, and suspect ones after it. */ readonly newest: readonly (SimulatedPrint)[];
/** The first print of somebody else after the moment that is not suspect, and suspect ones before it. */ readonly next: readonly (SimulatedPrint)[];
} | undefined;
/** USD; null of a buy. */ readonly realized_pnl: number | null;
/** Whether the buy was not made. */ readonly missed: boolean;
};

export type SimulatedPrint = {
/** Hash of the transaction. */ readonly tx_hash: string;
/** Place of the swap in the transaction. */ readonly swap_index: number;
/** Unix seconds, UTC. */ readonly block_time: number;
/** Who traded. */ readonly wallet: string;
/** Whether the token was bought or sold. */ readonly direction: 'buy' | 'sell';
/** USD per token. */ readonly price: number;
/** USD that went through the pool. */ readonly usd_amount: number;
/** Whether it is far off the prints before it. */ readonly suspect: boolean;
};

export type SimulatedRest = {
/** What is held. */ readonly token: string;
/** Symbol of the token. */ readonly token_symbol: string | null;
/** USD per token for the follower, with slippage and the token's tax; null without a print. */ readonly price: number | null;
/** Whole tokens that the follower bought or sold; 0 of a missed buy. */ readonly token_amount: number;
/** USD that a buy took with its fee, or a sell brought after its fee. */ readonly usd_amount: number;
/** USD. */ readonly fee: number;
/** Depth of the pool as its side sees it, USD times tokens; null if it is not known. */ readonly k: number | null;
/** What made the price: the depth of the pool, its newest print made worse because no depth is known, or the next print of somebody else. */ readonly decided_by: 'depth' | 'unknown' | 'next' | null;
/** The print that decided. */ readonly print: SimulatedPrint | null;
/** What the follower found; only with `explain`. */ readonly market?: {
/** Depth by the buys of the pool, or by its sells if too few buys say it. */ readonly k_buy: number | null;
/** Depth by the sells of the pool, or by its buys. */ readonly k_sell: number | null;
/** Pairs of buys that said `k_buy`; 0 if its sells did. */ readonly buys: number | null;
/** Pairs of sells that said `k_sell`; 0 if its buys did. */ readonly sells: number | null;
/** USD in the pool before the follower, if the depth decided. */ readonly reserve: number | null;
/** The newest print that is not suspect, and suspect ones after it. */ readonly newest: readonly (SimulatedPrint)[];
/** The first print of somebody else after the moment that is not suspect, and suspect ones before it. */ readonly next: readonly (SimulatedPrint)[];
} | undefined;
/** USD. */ readonly unrealized_pnl: number;
};

export type Simulation = {
/** Address of the leader. */ readonly wallet: string;
/** Since when it is followed; null if it has no trade. */ readonly from: string | null;
/** Until when. */ readonly to: string;
/** The same trades in the follower's sizes at the leader's prices, without slippage and fees. */ readonly leader: {
/** USD, of what was sold. */ readonly realized_pnl: number;
/** USD, of what is held at `to`. */ readonly unrealized_pnl: number;
/** USD that all of this cost. */ readonly cost: number;
/** Percent: `realized_pnl` + `unrealized_pnl` on `cost`; null without a cost. */ readonly roi: number | null;
};
/** What the leader made itself: its lots of any age, with the marks at `to`. `cost` is that of what it sold and holds. */ readonly leader_actual: {
/** USD, of what was sold. */ readonly realized_pnl: number;
/** USD, of what is held at `to`. */ readonly unrealized_pnl: number;
/** USD that all of this cost. */ readonly cost: number;
/** Percent: `realized_pnl` + `unrealized_pnl` on `cost`; null without a cost. */ readonly roi: number | null;
};
/** What following would have made. */ readonly follower: {
/** USD, of what was sold. */ readonly realized_pnl: number;
/** USD, of what is held at `to`. */ readonly unrealized_pnl: number;
/** USD that all of this cost. */ readonly cost: number;
/** Percent: `realized_pnl` + `unrealized_pnl` on `cost`; null without a cost. */ readonly roi: number | null;
/** USD, of the trades that were made; those of what is held at `to` are in `unrealized_pnl` alone. */ readonly fees: number;
/** Buys and sells that were made. */ readonly trade_count: number;
/** Buys that were not made: above `limit`, or without a print that is not suspect. */ readonly missed_count: number;
/** USD that the missed buys made at the leader's prices, with what is held of them at `to`. */ readonly missed_leader_pnl: number;
/** Trades, missed ones included, at whose moment the depth of the pool was not known. */ readonly unknown_count: number;
/** Times that the leader sent tokens away, or lost them unseen, which the follower kept. */ readonly kept_count: number;
};
/** The same with each of `delays`. */ readonly decay: readonly (SimulatedDelay)[];
/** Buys of the leader without a value, which nobody follows here. */ readonly unvalued_count: number;
/** Pairs, on all pages. */ readonly count: number;
/** For the next page; absent on the last. */ readonly cursor?: string | undefined;
/** Up to 100 trades of the leader with what the follower did, newest first. */ readonly pairs: readonly (SimulatedPair)[];
/** What the follower holds at `to`, token by token; only with `explain`. */ readonly rests?: readonly (SimulatedRest)[] | undefined;
};

export type Swap = {
/** Name of the exchange or program, such as raydium. */ readonly protocol: string | null;
/** Address of the wallet that swapped. */ readonly wallet: string;
/** Address of the token that the wallet gave. */ readonly token_in: string;
/** Address of the token that the wallet received. */ readonly token_out: string;
/** Symbol of token_in. */ readonly token_symbol_in: string | null;
/** Symbol of token_out. */ readonly token_symbol_out: string | null;
/** Amount of token_in, whole tokens. */ readonly token_amount_in: number;
/** Amount of token_out, whole tokens. */ readonly token_amount_out: number;
/** Price of token_in, USD per token. */ readonly token_price_in: number | null;
/** Price of token_out, USD per token. */ readonly token_price_out: number | null;
/** The wallet's balance of token_in before the swap, whole tokens. */ readonly pre_token_balance_in: number | null;
/** The wallet's balance of token_out before the swap, whole tokens. */ readonly pre_token_balance_out: number | null;
/** The wallet's balance of token_in after the swap, whole tokens. */ readonly post_token_balance_in: number | null;
/** The wallet's balance of token_out after the swap, whole tokens. */ readonly post_token_balance_out: number | null;
/** Value of the amount of token_in, USD. */ readonly usd_amount_in: number | null;
/** Value of the amount of token_out, USD. */ readonly usd_amount_out: number | null;
/** Slot or number of the block. A rollback needs it. */ readonly block_slot: number | null;
/** Unix seconds, UTC. A fraction orders swaps of one second; answers have whole seconds. */ readonly block_time: number;
/** Hash of the transaction. */ readonly tx_hash: string;
/** Place in the transaction: a number that no other swap of it has. */ readonly swap_index: number;
/** Address of the pool or market that it went through. */ readonly pool: string | null;
/** What the wallet paid the chain for the transaction, whole native tokens: base and priority fee, tips. Of the swaps of a wallet in a transaction the greatest counts, once. */ readonly fee_native: number | null;
/** What the pool received of token_in, whole tokens, where that is not what the wallet gave: prices and volumes of tokens go by it. Only together with pool_amount_out. */ readonly pool_amount_in: number | null;
/** What the pool gave of token_out, whole tokens, where that is not what the wallet received: prices and volumes of tokens go by it. Only together with pool_amount_in. */ readonly pool_amount_out: number | null;
/** Roles of token_in and token_out. */ readonly swap_type: 'quote_token' | 'token_quote' | 'token_token' | 'quote_quote';
/** The rule that gave its value in USD; null without one. */ readonly valued_by: 'feed' | 'price' | 'reference' | 'stable' | 'native' | null;
};

/** What is asked of a text: a value, or operators that must all hold. `null` is a missing value. */
export type TextCondition = string | null | {
readonly $eq?: string | null | undefined;
readonly $ne?: string | null | undefined;
readonly $in?: readonly (string | null)[] | undefined;
readonly $nin?: readonly (string | null)[] | undefined;
readonly $exists?: boolean | undefined;
readonly $gt?: string | undefined;
readonly $gte?: string | undefined;
readonly $lt?: string | undefined;
readonly $lte?: string | undefined;
readonly $contains?: string | undefined;
readonly $startsWith?: string | undefined;
};

export type TokenBuyer = {
/** 1 is the first buyer; `null` if no launch is known, because there may have been buyers before. */ readonly rank: number | null;
/** Address. */ readonly wallet: string;
/** Seconds from the launch to its first buy. */ readonly seconds_after: number | null;
/** Blocks from the launch to its first buy. */ readonly slots_after: number | null;
/** Unix seconds, UTC. */ readonly block_time: number;
/** Slot or number of the block. */ readonly block_slot: number | null;
/** Index of the transaction in its block. */ readonly tx_index: number | null;
/** Hash of the transaction. */ readonly tx_hash: string;
/** Whole tokens of its first buy. */ readonly token_amount: number;
/** Percent of total_supply in its first buy. */ readonly supply_share: number | null;
/** Whole tokens that the wallet holds. */ readonly held: number | null;
/** Whole tokens that it has sold. */ readonly sold: number;
/** USD that it made of the token: realised, and of its lots at the mark. */ readonly made: number | null;
/** What it was at the launch. */ readonly roles: readonly ('dev' | 'sniper' | 'bundler' | 'insider')[];
/** Why, role by role. */ readonly evidence: readonly (RoleEvidence)[];
};

export type TokenBuyers = {
/** Matching items, on all pages. */ readonly count: number;
/** For the next page; absent on the last. */ readonly cursor?: string | undefined;
readonly data: readonly (TokenBuyer)[];
/** Whether the token has more buyers than the first 1,000, which `count` ends with. */ readonly has_more: boolean;
/** The launch; `null` if none is known: then nobody has a role. */ readonly launch: LaunchPlace | null;
/** All of the launch; `null` if nobody can know them. */ readonly bundles: readonly (LaunchBundle)[] | null;
/** All of them, whether they bought or not; `null` if nobody can know them. */ readonly insiders: readonly (LaunchInsider)[] | null;
};

/** Filters by label: `dynamic_labels` of each profile names those that hold. */
export type TokenDynamicLabels = { readonly [name: string]: TokenFilter };

/** Every key must hold: a field path with a value (equality) or an object of operators, and the groups `$and`, `$or`, `$nor`, `$not`. */
export type TokenFilter = {
/** All of them hold. */ readonly $and?: readonly (TokenFilter)[] | undefined;
/** Any of them holds. */ readonly $or?: readonly (TokenFilter)[] | undefined;
/** None of them holds. */ readonly $nor?: readonly (TokenFilter)[] | undefined;
readonly $not?: TokenFilter | undefined;
readonly updated_at?: DateCondition | undefined;
readonly synced_at?: DateCondition | undefined;
readonly token_address?: TextCondition | undefined;
readonly labels?: TokenLabelsCondition | undefined;
readonly 'metadata.last_trade_at'?: DateCondition | undefined;
readonly 'metadata.created_at'?: DateCondition | undefined;
readonly 'metadata.age'?: NumberCondition | undefined;
readonly 'metadata.idle'?: NumberCondition | undefined;
readonly 'metadata.symbol'?: TextCondition | undefined;
readonly 'metadata.name'?: TextCondition | undefined;
readonly 'metadata.image'?: TextCondition | undefined;
readonly 'metadata.verified'?: BooleanCondition | undefined;
readonly 'metadata.creator_address'?: TextCondition | undefined;
readonly 'metadata.twitter'?: TextCondition | undefined;
readonly 'metadata.discord'?: TextCondition | undefined;
readonly 'metadata.website'?: TextCondition | undefined;
readonly 'metadata.telegram'?: TextCondition | undefined;
readonly 'market.fdv'?: NumberCondition | undefined;
readonly 'market.market_cap'?: NumberCondition | undefined;
readonly 'market.price'?: NumberCondition | undefined;
readonly 'market.liquidity'?: NumberCondition | undefined;
readonly 'market.holders'?: NumberCondition | undefined;
readonly 'market.total_supply'?: NumberCondition | undefined;
readonly 'market.circulating_supply'?: NumberCondition | undefined;
readonly 'market.top_holdings'?: NumberCondition | undefined;
readonly 'market.dev_holdings'?: NumberCondition | undefined;
readonly 'metrics.7d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.7d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.7d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.7d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.volume'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.position_count'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.7d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.7d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.7d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.7d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.7d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.7d.largest_trade_win'?: NumberCondition | undefined;
readonly 'metrics.7d.largest_trade_loss'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_trade_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_trade_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_wallet_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_wallet_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_wallet_winrate'?: NumberCondition | undefined;
readonly 'metrics.7d.makers_count'?: NumberCondition | undefined;
readonly 'metrics.7d.buyers_count'?: NumberCondition | undefined;
readonly 'metrics.7d.sellers_count'?: NumberCondition | undefined;
readonly 'metrics.7d.win_position_count'?: NumberCondition | undefined;
readonly 'metrics.7d.loss_position_count'?: NumberCondition | undefined;
readonly 'metrics.7d.wallet_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_price'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_buy_price'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_sell_price'?: NumberCondition | undefined;
readonly 'metrics.7d.price_volatility'?: NumberCondition | undefined;
readonly 'metrics.7d.price_stability'?: NumberCondition | undefined;
readonly 'metrics.7d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.7d.wallet_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.7d.wallet_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.7d.wallet_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.7d.wallet_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.7d.wallet_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.7d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.7d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.7d.organic_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.1d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.1d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.1d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.1d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.volume'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.position_count'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.1d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.1d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.1d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.1d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.1d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.1d.largest_trade_win'?: NumberCondition | undefined;
readonly 'metrics.1d.largest_trade_loss'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_trade_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_trade_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_wallet_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_wallet_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_wallet_winrate'?: NumberCondition | undefined;
readonly 'metrics.1d.makers_count'?: NumberCondition | undefined;
readonly 'metrics.1d.buyers_count'?: NumberCondition | undefined;
readonly 'metrics.1d.sellers_count'?: NumberCondition | undefined;
readonly 'metrics.1d.win_position_count'?: NumberCondition | undefined;
readonly 'metrics.1d.loss_position_count'?: NumberCondition | undefined;
readonly 'metrics.1d.wallet_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_price'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_buy_price'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_sell_price'?: NumberCondition | undefined;
readonly 'metrics.1d.price_volatility'?: NumberCondition | undefined;
readonly 'metrics.1d.price_stability'?: NumberCondition | undefined;
readonly 'metrics.1d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.1d.wallet_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.1d.wallet_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.1d.wallet_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.1d.wallet_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.1d.wallet_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.1d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.1d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.1d.organic_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.6h.trade_count'?: NumberCondition | undefined;
readonly 'metrics.6h.buy_count'?: NumberCondition | undefined;
readonly 'metrics.6h.sell_count'?: NumberCondition | undefined;
readonly 'metrics.6h.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.6h.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.6h.volume'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.6h.pnl'?: NumberCondition | undefined;
readonly 'metrics.6h.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.6h.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.6h.position_count'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.6h.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.6h.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.6h.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.6h.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.6h.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.6h.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.6h.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.6h.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.6h.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.6h.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.6h.largest_trade_win'?: NumberCondition | undefined;
readonly 'metrics.6h.largest_trade_loss'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_trade_pnl'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_trade_roi'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_wallet_pnl'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_wallet_roi'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_wallet_winrate'?: NumberCondition | undefined;
readonly 'metrics.6h.makers_count'?: NumberCondition | undefined;
readonly 'metrics.6h.buyers_count'?: NumberCondition | undefined;
readonly 'metrics.6h.sellers_count'?: NumberCondition | undefined;
readonly 'metrics.6h.win_position_count'?: NumberCondition | undefined;
readonly 'metrics.6h.loss_position_count'?: NumberCondition | undefined;
readonly 'metrics.6h.wallet_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_price'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_buy_price'?: NumberCondition | undefined;
readonly 'metrics.6h.avg_sell_price'?: NumberCondition | undefined;
readonly 'metrics.6h.price_volatility'?: NumberCondition | undefined;
readonly 'metrics.6h.price_stability'?: NumberCondition | undefined;
readonly 'metrics.6h.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.6h.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.6h.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.6h.wallet_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.6h.wallet_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.6h.wallet_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.6h.wallet_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.6h.wallet_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.6h.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.6h.volume_native'?: NumberCondition | undefined;
readonly 'metrics.6h.organic_volume'?: NumberCondition | undefined;
readonly 'metrics.6h.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.1h.trade_count'?: NumberCondition | undefined;
readonly 'metrics.1h.buy_count'?: NumberCondition | undefined;
readonly 'metrics.1h.sell_count'?: NumberCondition | undefined;
readonly 'metrics.1h.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.1h.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.1h.volume'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.1h.pnl'?: NumberCondition | undefined;
readonly 'metrics.1h.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.1h.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.1h.position_count'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.1h.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.1h.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.1h.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.1h.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.1h.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.1h.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.1h.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.1h.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.1h.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.1h.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.1h.largest_trade_win'?: NumberCondition | undefined;
readonly 'metrics.1h.largest_trade_loss'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_trade_pnl'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_trade_roi'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_wallet_pnl'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_wallet_roi'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_wallet_winrate'?: NumberCondition | undefined;
readonly 'metrics.1h.makers_count'?: NumberCondition | undefined;
readonly 'metrics.1h.buyers_count'?: NumberCondition | undefined;
readonly 'metrics.1h.sellers_count'?: NumberCondition | undefined;
readonly 'metrics.1h.win_position_count'?: NumberCondition | undefined;
readonly 'metrics.1h.loss_position_count'?: NumberCondition | undefined;
readonly 'metrics.1h.wallet_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_price'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_buy_price'?: NumberCondition | undefined;
readonly 'metrics.1h.avg_sell_price'?: NumberCondition | undefined;
readonly 'metrics.1h.price_volatility'?: NumberCondition | undefined;
readonly 'metrics.1h.price_stability'?: NumberCondition | undefined;
readonly 'metrics.1h.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.1h.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.1h.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.1h.wallet_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.1h.wallet_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.1h.wallet_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.1h.wallet_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.1h.wallet_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.1h.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.1h.volume_native'?: NumberCondition | undefined;
readonly 'metrics.1h.organic_volume'?: NumberCondition | undefined;
readonly 'metrics.1h.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.5m.trade_count'?: NumberCondition | undefined;
readonly 'metrics.5m.buy_count'?: NumberCondition | undefined;
readonly 'metrics.5m.sell_count'?: NumberCondition | undefined;
readonly 'metrics.5m.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.5m.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.5m.volume'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.5m.pnl'?: NumberCondition | undefined;
readonly 'metrics.5m.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.5m.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.5m.position_count'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.5m.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.5m.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.5m.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.5m.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.5m.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.5m.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.5m.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.5m.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.5m.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.5m.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.5m.largest_trade_win'?: NumberCondition | undefined;
readonly 'metrics.5m.largest_trade_loss'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_trade_pnl'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_trade_roi'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_wallet_pnl'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_wallet_roi'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_wallet_winrate'?: NumberCondition | undefined;
readonly 'metrics.5m.makers_count'?: NumberCondition | undefined;
readonly 'metrics.5m.buyers_count'?: NumberCondition | undefined;
readonly 'metrics.5m.sellers_count'?: NumberCondition | undefined;
readonly 'metrics.5m.win_position_count'?: NumberCondition | undefined;
readonly 'metrics.5m.loss_position_count'?: NumberCondition | undefined;
readonly 'metrics.5m.wallet_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_price'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_buy_price'?: NumberCondition | undefined;
readonly 'metrics.5m.avg_sell_price'?: NumberCondition | undefined;
readonly 'metrics.5m.price_volatility'?: NumberCondition | undefined;
readonly 'metrics.5m.price_stability'?: NumberCondition | undefined;
readonly 'metrics.5m.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.5m.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.5m.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.5m.wallet_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.5m.wallet_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.5m.wallet_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.5m.wallet_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.5m.wallet_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.5m.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.5m.volume_native'?: NumberCondition | undefined;
readonly 'metrics.5m.organic_volume'?: NumberCondition | undefined;
readonly 'metrics.5m.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.1m.trade_count'?: NumberCondition | undefined;
readonly 'metrics.1m.buy_count'?: NumberCondition | undefined;
readonly 'metrics.1m.sell_count'?: NumberCondition | undefined;
readonly 'metrics.1m.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.1m.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.1m.volume'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.1m.pnl'?: NumberCondition | undefined;
readonly 'metrics.1m.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.1m.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.1m.position_count'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.1m.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.1m.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.1m.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.1m.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.1m.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.1m.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.1m.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.1m.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.1m.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.1m.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.1m.largest_trade_win'?: NumberCondition | undefined;
readonly 'metrics.1m.largest_trade_loss'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_trade_pnl'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_trade_roi'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_wallet_pnl'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_wallet_roi'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_wallet_winrate'?: NumberCondition | undefined;
readonly 'metrics.1m.makers_count'?: NumberCondition | undefined;
readonly 'metrics.1m.buyers_count'?: NumberCondition | undefined;
readonly 'metrics.1m.sellers_count'?: NumberCondition | undefined;
readonly 'metrics.1m.win_position_count'?: NumberCondition | undefined;
readonly 'metrics.1m.loss_position_count'?: NumberCondition | undefined;
readonly 'metrics.1m.wallet_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_price'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_buy_price'?: NumberCondition | undefined;
readonly 'metrics.1m.avg_sell_price'?: NumberCondition | undefined;
readonly 'metrics.1m.price_volatility'?: NumberCondition | undefined;
readonly 'metrics.1m.price_stability'?: NumberCondition | undefined;
readonly 'metrics.1m.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.1m.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.1m.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.1m.wallet_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.1m.wallet_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.1m.wallet_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.1m.wallet_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.1m.wallet_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.1m.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.1m.volume_native'?: NumberCondition | undefined;
readonly 'metrics.1m.organic_volume'?: NumberCondition | undefined;
readonly 'metrics.1m.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.7d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.6h.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.1h.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.5m.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.1m.cumulative_pnl'?: NumberCondition | undefined;
};

export type TokenHistory = {
/** Address. */ readonly token: string;
/** Oldest first. */ readonly points: readonly (TokenPoint)[];
};

/** A label of the interface, or of a rule of this server. */
export type TokenLabel = 'trending' | 'hot' | 'new' | 'popular';

/** What is asked of the labels: a value, or operators that must all hold. `null` is a missing value. */
export type TokenLabelsCondition = TokenLabel | null | {
readonly $eq?: TokenLabel | null | undefined;
readonly $ne?: TokenLabel | null | undefined;
readonly $in?: readonly (TokenLabel | null)[] | undefined;
readonly $nin?: readonly (TokenLabel | null)[] | undefined;
readonly $exists?: boolean | undefined;
readonly $all?: readonly (TokenLabel)[] | undefined;
};

export type TokenLaunch = {
/** Why this is the launch: the first swap from `created_at` on; the first swap, before `created_at`; without `created_at`, a first swap that many buys follow. `null` if no launch is known: then all else is `null`. */ readonly source: 'created_at' | 'first_swap' | 'activity' | null;
/** Block time of the launch. */ readonly launched_at: string | null;
/** Seconds from `created_at` to the launch. */ readonly after_creation: number | null;
/** Slot or number of its block. */ readonly block_slot: number | null;
/** Hash of its transaction. */ readonly tx_hash: string | null;
/** Wallets whose first trade is a buy within the span of the launch. */ readonly sniper_count: number | null;
/** Bundles: wallets that bought together. */ readonly bundle_count: number | null;
/** Wallets in the bundles. */ readonly bundler_count: number | null;
/** Wallets that got tokens of the dev, or of bundlers, by transfers, and sold some. */ readonly insider_count: number | null;
/** Percent of total_supply in the first buys of the dev. */ readonly dev_bought_share: number | null;
/** Percent of total_supply in the balances of the dev. */ readonly dev_held_share: number | null;
/** USD that the dev made of the token: realised, and of their lots at the mark. */ readonly dev_pnl: number | null;
/** Percent of total_supply in the first buys of the snipers. */ readonly sniper_bought_share: number | null;
/** Percent of total_supply in the balances of the snipers. */ readonly sniper_held_share: number | null;
/** USD that the snipers made of the token: realised, and of their lots at the mark. */ readonly sniper_pnl: number | null;
/** Percent of total_supply in the first buys of the bundlers. */ readonly bundler_bought_share: number | null;
/** Percent of total_supply in the balances of the bundlers. */ readonly bundler_held_share: number | null;
/** USD that the bundlers made of the token: realised, and of their lots at the mark. */ readonly bundler_pnl: number | null;
/** Percent of total_supply in the first buys of the insiders. */ readonly insider_bought_share: number | null;
/** Percent of total_supply in the balances of the insiders. */ readonly insider_held_share: number | null;
/** USD that the insiders made of the token: realised, and of their lots at the mark. */ readonly insider_pnl: number | null;
};

export type TokenMetrics = {
/** Trades in the window. Formula: |T|. Unit: count. */ readonly trade_count: number;
/** Buys in the window. Formula: |B|. Unit: count. */ readonly buy_count: number;
/** Sells in the window. Formula: |S|. Unit: count. */ readonly sell_count: number;
/** What was bought in the window. Formula: sum of usd_amount over B. Unit: USD. */ readonly buy_volume: number | null;
/** What was sold in the window. Formula: sum of usd_amount over S. Unit: USD. */ readonly sell_volume: number | null;
/** What was bought and sold in the window. Formula: sum of usd_amount over T. Unit: USD. */ readonly volume: number | null;
/** Mean size of a buy of known value. Formula: mean usd_amount over B. Unit: USD. */ readonly avg_buy_size: number | null;
/** Mean size of a sell of known value. Formula: mean usd_amount over S. Unit: USD. */ readonly avg_sell_size: number | null;
/** Mean market cap of the token at the buys, where known. Formula: mean of token_price x supply over B. Unit: USD. */ readonly avg_buy_mcap: number | null;
/** Mean market cap of the token at the sells, where known. Formula: mean of token_price x supply over S. Unit: USD. */ readonly avg_sell_mcap: number | null;
/** Realised profit of the sells in the window, first in first out. Formula: sum of proceeds - cost over R*. Unit: USD. */ readonly pnl: number | null;
/** Sum of the profits. Formula: sum of pnl over wins. Unit: USD. */ readonly win_pnl: number | null;
/** Sum of the losses, not positive. Formula: sum of pnl over losses. Unit: USD. */ readonly loss_pnl: number | null;
/** Wallet-token pairs with a realised sell in the window. Formula: |P|. Unit: count. */ readonly position_count: number;
/** Mean time that sold tokens were held, weighted within a sell by amount. Formula: mean of sum(matched x age) / matched over R. Unit: seconds. */ readonly avg_holding_duration: number | null;
/** Part of the cost at stake that was in wins. Formula: cost of wins / cost of wins and losses x 100. Unit: percent. */ readonly volume_weighted_winrate: number | null;
/** Mean return of a realised sell, weighted by its turnover. Formula: sum(roi x v) / sum(v) over R, v = cost + proceeds. Unit: percent. */ readonly volume_weighted_roi: number | null;
/** Profits per unit of loss. Formula: win_pnl / |loss_pnl|. Unit: ratio. */ readonly profit_factor: number | null;
/** Mean win against mean loss. Formula: mean win / |mean loss|. Unit: ratio. */ readonly win_loss_size_ratio: number | null;
/** Profit per USD traded. Formula: pnl / volume. Unit: ratio. */ readonly pnl_volume_ratio: number | null;
/** Profit of the sells whose cost and proceeds are both under dust_usd: what pnl has beside win_pnl and loss_pnl. Formula: sum of proceeds - cost over R* without R. Unit: USD. */ readonly small_pnl: number | null;
/** How much the profit of a period scatters. Formula: volatility of pnl_j. Unit: USD. */ readonly pnl_volatility: number | null;
/** How even the profit of the periods is, 0 to 1. Formula: |mean| / (|mean| + volatility) of pnl_j. Unit: ratio. */ readonly pnl_stability: number | null;
/** How much the return of a period scatters, in points. Formula: volatility of roi_j. Unit: percent. */ readonly roi_volatility: number | null;
/** How even the return of the periods is, 0 to 1. Formula: |mean| / (|mean| + volatility) of roi_j. Unit: ratio. */ readonly roi_stability: number | null;
/** Largest profit of a realised sell, 0 without one. Formula: max(0, max pnl) over R. Unit: USD. */ readonly largest_trade_win: number | null;
/** Largest loss of a realised sell, 0 without one. Formula: min(0, min pnl) over R. Unit: USD. */ readonly largest_trade_loss: number | null;
/** Mean result of a realised sell. Formula: (win_pnl + loss_pnl) / |R|. Unit: USD. */ readonly avg_trade_pnl: number | null;
/** Mean return of a realised sell. Formula: mean of pnl / cost x 100 over R. Unit: percent. */ readonly avg_trade_roi: number | null;
/** Mean result of a wallet. Formula: mean of pnl_p over P. Unit: USD. */ readonly avg_wallet_pnl: number | null;
/** Mean return of a wallet. Formula: mean of pnl_p / cost_p x 100 over P. Unit: percent. */ readonly avg_wallet_roi: number | null;
/** Mean win rate of the wallets that have a win or a loss. Formula: mean over such p of wins / (wins + losses) x 100. Unit: percent. */ readonly avg_wallet_winrate: number | null;
/** Distinct wallets that traded. Formula: distinct wallets in T. Unit: count. */ readonly makers_count: number;
/** Distinct wallets that bought. Formula: distinct wallets in B. Unit: count. */ readonly buyers_count: number;
/** Distinct wallets that sold. Formula: distinct wallets in S. Unit: count. */ readonly sellers_count: number;
/** Wallets whose realised sells in the window made a profit together. Formula: |p with pnl_p > 0|. Unit: count. */ readonly win_position_count: number;
/** Wallets whose realised sells in the window made a loss together. Formula: |p with pnl_p < 0|. Unit: count. */ readonly loss_position_count: number;
/** Part of the wallets that made a profit. Formula: win_position_count / position_count. Unit: ratio. */ readonly wallet_hit_ratio: number | null;
/** Volume-weighted price of the trades. Formula: volume / token amount over T of known value. Unit: USD per token. */ readonly avg_price: number | null;
/** Volume-weighted price of the buys. Formula: volume / token amount over B of known value. Unit: USD per token. */ readonly avg_buy_price: number | null;
/** Volume-weighted price of the sells. Formula: volume / token amount over S of known value. Unit: USD per token. */ readonly avg_sell_price: number | null;
/** How much the price changes from period to period scatter. Formula: volatility(x_j) x 100. Unit: percent. */ readonly price_volatility: number | null;
/** How even the price is, 0 to 1. Formula: |mean| / (|mean| + volatility) of price_j. Unit: ratio. */ readonly price_stability: number | null;
/** Mean price change of a period against its scatter, over the window, risk-free rate 0. Formula: mean(x_j) / volatility(x_j) x sqrt(periods). Unit: ratio. */ readonly sharpe_ratio: number | null;
/** Mean price change of a period against its downside, over the window, target 0. Formula: mean(x_j) / sqrt(mean(min(x_j, 0)^2)) x sqrt(periods). Unit: ratio. */ readonly sortino_ratio: number | null;
/** Largest fall of the price from its peak, over every print that is not suspect. Formula: max(1 - print / running peak) x 100 over q(A - w) and the prints in the window that are not suspect. Unit: percent. */ readonly max_drawdown: number | null;
readonly wallet_roi_distribution: {
/** Number of wallets whose return in the window is over 500 %. Formula: |p with roi_p over 500 %|. Unit: count. */ readonly gt_500: number;
/** Number of wallets whose return in the window is over 200 to 500 %. Formula: |p with roi_p over 200 to 500 %|. Unit: count. */ readonly '200_500': number;
/** Number of wallets whose return in the window is 0 to 200 %. Formula: |p with roi_p 0 to 200 %|. Unit: count. */ readonly '0_200': number;
/** Number of wallets whose return in the window is -50 to under 0 %. Formula: |p with roi_p -50 to under 0 %|. Unit: count. */ readonly neg50_0: number;
/** Number of wallets whose return in the window is under -50 %. Formula: |p with roi_p under -50 %|. Unit: count. */ readonly lt_neg50_0: number;
};
/** Trades whose value in USD is unknown: they are in no sum of USD. Formula: |t in T without a usd_amount|. Unit: count. */ readonly unvalued_trade_count: number;
/** Value of the trades in the native token. Formula: sum native_amount over T, where known. Unit: native. */ readonly volume_native: number | null;
/** Volume without what was bought and sold often, at once and for nothing. Formula: volume - the wash_volume of the positions of its wallets. Unit: USD. */ readonly organic_volume: number | null;
/** Part of the value of the sells that has no known cost: no profit figure has it. Formula: unmatched_proceeds / sell_volume x 100. Unit: percent. */ readonly unmatched_share: number | null;
};

export type TokenPoint = {
/** Unix seconds, UTC. */ readonly timestamp: number;
/** USD per token, at the last print until then that is not suspect, as `market.price` has it. */ readonly price?: number | null | undefined;
/** Wallets with a positive balance. */ readonly holders?: number | undefined;
/** Distinct wallets that traded in the interval. */ readonly makers_count?: number | undefined;
/** Trades in the interval. */ readonly trade_count?: number | undefined;
/** USD, of the trades in the interval. */ readonly volume?: number | undefined;
/** USD, of the buys in the interval. */ readonly buy_volume?: number | undefined;
/** USD, of the sells in the interval. */ readonly sell_volume?: number | undefined;
};

export type TokenProfile = {
/** Block time of the newest swap that the data reflects. */ readonly updated_at: string | null;
/** When the profile was stored. */ readonly synced_at: string | null;
/** Address. */ readonly token_address: string;
/** Labels that hold. */ readonly labels?: readonly (TokenLabel)[] | undefined;
/** By label, the names of the rules that matched. */ readonly matched_labels?: { readonly [name: string]: readonly (string)[] } | undefined;
readonly metadata?: {
/** Block time of the newest trade. */ readonly last_trade_at: string | null;
/** The token's creation, from the registry. */ readonly created_at: string | null;
/** Symbol, from the registry, else of the newest swap that names one. */ readonly symbol: string | null;
/** Name, from the registry. */ readonly name: string | null;
/** Address of its image, from the registry. */ readonly image: string | null;
/** Whether the registry vouches for it. */ readonly verified: boolean | null;
/** Wallet that created it, from the registry. */ readonly creator_address: string | null;
/** Account on Twitter, from the registry. */ readonly twitter: string | null;
/** Discord, from the registry. */ readonly discord: string | null;
/** Address of its website, from the registry. */ readonly website: string | null;
/** Telegram, from the registry. */ readonly telegram: string | null;
} | undefined;
readonly market?: {
/** USD: price x total_supply. */ readonly fdv: number | null;
/** USD: price x circulating_supply, or total_supply if that is 0 or unknown. */ readonly market_cap: number | null;
/** Latest price, USD per token. */ readonly price: number | null;
/** USD, from the registry. */ readonly liquidity: number | null;
/** Wallets with a positive balance, unless the registry gives the figure. */ readonly holders: number;
/** Whole tokens, from the registry. */ readonly total_supply: number | null;
/** Whole tokens, from the registry. */ readonly circulating_supply: number | null;
/** Percent of total_supply that the 10 largest balances hold. */ readonly top_holdings: number | null;
/** Percent of total_supply that the creator holds. */ readonly dev_holdings: number | null;
} | undefined;
/** Metrics by window. */ readonly metrics?: {
readonly '7d'?: TokenMetrics | undefined;
readonly '1d'?: TokenMetrics | undefined;
readonly '6h'?: TokenMetrics | undefined;
readonly '1h'?: TokenMetrics | undefined;
readonly '5m'?: TokenMetrics | undefined;
readonly '1m'?: TokenMetrics | undefined;
} | undefined;
readonly launch?: TokenLaunch | undefined;
/** The last instant that the profile holds for, where a refresh of what was traded has left it behind the others. */ readonly as_of?: string | undefined;
/** Labels of the request that hold. */ readonly dynamic_labels?: readonly (string)[] | undefined;
readonly explain?: ProfileExplanation | undefined;
};

/** One key, or up to four, the most important first. Default: by relevance with a `query`. */
export type TokenSort = TokenSortKey | readonly (TokenSortKey)[];

/** A field to sort by. */
export type TokenSortKey = {
/** A path of numbers, dates or text. */ readonly field: 'updated_at' | 'synced_at' | 'token_address' | 'metadata.last_trade_at' | 'metadata.created_at' | 'metadata.age' | 'metadata.idle' | 'metadata.symbol' | 'metadata.name' | 'metadata.image' | 'metadata.creator_address' | 'metadata.twitter' | 'metadata.discord' | 'metadata.website' | 'metadata.telegram' | 'market.fdv' | 'market.market_cap' | 'market.price' | 'market.liquidity' | 'market.holders' | 'market.total_supply' | 'market.circulating_supply' | 'market.top_holdings' | 'market.dev_holdings' | 'metrics.7d.trade_count' | 'metrics.7d.buy_count' | 'metrics.7d.sell_count' | 'metrics.7d.buy_volume' | 'metrics.7d.sell_volume' | 'metrics.7d.volume' | 'metrics.7d.avg_buy_size' | 'metrics.7d.avg_sell_size' | 'metrics.7d.avg_buy_mcap' | 'metrics.7d.avg_sell_mcap' | 'metrics.7d.pnl' | 'metrics.7d.win_pnl' | 'metrics.7d.loss_pnl' | 'metrics.7d.position_count' | 'metrics.7d.avg_holding_duration' | 'metrics.7d.volume_weighted_winrate' | 'metrics.7d.volume_weighted_roi' | 'metrics.7d.profit_factor' | 'metrics.7d.win_loss_size_ratio' | 'metrics.7d.pnl_volume_ratio' | 'metrics.7d.small_pnl' | 'metrics.7d.pnl_volatility' | 'metrics.7d.pnl_stability' | 'metrics.7d.roi_volatility' | 'metrics.7d.roi_stability' | 'metrics.7d.largest_trade_win' | 'metrics.7d.largest_trade_loss' | 'metrics.7d.avg_trade_pnl' | 'metrics.7d.avg_trade_roi' | 'metrics.7d.avg_wallet_pnl' | 'metrics.7d.avg_wallet_roi' | 'metrics.7d.avg_wallet_winrate' | 'metrics.7d.makers_count' | 'metrics.7d.buyers_count' | 'metrics.7d.sellers_count' | 'metrics.7d.win_position_count' | 'metrics.7d.loss_position_count' | 'metrics.7d.wallet_hit_ratio' | 'metrics.7d.avg_price' | 'metrics.7d.avg_buy_price' | 'metrics.7d.avg_sell_price' | 'metrics.7d.price_volatility' | 'metrics.7d.price_stability' | 'metrics.7d.sharpe_ratio' | 'metrics.7d.sortino_ratio' | 'metrics.7d.max_drawdown' | 'metrics.7d.wallet_roi_distribution.gt_500' | 'metrics.7d.wallet_roi_distribution.200_500' | 'metrics.7d.wallet_roi_distribution.0_200' | 'metrics.7d.wallet_roi_distribution.neg50_0' | 'metrics.7d.wallet_roi_distribution.lt_neg50_0' | 'metrics.7d.unvalued_trade_count' | 'metrics.7d.volume_native' | 'metrics.7d.organic_volume' | 'metrics.7d.unmatched_share' | 'metrics.1d.trade_count' | 'metrics.1d.buy_count' | 'metrics.1d.sell_count' | 'metrics.1d.buy_volume' | 'metrics.1d.sell_volume' | 'metrics.1d.volume' | 'metrics.1d.avg_buy_size' | 'metrics.1d.avg_sell_size' | 'metrics.1d.avg_buy_mcap' | 'metrics.1d.avg_sell_mcap' | 'metrics.1d.pnl' | 'metrics.1d.win_pnl' | 'metrics.1d.loss_pnl' | 'metrics.1d.position_count' | 'metrics.1d.avg_holding_duration' | 'metrics.1d.volume_weighted_winrate' | 'metrics.1d.volume_weighted_roi' | 'metrics.1d.profit_factor' | 'metrics.1d.win_loss_size_ratio' | 'metrics.1d.pnl_volume_ratio' | 'metrics.1d.small_pnl' | 'metrics.1d.pnl_volatility' | 'metrics.1d.pnl_stability' | 'metrics.1d.roi_volatility' | 'metrics.1d.roi_stability' | 'metrics.1d.largest_trade_win' | 'metrics.1d.largest_trade_loss' | 'metrics.1d.avg_trade_pnl' | 'metrics.1d.avg_trade_roi' | 'metrics.1d.avg_wallet_pnl' | 'metrics.1d.avg_wallet_roi' | 'metrics.1d.avg_wallet_winrate' | 'metrics.1d.makers_count' | 'metrics.1d.buyers_count' | 'metrics.1d.sellers_count' | 'metrics.1d.win_position_count' | 'metrics.1d.loss_position_count' | 'metrics.1d.wallet_hit_ratio' | 'metrics.1d.avg_price' | 'metrics.1d.avg_buy_price' | 'metrics.1d.avg_sell_price' | 'metrics.1d.price_volatility' | 'metrics.1d.price_stability' | 'metrics.1d.sharpe_ratio' | 'metrics.1d.sortino_ratio' | 'metrics.1d.max_drawdown' | 'metrics.1d.wallet_roi_distribution.gt_500' | 'metrics.1d.wallet_roi_distribution.200_500' | 'metrics.1d.wallet_roi_distribution.0_200' | 'metrics.1d.wallet_roi_distribution.neg50_0' | 'metrics.1d.wallet_roi_distribution.lt_neg50_0' | 'metrics.1d.unvalued_trade_count' | 'metrics.1d.volume_native' | 'metrics.1d.organic_volume' | 'metrics.1d.unmatched_share' | 'metrics.6h.trade_count' | 'metrics.6h.buy_count' | 'metrics.6h.sell_count' | 'metrics.6h.buy_volume' | 'metrics.6h.sell_volume' | 'metrics.6h.volume' | 'metrics.6h.avg_buy_size' | 'metrics.6h.avg_sell_size' | 'metrics.6h.avg_buy_mcap' | 'metrics.6h.avg_sell_mcap' | 'metrics.6h.pnl' | 'metrics.6h.win_pnl' | 'metrics.6h.loss_pnl' | 'metrics.6h.position_count' | 'metrics.6h.avg_holding_duration' | 'metrics.6h.volume_weighted_winrate' | 'metrics.6h.volume_weighted_roi' | 'metrics.6h.profit_factor' | 'metrics.6h.win_loss_size_ratio' | 'metrics.6h.pnl_volume_ratio' | 'metrics.6h.small_pnl' | 'metrics.6h.pnl_volatility' | 'metrics.6h.pnl_stability' | 'metrics.6h.roi_volatility' | 'metrics.6h.roi_stability' | 'metrics.6h.largest_trade_win' | 'metrics.6h.largest_trade_loss' | 'metrics.6h.avg_trade_pnl' | 'metrics.6h.avg_trade_roi' | 'metrics.6h.avg_wallet_pnl' | 'metrics.6h.avg_wallet_roi' | 'metrics.6h.avg_wallet_winrate' | 'metrics.6h.makers_count' | 'metrics.6h.buyers_count' | 'metrics.6h.sellers_count' | 'metrics.6h.win_position_count' | 'metrics.6h.loss_position_count' | 'metrics.6h.wallet_hit_ratio' | 'metrics.6h.avg_price' | 'metrics.6h.avg_buy_price' | 'metrics.6h.avg_sell_price' | 'metrics.6h.price_volatility' | 'metrics.6h.price_stability' | 'metrics.6h.sharpe_ratio' | 'metrics.6h.sortino_ratio' | 'metrics.6h.max_drawdown' | 'metrics.6h.wallet_roi_distribution.gt_500' | 'metrics.6h.wallet_roi_distribution.200_500' | 'metrics.6h.wallet_roi_distribution.0_200' | 'metrics.6h.wallet_roi_distribution.neg50_0' | 'metrics.6h.wallet_roi_distribution.lt_neg50_0' | 'metrics.6h.unvalued_trade_count' | 'metrics.6h.volume_native' | 'metrics.6h.organic_volume' | 'metrics.6h.unmatched_share' | 'metrics.1h.trade_count' | 'metrics.1h.buy_count' | 'metrics.1h.sell_count' | 'metrics.1h.buy_volume' | 'metrics.1h.sell_volume' | 'metrics.1h.volume' | 'metrics.1h.avg_buy_size' | 'metrics.1h.avg_sell_size' | 'metrics.1h.avg_buy_mcap' | 'metrics.1h.avg_sell_mcap' | 'metrics.1h.pnl' | 'metrics.1h.win_pnl' | 'metrics.1h.loss_pnl' | 'metrics.1h.position_count' | 'metrics.1h.avg_holding_duration' | 'metrics.1h.volume_weighted_winrate' | 'metrics.1h.volume_weighted_roi' | 'metrics.1h.profit_factor' | 'metrics.1h.win_loss_size_ratio' | 'metrics.1h.pnl_volume_ratio' | 'metrics.1h.small_pnl' | 'metrics.1h.pnl_volatility' | 'metrics.1h.pnl_stability' | 'metrics.1h.roi_volatility' | 'metrics.1h.roi_stability' | 'metrics.1h.largest_trade_win' | 'metrics.1h.largest_trade_loss' | 'metrics.1h.avg_trade_pnl' | 'metrics.1h.avg_trade_roi' | 'metrics.1h.avg_wallet_pnl' | 'metrics.1h.avg_wallet_roi' | 'metrics.1h.avg_wallet_winrate' | 'metrics.1h.makers_count' | 'metrics.1h.buyers_count' | 'metrics.1h.sellers_count' | 'metrics.1h.win_position_count' | 'metrics.1h.loss_position_count' | 'metrics.1h.wallet_hit_ratio' | 'metrics.1h.avg_price' | 'metrics.1h.avg_buy_price' | 'metrics.1h.avg_sell_price' | 'metrics.1h.price_volatility' | 'metrics.1h.price_stability' | 'metrics.1h.sharpe_ratio' | 'metrics.1h.sortino_ratio' | 'metrics.1h.max_drawdown' | 'metrics.1h.wallet_roi_distribution.gt_500' | 'metrics.1h.wallet_roi_distribution.200_500' | 'metrics.1h.wallet_roi_distribution.0_200' | 'metrics.1h.wallet_roi_distribution.neg50_0' | 'metrics.1h.wallet_roi_distribution.lt_neg50_0' | 'metrics.1h.unvalued_trade_count' | 'metrics.1h.volume_native' | 'metrics.1h.organic_volume' | 'metrics.1h.unmatched_share' | 'metrics.5m.trade_count' | 'metrics.5m.buy_count' | 'metrics.5m.sell_count' | 'metrics.5m.buy_volume' | 'metrics.5m.sell_volume' | 'metrics.5m.volume' | 'metrics.5m.avg_buy_size' | 'metrics.5m.avg_sell_size' | 'metrics.5m.avg_buy_mcap' | 'metrics.5m.avg_sell_mcap' | 'metrics.5m.pnl' | 'metrics.5m.win_pnl' | 'metrics.5m.loss_pnl' | 'metrics.5m.position_count' | 'metrics.5m.avg_holding_duration' | 'metrics.5m.volume_weighted_winrate' | 'metrics.5m.volume_weighted_roi' | 'metrics.5m.profit_factor' | 'metrics.5m.win_loss_size_ratio' | 'metrics.5m.pnl_volume_ratio' | 'metrics.5m.small_pnl' | 'metrics.5m.pnl_volatility' | 'metrics.5m.pnl_stability' | 'metrics.5m.roi_volatility' | 'metrics.5m.roi_stability' | 'metrics.5m.largest_trade_win' | 'metrics.5m.largest_trade_loss' | 'metrics.5m.avg_trade_pnl' | 'metrics.5m.avg_trade_roi' | 'metrics.5m.avg_wallet_pnl' | 'metrics.5m.avg_wallet_roi' | 'metrics.5m.avg_wallet_winrate' | 'metrics.5m.makers_count' | 'metrics.5m.buyers_count' | 'metrics.5m.sellers_count' | 'metrics.5m.win_position_count' | 'metrics.5m.loss_position_count' | 'metrics.5m.wallet_hit_ratio' | 'metrics.5m.avg_price' | 'metrics.5m.avg_buy_price' | 'metrics.5m.avg_sell_price' | 'metrics.5m.price_volatility' | 'metrics.5m.price_stability' | 'metrics.5m.sharpe_ratio' | 'metrics.5m.sortino_ratio' | 'metrics.5m.max_drawdown' | 'metrics.5m.wallet_roi_distribution.gt_500' | 'metrics.5m.wallet_roi_distribution.200_500' | 'metrics.5m.wallet_roi_distribution.0_200' | 'metrics.5m.wallet_roi_distribution.neg50_0' | 'metrics.5m.wallet_roi_distribution.lt_neg50_0' | 'metrics.5m.unvalued_trade_count' | 'metrics.5m.volume_native' | 'metrics.5m.organic_volume' | 'metrics.5m.unmatched_share' | 'metrics.1m.trade_count' | 'metrics.1m.buy_count' | 'metrics.1m.sell_count' | 'metrics.1m.buy_volume' | 'metrics.1m.sell_volume' | 'metrics.1m.volume' | 'metrics.1m.avg_buy_size' | 'metrics.1m.avg_sell_size' | 'metrics.1m.avg_buy_mcap' | 'metrics.1m.avg_sell_mcap' | 'metrics.1m.pnl' | 'metrics.1m.win_pnl' | 'metrics.1m.loss_pnl' | 'metrics.1m.position_count' | 'metrics.1m.avg_holding_duration' | 'metrics.1m.volume_weighted_winrate' | 'metrics.1m.volume_weighted_roi' | 'metrics.1m.profit_factor' | 'metrics.1m.win_loss_size_ratio' | 'metrics.1m.pnl_volume_ratio' | 'metrics.1m.small_pnl' | 'metrics.1m.pnl_volatility' | 'metrics.1m.pnl_stability' | 'metrics.1m.roi_volatility' | 'metrics.1m.roi_stability' | 'metrics.1m.largest_trade_win' | 'metrics.1m.largest_trade_loss' | 'metrics.1m.avg_trade_pnl' | 'metrics.1m.avg_trade_roi' | 'metrics.1m.avg_wallet_pnl' | 'metrics.1m.avg_wallet_roi' | 'metrics.1m.avg_wallet_winrate' | 'metrics.1m.makers_count' | 'metrics.1m.buyers_count' | 'metrics.1m.sellers_count' | 'metrics.1m.win_position_count' | 'metrics.1m.loss_position_count' | 'metrics.1m.wallet_hit_ratio' | 'metrics.1m.avg_price' | 'metrics.1m.avg_buy_price' | 'metrics.1m.avg_sell_price' | 'metrics.1m.price_volatility' | 'metrics.1m.price_stability' | 'metrics.1m.sharpe_ratio' | 'metrics.1m.sortino_ratio' | 'metrics.1m.max_drawdown' | 'metrics.1m.wallet_roi_distribution.gt_500' | 'metrics.1m.wallet_roi_distribution.200_500' | 'metrics.1m.wallet_roi_distribution.0_200' | 'metrics.1m.wallet_roi_distribution.neg50_0' | 'metrics.1m.wallet_roi_distribution.lt_neg50_0' | 'metrics.1m.unvalued_trade_count' | 'metrics.1m.volume_native' | 'metrics.1m.organic_volume' | 'metrics.1m.unmatched_share' | 'metrics.7d.cumulative_pnl' | 'metrics.1d.cumulative_pnl' | 'metrics.6h.cumulative_pnl' | 'metrics.1h.cumulative_pnl' | 'metrics.5m.cumulative_pnl' | 'metrics.1m.cumulative_pnl';
/** Missing values come last in both directions. Default `desc`. */ readonly direction?: 'asc' | 'desc' | undefined;
};

/** Text to match against addresses and names. */
export type TokenTextQuery = {
/** Words that must all match. */ readonly text: string;
/** The fields to match. Default: all of them. */ readonly fields?: readonly ('token_address' | 'metadata.name' | 'metadata.symbol')[] | undefined;
/** Match the beginnings of words. Default `false`. */ readonly autocomplete?: boolean | undefined;
/** Tolerate small typos. Default `false`. */ readonly fuzzy?: boolean | undefined;
};

export type Trade = {
/** Where the first swap took place. */ readonly protocol: string | null;
/** Who traded. */ readonly wallet: string;
/** What was bought or sold. */ readonly token: string;
/** What was paid or received for it. */ readonly quote: string;
/** Id of the wallet-token pair. */ readonly position: string;
/** Whole tokens. */ readonly token_amount: number;
/** Whole tokens of the quote. */ readonly quote_amount: number;
/** Whole native tokens: its own, those that it was traded for or through, or its value in them. */ readonly native_amount: number | null;
/** USD. */ readonly usd_amount: number | null;
/** Whole tokens, before the trade. */ readonly pre_token_balance: number | null;
/** Whole tokens, after the trade. */ readonly post_token_balance: number | null;
/** Symbol of the token. */ readonly token_symbol: string | null;
/** Symbol of the quote. */ readonly quote_symbol: string | null;
/** USD per token. */ readonly token_price: number | null;
/** USD per token of the quote. */ readonly quote_price: number | null;
/** Slot or number of the block. */ readonly block_slot: number | null;
/** Unix seconds, UTC. */ readonly block_time: number;
/** Hash of the transaction. */ readonly tx_hash: string;
/** Place of the first swap in the transaction. */ readonly trade_index: number;
/** Roles of what was given and received. */ readonly swap_type: 'quote_token' | 'token_quote' | 'token_token' | 'quote_quote';
/** Whether the wallet bought or sold the token. */ readonly direction: 'buy' | 'sell';
/** What the trade does to its position. */ readonly position_state: 'open' | 'trade' | 'close';
/** USD; null for a buy, and if no cost is known. */ readonly realized_pnl_usd: number | null;
/** Percent; null for a buy, and if no cost is known. */ readonly realized_roi: number | null;
/** Native tokens; null for a buy, and if no cost in them is known. */ readonly realized_pnl_native: number | null;
/** Native tokens: the trade's part of what its wallet paid the chain for the transaction. */ readonly fee_native: number | null;
/** Whole tokens that came (positive) or went (negative) unseen before the trade: what its balances say beyond what is stored; 0 without any. */ readonly gap_before: number;
/** USD: what lots cost that came back since the trade before of the same position; 0 without any. */ readonly returned_cost: number;
/** USD at the price of the trade; null without a supply. */ readonly market_cap: number | null;
/** Addresses of the pools that it went through, each once, in chain order; swaps without a pool have none. */ readonly pools: readonly (string)[];
};

export type Transfer = {
/** Hash of the transaction. */ readonly tx_hash: string;
/** Place in the transaction: a number that no other transfer of it has, such as a log index. A row without one gets a number from 2^52 on, made of what it says. */ readonly transfer_index: number;
/** Unix seconds, UTC. Where the store has swaps of the transaction, their time counts. */ readonly block_time: number;
/** Slot or number of the block. A rollback needs it. */ readonly block_slot: number | null;
/** Address of the token. */ readonly token: string;
/** Amount of the token, whole tokens. */ readonly token_amount: number;
/** Address of the wallet that it leaves. Missing, or the zero address: the tokens were minted. */ readonly from: string | null;
/** Address of the wallet that it reaches. Missing, or the zero address: the tokens were burnt. */ readonly to: string | null;
/** What the tokens cost the wallet that they reach, USD; 0 is a cost of 0. Not their value at the time. */ readonly cost_usd: number | null;
/** What it was, in words of your own, such as airdrop. */ readonly kind: string | null;
/** True if the rows of the transaction list all movements of the token, those of its swaps among them. One row with it speaks for its transaction. */ readonly includes_swaps: boolean;
/** Symbol of the token: of the registry, else of the configuration. */ readonly token_symbol: string | null;
};

/** Filters by label: `dynamic_labels` of each profile names those that hold. */
export type WalletDynamicLabels = { readonly [name: string]: WalletFilter };

/** Every key must hold: a field path with a value (equality) or an object of operators, and the groups `$and`, `$or`, `$nor`, `$not`. */
export type WalletFilter = {
/** All of them hold. */ readonly $and?: readonly (WalletFilter)[] | undefined;
/** Any of them holds. */ readonly $or?: readonly (WalletFilter)[] | undefined;
/** None of them holds. */ readonly $nor?: readonly (WalletFilter)[] | undefined;
readonly $not?: WalletFilter | undefined;
readonly updated_at?: DateCondition | undefined;
readonly synced_at?: DateCondition | undefined;
readonly wallet_address?: TextCondition | undefined;
readonly labels?: WalletLabelsCondition | undefined;
readonly 'metadata.last_trade_at'?: DateCondition | undefined;
readonly 'metadata.idle'?: NumberCondition | undefined;
readonly 'metadata.name'?: TextCondition | undefined;
readonly 'metadata.twitter_username'?: TextCondition | undefined;
readonly 'metadata.telegram_username'?: TextCondition | undefined;
readonly 'identity.name'?: TextCondition | undefined;
readonly 'identity.twitter_username'?: TextCondition | undefined;
readonly 'identity.telegram_username'?: TextCondition | undefined;
readonly 'lifetime.since'?: DateCondition | undefined;
readonly 'lifetime.first_trade_at'?: DateCondition | undefined;
readonly 'lifetime.trade_count'?: NumberCondition | undefined;
readonly 'lifetime.volume'?: NumberCondition | undefined;
readonly 'lifetime.token_count'?: NumberCondition | undefined;
readonly 'lifetime.position_count'?: NumberCondition | undefined;
readonly 'lifetime.realized_pnl'?: NumberCondition | undefined;
readonly 'lifetime.realized_cost'?: NumberCondition | undefined;
readonly 'lifetime.realized_roi'?: NumberCondition | undefined;
readonly 'lifetime.realized_pnl_native'?: NumberCondition | undefined;
readonly 'lifetime.win_count'?: NumberCondition | undefined;
readonly 'lifetime.loss_count'?: NumberCondition | undefined;
readonly 'lifetime.winrate'?: NumberCondition | undefined;
readonly 'lifetime.days_active'?: NumberCondition | undefined;
readonly 'lifetime.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'lifetime.unmatched_share'?: NumberCondition | undefined;
readonly 'lifetime.away_cost'?: NumberCondition | undefined;
readonly 'lifetime.away_share'?: NumberCondition | undefined;
readonly 'lifetime.best_token_share'?: NumberCondition | undefined;
readonly 'lifetime.thin_share'?: NumberCondition | undefined;
readonly 'lifetime.suspect_share'?: NumberCondition | undefined;
readonly 'holding.value'?: NumberCondition | undefined;
readonly 'holding.quote_value'?: NumberCondition | undefined;
readonly 'holding.cost_basis'?: NumberCondition | undefined;
readonly 'holding.unrealized_pnl'?: NumberCondition | undefined;
readonly 'holding.total_pnl'?: NumberCondition | undefined;
readonly 'holding.open_count'?: NumberCondition | undefined;
readonly 'holding.unknown_count'?: NumberCondition | undefined;
readonly 'holding.largest_share'?: NumberCondition | undefined;
readonly 'holding.stale_share'?: NumberCondition | undefined;
readonly 'holding.sunk_count'?: NumberCondition | undefined;
readonly 'holding.sunk_loss'?: NumberCondition | undefined;
readonly 'holding.token_win_count'?: NumberCondition | undefined;
readonly 'holding.token_loss_count'?: NumberCondition | undefined;
readonly 'holding.token_winrate'?: NumberCondition | undefined;
readonly 'holding.away_pnl'?: NumberCondition | undefined;
readonly 'holding.floor_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.30d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.30d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.30d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.30d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.30d.volume'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.position_count'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.30d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.30d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.30d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.30d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.30d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.30d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.30d.win_count'?: NumberCondition | undefined;
readonly 'metrics.30d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.30d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.30d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.30d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.30d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.30d.roi'?: NumberCondition | undefined;
readonly 'metrics.30d.winrate'?: NumberCondition | undefined;
readonly 'metrics.30d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.30d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.30d.turnover'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_token_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_token_roi'?: NumberCondition | undefined;
readonly 'metrics.30d.token_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_daily_traded_tokens'?: NumberCondition | undefined;
readonly 'metrics.30d.time_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.30d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.30d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.30d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.30d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.30d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.30d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.30d.token_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.30d.token_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.30d.token_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.30d.token_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.30d.token_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.30d.entry_count'?: NumberCondition | undefined;
readonly 'metrics.30d.avg_entry_delay'?: NumberCondition | undefined;
readonly 'metrics.30d.early_entry_ratio'?: NumberCondition | undefined;
readonly 'metrics.30d.winrate_low'?: NumberCondition | undefined;
readonly 'metrics.30d.winrate_high'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl_without_best'?: NumberCondition | undefined;
readonly 'metrics.30d.best_token_share'?: NumberCondition | undefined;
readonly 'metrics.30d.days_active'?: NumberCondition | undefined;
readonly 'metrics.30d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.30d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.30d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.30d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.30d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.30d.fees'?: NumberCondition | undefined;
readonly 'metrics.30d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.30d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.30d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.30d.wash_share'?: NumberCondition | undefined;
readonly 'metrics.30d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.30d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.30d.quick_share'?: NumberCondition | undefined;
readonly 'metrics.30d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.30d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.14d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.14d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.14d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.14d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.14d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.14d.volume'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.position_count'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.14d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.14d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.14d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.14d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.14d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.14d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.14d.win_count'?: NumberCondition | undefined;
readonly 'metrics.14d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.14d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.14d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.14d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.14d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.14d.roi'?: NumberCondition | undefined;
readonly 'metrics.14d.winrate'?: NumberCondition | undefined;
readonly 'metrics.14d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.14d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.14d.turnover'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_token_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_token_roi'?: NumberCondition | undefined;
readonly 'metrics.14d.token_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_daily_traded_tokens'?: NumberCondition | undefined;
readonly 'metrics.14d.time_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.14d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.14d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.14d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.14d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.14d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.14d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.14d.token_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.14d.token_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.14d.token_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.14d.token_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.14d.token_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.14d.entry_count'?: NumberCondition | undefined;
readonly 'metrics.14d.avg_entry_delay'?: NumberCondition | undefined;
readonly 'metrics.14d.early_entry_ratio'?: NumberCondition | undefined;
readonly 'metrics.14d.winrate_low'?: NumberCondition | undefined;
readonly 'metrics.14d.winrate_high'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl_without_best'?: NumberCondition | undefined;
readonly 'metrics.14d.best_token_share'?: NumberCondition | undefined;
readonly 'metrics.14d.days_active'?: NumberCondition | undefined;
readonly 'metrics.14d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.14d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.14d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.14d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.14d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.14d.fees'?: NumberCondition | undefined;
readonly 'metrics.14d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.14d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.14d.wash_share'?: NumberCondition | undefined;
readonly 'metrics.14d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.14d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.14d.quick_share'?: NumberCondition | undefined;
readonly 'metrics.14d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.14d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.7d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.7d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.7d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.7d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.volume'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.position_count'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.7d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.7d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.7d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.7d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.7d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.7d.win_count'?: NumberCondition | undefined;
readonly 'metrics.7d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.7d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.7d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.7d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.7d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.roi'?: NumberCondition | undefined;
readonly 'metrics.7d.winrate'?: NumberCondition | undefined;
readonly 'metrics.7d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.7d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.7d.turnover'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_token_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_token_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.token_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_daily_traded_tokens'?: NumberCondition | undefined;
readonly 'metrics.7d.time_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.7d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.7d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.7d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.7d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.7d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.7d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.7d.token_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.7d.token_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.7d.token_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.7d.token_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.7d.token_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.7d.entry_count'?: NumberCondition | undefined;
readonly 'metrics.7d.avg_entry_delay'?: NumberCondition | undefined;
readonly 'metrics.7d.early_entry_ratio'?: NumberCondition | undefined;
readonly 'metrics.7d.winrate_low'?: NumberCondition | undefined;
readonly 'metrics.7d.winrate_high'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_without_best'?: NumberCondition | undefined;
readonly 'metrics.7d.best_token_share'?: NumberCondition | undefined;
readonly 'metrics.7d.days_active'?: NumberCondition | undefined;
readonly 'metrics.7d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.7d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.7d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.7d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.7d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.7d.fees'?: NumberCondition | undefined;
readonly 'metrics.7d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.7d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.7d.wash_share'?: NumberCondition | undefined;
readonly 'metrics.7d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.7d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.7d.quick_share'?: NumberCondition | undefined;
readonly 'metrics.7d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.7d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.3d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.3d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.3d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.3d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.3d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.3d.volume'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.position_count'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.3d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.3d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.3d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.3d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.3d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.3d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.3d.win_count'?: NumberCondition | undefined;
readonly 'metrics.3d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.3d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.3d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.3d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.3d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.3d.roi'?: NumberCondition | undefined;
readonly 'metrics.3d.winrate'?: NumberCondition | undefined;
readonly 'metrics.3d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.3d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.3d.turnover'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_token_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_token_roi'?: NumberCondition | undefined;
readonly 'metrics.3d.token_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_daily_traded_tokens'?: NumberCondition | undefined;
readonly 'metrics.3d.time_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.3d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.3d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.3d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.3d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.3d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.3d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.3d.token_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.3d.token_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.3d.token_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.3d.token_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.3d.token_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.3d.entry_count'?: NumberCondition | undefined;
readonly 'metrics.3d.avg_entry_delay'?: NumberCondition | undefined;
readonly 'metrics.3d.early_entry_ratio'?: NumberCondition | undefined;
readonly 'metrics.3d.winrate_low'?: NumberCondition | undefined;
readonly 'metrics.3d.winrate_high'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl_without_best'?: NumberCondition | undefined;
readonly 'metrics.3d.best_token_share'?: NumberCondition | undefined;
readonly 'metrics.3d.days_active'?: NumberCondition | undefined;
readonly 'metrics.3d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.3d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.3d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.3d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.3d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.3d.fees'?: NumberCondition | undefined;
readonly 'metrics.3d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.3d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.3d.wash_share'?: NumberCondition | undefined;
readonly 'metrics.3d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.3d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.3d.quick_share'?: NumberCondition | undefined;
readonly 'metrics.3d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.3d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.1d.trade_count'?: NumberCondition | undefined;
readonly 'metrics.1d.buy_count'?: NumberCondition | undefined;
readonly 'metrics.1d.sell_count'?: NumberCondition | undefined;
readonly 'metrics.1d.buy_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.sell_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.volume'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_buy_size'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_sell_size'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_buy_mcap'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_sell_mcap'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.win_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.loss_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.position_count'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_holding_duration'?: NumberCondition | undefined;
readonly 'metrics.1d.volume_weighted_winrate'?: NumberCondition | undefined;
readonly 'metrics.1d.volume_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.profit_factor'?: NumberCondition | undefined;
readonly 'metrics.1d.win_loss_size_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_volume_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.small_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_volatility'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_stability'?: NumberCondition | undefined;
readonly 'metrics.1d.roi_volatility'?: NumberCondition | undefined;
readonly 'metrics.1d.roi_stability'?: NumberCondition | undefined;
readonly 'metrics.1d.win_count'?: NumberCondition | undefined;
readonly 'metrics.1d.loss_count'?: NumberCondition | undefined;
readonly 'metrics.1d.largest_win'?: NumberCondition | undefined;
readonly 'metrics.1d.largest_loss'?: NumberCondition | undefined;
readonly 'metrics.1d.max_consecutive_wins'?: NumberCondition | undefined;
readonly 'metrics.1d.max_consecutive_losses'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.roi'?: NumberCondition | undefined;
readonly 'metrics.1d.winrate'?: NumberCondition | undefined;
readonly 'metrics.1d.profit_expectancy'?: NumberCondition | undefined;
readonly 'metrics.1d.recovery_factor'?: NumberCondition | undefined;
readonly 'metrics.1d.turnover'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_token_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_token_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.token_hit_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_trade_delta'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_daily_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_daily_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_daily_trade_count'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_daily_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_daily_traded_tokens'?: NumberCondition | undefined;
readonly 'metrics.1d.time_weighted_roi'?: NumberCondition | undefined;
readonly 'metrics.1d.winrate_volatility'?: NumberCondition | undefined;
readonly 'metrics.1d.winrate_stability'?: NumberCondition | undefined;
readonly 'metrics.1d.sharpe_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.sortino_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.max_drawdown'?: NumberCondition | undefined;
readonly 'metrics.1d.risk_of_ruin'?: NumberCondition | undefined;
readonly 'metrics.1d.risk_score'?: NumberCondition | undefined;
readonly 'metrics.1d.consistency_score'?: NumberCondition | undefined;
readonly 'metrics.1d.token_roi_distribution.gt_500'?: NumberCondition | undefined;
readonly 'metrics.1d.token_roi_distribution.200_500'?: NumberCondition | undefined;
readonly 'metrics.1d.token_roi_distribution.0_200'?: NumberCondition | undefined;
readonly 'metrics.1d.token_roi_distribution.neg50_0'?: NumberCondition | undefined;
readonly 'metrics.1d.token_roi_distribution.lt_neg50_0'?: NumberCondition | undefined;
readonly 'metrics.1d.entry_count'?: NumberCondition | undefined;
readonly 'metrics.1d.avg_entry_delay'?: NumberCondition | undefined;
readonly 'metrics.1d.early_entry_ratio'?: NumberCondition | undefined;
readonly 'metrics.1d.winrate_low'?: NumberCondition | undefined;
readonly 'metrics.1d.winrate_high'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_without_best'?: NumberCondition | undefined;
readonly 'metrics.1d.best_token_share'?: NumberCondition | undefined;
readonly 'metrics.1d.days_active'?: NumberCondition | undefined;
readonly 'metrics.1d.unvalued_trade_count'?: NumberCondition | undefined;
readonly 'metrics.1d.volume_native'?: NumberCondition | undefined;
readonly 'metrics.1d.pnl_native'?: NumberCondition | undefined;
readonly 'metrics.1d.roi_native'?: NumberCondition | undefined;
readonly 'metrics.1d.fees_native'?: NumberCondition | undefined;
readonly 'metrics.1d.fees'?: NumberCondition | undefined;
readonly 'metrics.1d.stale_fee_count'?: NumberCondition | undefined;
readonly 'metrics.1d.net_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.wash_volume'?: NumberCondition | undefined;
readonly 'metrics.1d.wash_share'?: NumberCondition | undefined;
readonly 'metrics.1d.unmatched_proceeds'?: NumberCondition | undefined;
readonly 'metrics.1d.unmatched_share'?: NumberCondition | undefined;
readonly 'metrics.1d.quick_share'?: NumberCondition | undefined;
readonly 'metrics.1d.away_cost'?: NumberCondition | undefined;
readonly 'metrics.1d.returned_cost'?: NumberCondition | undefined;
readonly 'metrics.30d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.14d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.7d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.3d.cumulative_pnl'?: NumberCondition | undefined;
readonly 'metrics.1d.cumulative_pnl'?: NumberCondition | undefined;
};

export type WalletHistory = {
/** Address. */ readonly wallet: string;
/** Oldest first. */ readonly points: readonly (WalletPoint)[];
};

/** A label of the interface, of a rule of this server, or of its registry of wallets. */
export type WalletLabel = 'kol' | 'trencher' | 'conviction' | 'smart' | 'whale' | 'degen' | 'sniper' | 'swing' | 'holder' | string;

/** What is asked of the labels: a value, or operators that must all hold. `null` is a missing value. */
export type WalletLabelsCondition = WalletLabel | null | {
readonly $eq?: WalletLabel | null | undefined;
readonly $ne?: WalletLabel | null | undefined;
readonly $in?: readonly (WalletLabel | null)[] | undefined;
readonly $nin?: readonly (WalletLabel | null)[] | undefined;
readonly $exists?: boolean | undefined;
readonly $all?: readonly (WalletLabel)[] | undefined;
};

export type WalletMetrics = {
/** Trades in the window. Formula: |T|. Unit: count. */ readonly trade_count: number;
/** Buys in the window. Formula: |B|. Unit: count. */ readonly buy_count: number;
/** Sells in the window. Formula: |S|. Unit: count. */ readonly sell_count: number;
/** What was bought in the window. Formula: sum of usd_amount over B. Unit: USD. */ readonly buy_volume: number | null;
/** What was sold in the window. Formula: sum of usd_amount over S. Unit: USD. */ readonly sell_volume: number | null;
/** What was bought and sold in the window. Formula: sum of usd_amount over T. Unit: USD. */ readonly volume: number | null;
/** Mean size of a buy of known value. Formula: mean usd_amount over B. Unit: USD. */ readonly avg_buy_size: number | null;
/** Mean size of a sell of known value. Formula: mean usd_amount over S. Unit: USD. */ readonly avg_sell_size: number | null;
/** Mean market cap of the token at the buys, where known. Formula: mean of token_price x supply over B. Unit: USD. */ readonly avg_buy_mcap: number | null;
/** Mean market cap of the token at the sells, where known. Formula: mean of token_price x supply over S. Unit: USD. */ readonly avg_sell_mcap: number | null;
/** Realised profit of the sells in the window, first in first out. Formula: sum of proceeds - cost over R*. Unit: USD. */ readonly pnl: number | null;
/** Sum of the profits. Formula: sum of pnl over wins. Unit: USD. */ readonly win_pnl: number | null;
/** Sum of the losses, not positive. Formula: sum of pnl over losses. Unit: USD. */ readonly loss_pnl: number | null;
/** Wallet-token pairs with a realised sell in the window. Formula: |P|. Unit: count. */ readonly position_count: number;
/** Mean time that sold tokens were held, weighted within a sell by amount. Formula: mean of sum(matched x age) / matched over R. Unit: seconds. */ readonly avg_holding_duration: number | null;
/** Part of the cost at stake that was in wins. Formula: cost of wins / cost of wins and losses x 100. Unit: percent. */ readonly volume_weighted_winrate: number | null;
/** Mean return of a realised sell, weighted by its turnover. Formula: sum(roi x v) / sum(v) over R, v = cost + proceeds. Unit: percent. */ readonly volume_weighted_roi: number | null;
/** Profits per unit of loss. Formula: win_pnl / |loss_pnl|. Unit: ratio. */ readonly profit_factor: number | null;
/** Mean win against mean loss. Formula: mean win / |mean loss|. Unit: ratio. */ readonly win_loss_size_ratio: number | null;
/** Profit per USD traded. Formula: pnl / volume. Unit: ratio. */ readonly pnl_volume_ratio: number | null;
/** Profit of the sells whose cost and proceeds are both under dust_usd: what pnl has beside win_pnl and loss_pnl. Formula: sum of proceeds - cost over R* without R. Unit: USD. */ readonly small_pnl: number | null;
/** How much the profit of a period scatters. Formula: volatility of pnl_j. Unit: USD. */ readonly pnl_volatility: number | null;
/** How even the profit of the periods is, 0 to 1. Formula: |mean| / (|mean| + volatility) of pnl_j. Unit: ratio. */ readonly pnl_stability: number | null;
/** How much the return of a period scatters, in points. Formula: volatility of roi_j. Unit: percent. */ readonly roi_volatility: number | null;
/** How even the return of the periods is, 0 to 1. Formula: |mean| / (|mean| + volatility) of roi_j. Unit: ratio. */ readonly roi_stability: number | null;
/** Realised sells with a profit. Formula: |r with pnl > 0|. Unit: count. */ readonly win_count: number;
/** Realised sells with a loss. Formula: |r with pnl < 0|. Unit: count. */ readonly loss_count: number;
/** Largest profit of a realised sell, 0 without one. Formula: max(0, max pnl) over R. Unit: USD. */ readonly largest_win: number | null;
/** Largest loss of a realised sell, 0 without one. Formula: min(0, min pnl) over R. Unit: USD. */ readonly largest_loss: number | null;
/** Longest run of wins in chain order; a result of 0 ends it. Formula: longest run of pnl > 0 in R. Unit: count. */ readonly max_consecutive_wins: number;
/** Longest run of losses in chain order; a result of 0 ends it. Formula: longest run of pnl < 0 in R. Unit: count. */ readonly max_consecutive_losses: number;
/** Mean result of a realised sell. Formula: (win_pnl + loss_pnl) / |R|. Unit: USD. */ readonly avg_pnl: number | null;
/** Mean return of a realised sell. Formula: mean of pnl / cost x 100 over R. Unit: percent. */ readonly avg_roi: number | null;
/** Profit on the cost of what was sold. Formula: pnl / sum of cost over R* x 100. Unit: percent. */ readonly roi: number | null;
/** Part of the decided sells that won; break-evens count on neither side. Formula: win_count / (win_count + loss_count) x 100. Unit: percent. */ readonly winrate: number | null;
/** What a decided sell brings on average. Formula: (win_pnl + loss_pnl) / (win_count + loss_count). Unit: USD. */ readonly profit_expectancy: number | null;
/** Profit against the largest fall of the running profit from its peak. Formula: pnl / largest fall of the cumulative pnl over R*, which starts at 0. Unit: ratio. */ readonly recovery_factor: number | null;
/** How often the capital at work was turned over. Formula: sum of cost over R* / time average of C(t). Unit: ratio. */ readonly turnover: number | null;
/** Mean result of a token. Formula: mean of pnl_p over P. Unit: USD. */ readonly avg_token_pnl: number | null;
/** Mean return of a token. Formula: mean of pnl_p / cost_p x 100 over P. Unit: percent. */ readonly avg_token_roi: number | null;
/** Part of the tokens that brought a profit. Formula: |p with pnl_p > 0| / position_count. Unit: ratio. */ readonly token_hit_ratio: number | null;
/** Mean time between two trades. Formula: (last - first block_time of T) / (trade_count - 1). Unit: seconds. */ readonly avg_trade_delta: number | null;
/** Profit a day of the window. Formula: pnl / days. Unit: USD. */ readonly avg_daily_pnl: number | null;
/** Volume a day of the window. Formula: volume / days. Unit: USD. */ readonly avg_daily_volume: number | null;
/** Trades a day of the window. Formula: trade_count / days. Unit: count per day. */ readonly avg_daily_trade_count: number | null;
/** Mean return of a day on the capital at work. Formula: mean of roi_j over the 24 h periods. Unit: percent. */ readonly avg_daily_roi: number | null;
/** Mean number of distinct tokens traded a day. Formula: mean over the 24 h periods of the number of tokens in T. Unit: count per day. */ readonly avg_daily_traded_tokens: number | null;
/** Return of the periods compounded. Formula: (product of (1 + roi_j / 100) - 1) x 100. Unit: percent. */ readonly time_weighted_roi: number | null;
/** How much the win rate of a period scatters, in points. Formula: volatility of winrate_j. Unit: percent. */ readonly winrate_volatility: number | null;
/** How even the win rate of the periods is, 0 to 1. Formula: |mean| / (|mean| + volatility) of winrate_j. Unit: ratio. */ readonly winrate_stability: number | null;
/** Mean return of a period against its scatter, annualised, risk-free rate 0. Formula: mean(roi_j) / volatility(roi_j) x sqrt(365 d / h). Unit: ratio. */ readonly sharpe_ratio: number | null;
/** Mean return of a period against its downside, annualised, target 0. Formula: mean(roi_j) / sqrt(mean(min(roi_j, 0)^2)) x sqrt(365 d / h). Unit: ratio. */ readonly sortino_ratio: number | null;
/** Largest fall of the compounded returns from their peak. Formula: max(1 - E_j / running peak) x 100, E_0 = 1, E_j = E_(j-1) x (1 + roi_j / 100). Unit: percent. */ readonly max_drawdown: number | null;
/** Chance that an unending run of such sells ever loses one average stake. Formula: exp(-U z) x 100, U = min(1e6, max(1, mean cost / |mean loss|)), z > 0 the root of p (exp(-z b) - 1) + (1 - p)(exp(z) - 1) = 0, p = winrate / 100, b = win_loss_size_ratio; null with fewer than 5 wins and losses together, else 100 where win_pnl + loss_pnl <= 0, else 0 without a loss. Unit: percent. */ readonly risk_of_ruin: number | null;
/** How risky the trading is, 0 (safe) to 100. Formula: 100 x weighted mean of max_drawdown / 100 (0.35), risk_of_ruin / 100 (0.25), 1 - roi_stability (0.20), 1 - winrate / 100 (0.20); a part that is null drops out with its weight, roi_stability counts as 0 where the mean of roi_j is <= 0; null without a realised sell. Unit: score. */ readonly risk_score: number | null;
/** How reliably the periods bring a profit, 0 to 100. Formula: 100 x weighted mean of the share of periods with pnl_j > 0 among those with a realised sell (0.4), pnl_stability (0.3), winrate_stability (0.3); a part that is null drops out with its weight, a stability counts as 0 where the mean of its series is <= 0; null with fewer than 3 periods that hold a realised sell. Unit: score. */ readonly consistency_score: number | null;
readonly token_roi_distribution: {
/** Number of tokens whose return in the window is over 500 %. Formula: |p with roi_p over 500 %|. Unit: count. */ readonly gt_500: number;
/** Number of tokens whose return in the window is over 200 to 500 %. Formula: |p with roi_p over 200 to 500 %|. Unit: count. */ readonly '200_500': number;
/** Number of tokens whose return in the window is 0 to 200 %. Formula: |p with roi_p 0 to 200 %|. Unit: count. */ readonly '0_200': number;
/** Number of tokens whose return in the window is -50 to under 0 %. Formula: |p with roi_p -50 to under 0 %|. Unit: count. */ readonly neg50_0: number;
/** Number of tokens whose return in the window is under -50 %. Formula: |p with roi_p under -50 %|. Unit: count. */ readonly lt_neg50_0: number;
};
/** Buys that open a position in a token whose creation is known. Formula: |E|. Unit: count. */ readonly entry_count: number;
/** Mean time from a token's creation to the buys that open a position in it, where known. Formula: mean of block_time - created_at over E. Unit: seconds. */ readonly avg_entry_delay: number | null;
/** Part of the entries that came within 60 seconds of the token's creation. Formula: |e in E with block_time - created_at <= 60| / entry_count. Unit: ratio. */ readonly early_entry_ratio: number | null;
/** Lower 95 % bound of the win rate: what so few sells are sure of. Formula: (p + z^2 / 2n - z sqrt((p (1 - p) + z^2 / 4n) / n)) / (1 + z^2 / n) x 100, p = win_count / n, n = win_count + loss_count, z = 1.959963984540054; 0 without a win. Unit: percent. */ readonly winrate_low: number | null;
/** Upper 95 % bound of the win rate: what so few sells leave possible. Formula: (p + z^2 / 2n + z sqrt((p (1 - p) + z^2 / 4n) / n)) / (1 + z^2 / n) x 100, p = win_count / n, n = win_count + loss_count, z = 1.959963984540054; 100 without a loss. Unit: percent. */ readonly winrate_high: number | null;
/** Profit of all tokens but the best one of the window; 0 with a single token. Formula: pnl - max pnl_p over the tokens with a sell in R*. Unit: USD. */ readonly pnl_without_best: number | null;
/** Profit of the best token against the sum of all profits; negative where the best token lost. Formula: max pnl_p over the tokens with a sell in R* / win_pnl. Unit: ratio. */ readonly best_token_share: number | null;
/** Days of the window with a trade. Formula: 24 h periods that hold a trade of T. Unit: count. */ readonly days_active: number;
/** Trades whose value in USD is unknown: they are in no sum of USD. Formula: |t in T without a usd_amount|. Unit: count. */ readonly unvalued_trade_count: number;
/** Value of the trades in the native token. Formula: sum native_amount over T, where known. Unit: native. */ readonly volume_native: number | null;
/** Profit in the native token, which no dollar is needed for. Formula: sum pnl_native over the sells that have one. Unit: native. */ readonly pnl_native: number | null;
/** Return in the native token on what the sold tokens cost in it. Formula: pnl_native / sum cost_native x 100. Unit: percent. */ readonly roi_native: number | null;
/** What the wallet paid the chain for its trades, and for transactions that left none, in the native token. Formula: sum fee_native over T and the transactions of the wallet without a trade, where known. Unit: native. */ readonly fees_native: number | null;
/** What the wallet paid the chain for its trades, and for transactions that left none; null while a fee came before the first native price. Formula: sum fee_native x native price over T and the transactions of the wallet without a trade. Unit: USD. */ readonly fees: number | null;
/** Fees that are worth a native price older than reference_max_age, counted once for each trade that bears one. Formula: |fees of T and of the transactions of the wallet without a trade at a stale native price|. Unit: count. */ readonly stale_fee_count: number;
/** Profit less what the wallet paid the chain for its trades. Formula: pnl - fees. Unit: USD. */ readonly net_pnl: number | null;
/** Volume that was bought and sold often, at once and for nothing. Formula: sum of the volumes of round trips, sold at most 120 s after they were bought for a result of -3 % to 0.2 % of their volume, in the positions with 5 such buys and 5 such sells. Unit: USD. */ readonly wash_volume: number | null;
/** Wash volume against the volume. Formula: wash_volume / volume; in the native token if most trades have no value in USD. Unit: ratio. */ readonly wash_share: number | null;
/** Value of what was sold without a known cost: beyond the lots, and from lots of unknown cost. Formula: sum of usd_amount - proceeds over S of known value, proceeds 0 if nothing of a sell has a cost. Unit: USD. */ readonly unmatched_proceeds: number | null;
/** Part of the value of the sells that has no known cost: no profit figure has it. Formula: unmatched_proceeds / sell_volume x 100. Unit: percent. */ readonly unmatched_share: number | null;
/** Part of the value of the sells that was sold within a minute after it was bought: results that nobody can follow. Formula: sum over S of the value of what was bought at most 60 s before, each sell taking the newest buys of its token that no sell took, / sell_volume x 100. Unit: percent. */ readonly quick_share: number | null;
/** Cost of the lots that left the wallet, without a sell, since the trade before each trade. Formula: sum over T of the known cost of the lots of the token that left since its trade before. Unit: USD. */ readonly away_cost: number | null;
/** Cost of the lots that came back to the wallet since the trade before each trade. Formula: sum over T of the known cost of the lots of the token that came back since its trade before. Unit: USD. */ readonly returned_cost: number | null;
/** Tokens whose launch the wallet sniped in the window. With `include_launch`. */ readonly sniper_entry_count?: number | null | undefined;
};

export type WalletPoint = {
/** Unix seconds, UTC. */ readonly timestamp: number;
/** USD: `realized_pnl` + `unrealized_pnl`. */ readonly equity?: number | undefined;
/** USD, of all realised and small sells since the first stored trade. */ readonly realized_pnl?: number | undefined;
/** USD, of the lots of known cost that are here, at the mark of each token at that time. */ readonly unrealized_pnl?: number | undefined;
/** USD from the highest `equity` of the points until then, or from 0 if all are lower, down to `equity`. */ readonly drawdown?: number | undefined;
/** USD, of the realised and small sells in the interval. */ readonly pnl?: number | undefined;
/** USD, of the trades in the interval. */ readonly volume?: number | undefined;
/** Trades in the interval. */ readonly trade_count?: number | undefined;
/** Percent, of the realised and small sells in the interval on their cost. */ readonly roi?: number | null | undefined;
/** Percent of the wins and losses in the interval that were wins. */ readonly winrate?: number | null | undefined;
/** Tokens with a realised sell in the interval. */ readonly position_count?: number | undefined;
/** Native tokens, of the sells in the interval that have a result in them. */ readonly pnl_native?: number | undefined;
/** Percent, of those sells on their cost in native tokens. */ readonly roi_native?: number | null | undefined;
/** Native tokens, of the trades in the interval. */ readonly volume_native?: number | undefined;
};

export type WalletProfile = {
/** Block time of the newest swap that the data reflects. */ readonly updated_at: string | null;
/** When the profile was stored. */ readonly synced_at: string | null;
/** Address. */ readonly wallet_address: string;
/** Labels that hold. */ readonly labels?: readonly (WalletLabel)[] | undefined;
/** By label, the names of the rules that matched. */ readonly matched_labels?: { readonly [name: string]: readonly (string)[] } | undefined;
readonly metadata?: {
/** Block time of the newest trade that counts for the profile. */ readonly last_trade_at: string | null;
/** Name, from the registry. */ readonly name: string | null;
/** Account on Twitter, from the registry. */ readonly twitter_username: string | null;
/** Account on Telegram, from the registry. */ readonly telegram_username: string | null;
} | undefined;
readonly identity?: {
/** Name, from the registry. */ readonly name: string | null;
/** Account on Twitter, from the registry. */ readonly twitter_username: string | null;
/** Account on Telegram, from the registry. */ readonly telegram_username: string | null;
} | undefined;
readonly lifetime?: {
/** When the section begins: the first trade, or the horizon if what lies behind it is unknown. */ readonly since: string | null;
/** Block time of the first trade. */ readonly first_trade_at: string | null;
/** Trades. */ readonly trade_count: number | null;
/** USD, of the trades of known value. */ readonly volume: number | null;
/** Tokens that were traded. */ readonly token_count: number;
/** Tokens of which something was sold that had a known cost above 0. */ readonly position_count: number;
/** USD, of all realised and small sells. */ readonly realized_pnl: number | null;
/** USD: cost of what was sold. */ readonly realized_cost: number | null;
/** Percent: realized_pnl / realized_cost x 100. */ readonly realized_roi: number | null;
/** Native tokens, of all sells that have a result in them. */ readonly realized_pnl_native: number | null;
/** Realised sells with a profit. */ readonly win_count: number | null;
/** Realised sells with a loss. */ readonly loss_count: number | null;
/** Percent: win_count / (win_count + loss_count) x 100. */ readonly winrate: number | null;
/** UTC days with a trade. */ readonly days_active: number | null;
/** USD: value of what was sold without a known cost. */ readonly unmatched_proceeds: number | null;
/** Percent of the value of all sells that has no known cost; `null` without a sell of known value. */ readonly unmatched_share: number | null;
/** USD: known cost of the lots that left without a sell and are still away. */ readonly away_cost: number | null;
/** Percent: away_cost / value of all buys x 100. */ readonly away_share: number | null;
/** Percent of the gains (realised results above 0, by token) that the best token made. */ readonly best_token_share: number | null;
/** Percent of the gains that were made in tokens of which fewer than 20 other wallets bought for 10 USD. */ readonly thin_share: number | null;
/** Percent of the volume that was traded at suspect prints; `null` over 5,000 trades. */ readonly suspect_share: number | null;
} | undefined;
readonly holding?: {
/** USD: balances x price, of the tokens that have a price. */ readonly value: number | null;
/** USD: the same of quote tokens. */ readonly quote_value: number | null;
/** USD, of the lots of known cost that are here. */ readonly cost_basis: number | null;
/** USD: the same lots at the mark - what they cost. */ readonly unrealized_pnl: number | null;
/** USD: lifetime.realized_pnl + unrealized_pnl. */ readonly total_pnl: number | null;
/** Positions that are open. */ readonly open_count: number;
/** Open positions with lots without a known cost, or without a price. */ readonly unknown_count: number;
/** Percent of `value` that the most valuable token makes. */ readonly largest_share: number | null;
/** Percent of `value` at marks older than 7 days. */ readonly stale_share: number | null;
/** Open positions whose lots are worth less than a fifth of their cost, or whose mark is older than 30 days. */ readonly sunk_count: number;
/** USD, at most 0: unrealised losses of these positions. */ readonly sunk_loss: number | null;
/** Tokens with a result above 0: realised, open lots at the mark, and losses sent away. */ readonly token_win_count: number;
/** Tokens with such a result below 0. */ readonly token_loss_count: number;
/** Percent: token_win_count / (token_win_count + token_loss_count) x 100. */ readonly token_winrate: number | null;
/** USD, at most 0: by token, lots that are away at the mark - what they cost, if that is a loss. */ readonly away_pnl: number | null;
/** USD: lifetime.realized_pnl + unrealised losses + away_pnl. Unrealised gains count nothing. */ readonly floor_pnl: number | null;
} | undefined;
/** Metrics by window. */ readonly metrics?: {
readonly '30d'?: WalletMetrics | undefined;
readonly '14d'?: WalletMetrics | undefined;
readonly '7d'?: WalletMetrics | undefined;
readonly '3d'?: WalletMetrics | undefined;
readonly '1d'?: WalletMetrics | undefined;
} | undefined;
/** The last instant that the profile holds for, where a refresh of what was traded has left it behind the others. */ readonly as_of?: string | undefined;
/** Labels of the request that hold. */ readonly dynamic_labels?: readonly (string)[] | undefined;
readonly explain?: ProfileExplanation | undefined;
};

/** One key, or up to four, the most important first. Default: by relevance with a `query`. */
export type WalletSort = WalletSortKey | readonly (WalletSortKey)[];

/** A field to sort by. */
export type WalletSortKey = {
/** A path of numbers, dates or text. */ readonly field: 'updated_at' | 'synced_at' | 'wallet_address' | 'metadata.last_trade_at' | 'metadata.idle' | 'metadata.name' | 'metadata.twitter_username' | 'metadata.telegram_username' | 'identity.name' | 'identity.twitter_username' | 'identity.telegram_username' | 'lifetime.since' | 'lifetime.first_trade_at' | 'lifetime.trade_count' | 'lifetime.volume' | 'lifetime.token_count' | 'lifetime.position_count' | 'lifetime.realized_pnl' | 'lifetime.realized_cost' | 'lifetime.realized_roi' | 'lifetime.realized_pnl_native' | 'lifetime.win_count' | 'lifetime.loss_count' | 'lifetime.winrate' | 'lifetime.days_active' | 'lifetime.unmatched_proceeds' | 'lifetime.unmatched_share' | 'lifetime.away_cost' | 'lifetime.away_share' | 'lifetime.best_token_share' | 'lifetime.thin_share' | 'lifetime.suspect_share' | 'holding.value' | 'holding.quote_value' | 'holding.cost_basis' | 'holding.unrealized_pnl' | 'holding.total_pnl' | 'holding.open_count' | 'holding.unknown_count' | 'holding.largest_share' | 'holding.stale_share' | 'holding.sunk_count' | 'holding.sunk_loss' | 'holding.token_win_count' | 'holding.token_loss_count' | 'holding.token_winrate' | 'holding.away_pnl' | 'holding.floor_pnl' | 'metrics.30d.trade_count' | 'metrics.30d.buy_count' | 'metrics.30d.sell_count' | 'metrics.30d.buy_volume' | 'metrics.30d.sell_volume' | 'metrics.30d.volume' | 'metrics.30d.avg_buy_size' | 'metrics.30d.avg_sell_size' | 'metrics.30d.avg_buy_mcap' | 'metrics.30d.avg_sell_mcap' | 'metrics.30d.pnl' | 'metrics.30d.win_pnl' | 'metrics.30d.loss_pnl' | 'metrics.30d.position_count' | 'metrics.30d.avg_holding_duration' | 'metrics.30d.volume_weighted_winrate' | 'metrics.30d.volume_weighted_roi' | 'metrics.30d.profit_factor' | 'metrics.30d.win_loss_size_ratio' | 'metrics.30d.pnl_volume_ratio' | 'metrics.30d.small_pnl' | 'metrics.30d.pnl_volatility' | 'metrics.30d.pnl_stability' | 'metrics.30d.roi_volatility' | 'metrics.30d.roi_stability' | 'metrics.30d.win_count' | 'metrics.30d.loss_count' | 'metrics.30d.largest_win' | 'metrics.30d.largest_loss' | 'metrics.30d.max_consecutive_wins' | 'metrics.30d.max_consecutive_losses' | 'metrics.30d.avg_pnl' | 'metrics.30d.avg_roi' | 'metrics.30d.roi' | 'metrics.30d.winrate' | 'metrics.30d.profit_expectancy' | 'metrics.30d.recovery_factor' | 'metrics.30d.turnover' | 'metrics.30d.avg_token_pnl' | 'metrics.30d.avg_token_roi' | 'metrics.30d.token_hit_ratio' | 'metrics.30d.avg_trade_delta' | 'metrics.30d.avg_daily_pnl' | 'metrics.30d.avg_daily_volume' | 'metrics.30d.avg_daily_trade_count' | 'metrics.30d.avg_daily_roi' | 'metrics.30d.avg_daily_traded_tokens' | 'metrics.30d.time_weighted_roi' | 'metrics.30d.winrate_volatility' | 'metrics.30d.winrate_stability' | 'metrics.30d.sharpe_ratio' | 'metrics.30d.sortino_ratio' | 'metrics.30d.max_drawdown' | 'metrics.30d.risk_of_ruin' | 'metrics.30d.risk_score' | 'metrics.30d.consistency_score' | 'metrics.30d.token_roi_distribution.gt_500' | 'metrics.30d.token_roi_distribution.200_500' | 'metrics.30d.token_roi_distribution.0_200' | 'metrics.30d.token_roi_distribution.neg50_0' | 'metrics.30d.token_roi_distribution.lt_neg50_0' | 'metrics.30d.entry_count' | 'metrics.30d.avg_entry_delay' | 'metrics.30d.early_entry_ratio' | 'metrics.30d.winrate_low' | 'metrics.30d.winrate_high' | 'metrics.30d.pnl_without_best' | 'metrics.30d.best_token_share' | 'metrics.30d.days_active' | 'metrics.30d.unvalued_trade_count' | 'metrics.30d.volume_native' | 'metrics.30d.pnl_native' | 'metrics.30d.roi_native' | 'metrics.30d.fees_native' | 'metrics.30d.fees' | 'metrics.30d.stale_fee_count' | 'metrics.30d.net_pnl' | 'metrics.30d.wash_volume' | 'metrics.30d.wash_share' | 'metrics.30d.unmatched_proceeds' | 'metrics.30d.unmatched_share' | 'metrics.30d.quick_share' | 'metrics.30d.away_cost' | 'metrics.30d.returned_cost' | 'metrics.14d.trade_count' | 'metrics.14d.buy_count' | 'metrics.14d.sell_count' | 'metrics.14d.buy_volume' | 'metrics.14d.sell_volume' | 'metrics.14d.volume' | 'metrics.14d.avg_buy_size' | 'metrics.14d.avg_sell_size' | 'metrics.14d.avg_buy_mcap' | 'metrics.14d.avg_sell_mcap' | 'metrics.14d.pnl' | 'metrics.14d.win_pnl' | 'metrics.14d.loss_pnl' | 'metrics.14d.position_count' | 'metrics.14d.avg_holding_duration' | 'metrics.14d.volume_weighted_winrate' | 'metrics.14d.volume_weighted_roi' | 'metrics.14d.profit_factor' | 'metrics.14d.win_loss_size_ratio' | 'metrics.14d.pnl_volume_ratio' | 'metrics.14d.small_pnl' | 'metrics.14d.pnl_volatility' | 'metrics.14d.pnl_stability' | 'metrics.14d.roi_volatility' | 'metrics.14d.roi_stability' | 'metrics.14d.win_count' | 'metrics.14d.loss_count' | 'metrics.14d.largest_win' | 'metrics.14d.largest_loss' | 'metrics.14d.max_consecutive_wins' | 'metrics.14d.max_consecutive_losses' | 'metrics.14d.avg_pnl' | 'metrics.14d.avg_roi' | 'metrics.14d.roi' | 'metrics.14d.winrate' | 'metrics.14d.profit_expectancy' | 'metrics.14d.recovery_factor' | 'metrics.14d.turnover' | 'metrics.14d.avg_token_pnl' | 'metrics.14d.avg_token_roi' | 'metrics.14d.token_hit_ratio' | 'metrics.14d.avg_trade_delta' | 'metrics.14d.avg_daily_pnl' | 'metrics.14d.avg_daily_volume' | 'metrics.14d.avg_daily_trade_count' | 'metrics.14d.avg_daily_roi' | 'metrics.14d.avg_daily_traded_tokens' | 'metrics.14d.time_weighted_roi' | 'metrics.14d.winrate_volatility' | 'metrics.14d.winrate_stability' | 'metrics.14d.sharpe_ratio' | 'metrics.14d.sortino_ratio' | 'metrics.14d.max_drawdown' | 'metrics.14d.risk_of_ruin' | 'metrics.14d.risk_score' | 'metrics.14d.consistency_score' | 'metrics.14d.token_roi_distribution.gt_500' | 'metrics.14d.token_roi_distribution.200_500' | 'metrics.14d.token_roi_distribution.0_200' | 'metrics.14d.token_roi_distribution.neg50_0' | 'metrics.14d.token_roi_distribution.lt_neg50_0' | 'metrics.14d.entry_count' | 'metrics.14d.avg_entry_delay' | 'metrics.14d.early_entry_ratio' | 'metrics.14d.winrate_low' | 'metrics.14d.winrate_high' | 'metrics.14d.pnl_without_best' | 'metrics.14d.best_token_share' | 'metrics.14d.days_active' | 'metrics.14d.unvalued_trade_count' | 'metrics.14d.volume_native' | 'metrics.14d.pnl_native' | 'metrics.14d.roi_native' | 'metrics.14d.fees_native' | 'metrics.14d.fees' | 'metrics.14d.stale_fee_count' | 'metrics.14d.net_pnl' | 'metrics.14d.wash_volume' | 'metrics.14d.wash_share' | 'metrics.14d.unmatched_proceeds' | 'metrics.14d.unmatched_share' | 'metrics.14d.quick_share' | 'metrics.14d.away_cost' | 'metrics.14d.returned_cost' | 'metrics.7d.trade_count' | 'metrics.7d.buy_count' | 'metrics.7d.sell_count' | 'metrics.7d.buy_volume' | 'metrics.7d.sell_volume' | 'metrics.7d.volume' | 'metrics.7d.avg_buy_size' | 'metrics.7d.avg_sell_size' | 'metrics.7d.avg_buy_mcap' | 'metrics.7d.avg_sell_mcap' | 'metrics.7d.pnl' | 'metrics.7d.win_pnl' | 'metrics.7d.loss_pnl' | 'metrics.7d.position_count' | 'metrics.7d.avg_holding_duration' | 'metrics.7d.volume_weighted_winrate' | 'metrics.7d.volume_weighted_roi' | 'metrics.7d.profit_factor' | 'metrics.7d.win_loss_size_ratio' | 'metrics.7d.pnl_volume_ratio' | 'metrics.7d.small_pnl' | 'metrics.7d.pnl_volatility' | 'metrics.7d.pnl_stability' | 'metrics.7d.roi_volatility' | 'metrics.7d.roi_stability' | 'metrics.7d.win_count' | 'metrics.7d.loss_count' | 'metrics.7d.largest_win' | 'metrics.7d.largest_loss' | 'metrics.7d.max_consecutive_wins' | 'metrics.7d.max_consecutive_losses' | 'metrics.7d.avg_pnl' | 'metrics.7d.avg_roi' | 'metrics.7d.roi' | 'metrics.7d.winrate' | 'metrics.7d.profit_expectancy' | 'metrics.7d.recovery_factor' | 'metrics.7d.turnover' | 'metrics.7d.avg_token_pnl' | 'metrics.7d.avg_token_roi' | 'metrics.7d.token_hit_ratio' | 'metrics.7d.avg_trade_delta' | 'metrics.7d.avg_daily_pnl' | 'metrics.7d.avg_daily_volume' | 'metrics.7d.avg_daily_trade_count' | 'metrics.7d.avg_daily_roi' | 'metrics.7d.avg_daily_traded_tokens' | 'metrics.7d.time_weighted_roi' | 'metrics.7d.winrate_volatility' | 'metrics.7d.winrate_stability' | 'metrics.7d.sharpe_ratio' | 'metrics.7d.sortino_ratio' | 'metrics.7d.max_drawdown' | 'metrics.7d.risk_of_ruin' | 'metrics.7d.risk_score' | 'metrics.7d.consistency_score' | 'metrics.7d.token_roi_distribution.gt_500' | 'metrics.7d.token_roi_distribution.200_500' | 'metrics.7d.token_roi_distribution.0_200' | 'metrics.7d.token_roi_distribution.neg50_0' | 'metrics.7d.token_roi_distribution.lt_neg50_0' | 'metrics.7d.entry_count' | 'metrics.7d.avg_entry_delay' | 'metrics.7d.early_entry_ratio' | 'metrics.7d.winrate_low' | 'metrics.7d.winrate_high' | 'metrics.7d.pnl_without_best' | 'metrics.7d.best_token_share' | 'metrics.7d.days_active' | 'metrics.7d.unvalued_trade_count' | 'metrics.7d.volume_native' | 'metrics.7d.pnl_native' | 'metrics.7d.roi_native' | 'metrics.7d.fees_native' | 'metrics.7d.fees' | 'metrics.7d.stale_fee_count' | 'metrics.7d.net_pnl' | 'metrics.7d.wash_volume' | 'metrics.7d.wash_share' | 'metrics.7d.unmatched_proceeds' | 'metrics.7d.unmatched_share' | 'metrics.7d.quick_share' | 'metrics.7d.away_cost' | 'metrics.7d.returned_cost' | 'metrics.3d.trade_count' | 'metrics.3d.buy_count' | 'metrics.3d.sell_count' | 'metrics.3d.buy_volume' | 'metrics.3d.sell_volume' | 'metrics.3d.volume' | 'metrics.3d.avg_buy_size' | 'metrics.3d.avg_sell_size' | 'metrics.3d.avg_buy_mcap' | 'metrics.3d.avg_sell_mcap' | 'metrics.3d.pnl' | 'metrics.3d.win_pnl' | 'metrics.3d.loss_pnl' | 'metrics.3d.position_count' | 'metrics.3d.avg_holding_duration' | 'metrics.3d.volume_weighted_winrate' | 'metrics.3d.volume_weighted_roi' | 'metrics.3d.profit_factor' | 'metrics.3d.win_loss_size_ratio' | 'metrics.3d.pnl_volume_ratio' | 'metrics.3d.small_pnl' | 'metrics.3d.pnl_volatility' | 'metrics.3d.pnl_stability' | 'metrics.3d.roi_volatility' | 'metrics.3d.roi_stability' | 'metrics.3d.win_count' | 'metrics.3d.loss_count' | 'metrics.3d.largest_win' | 'metrics.3d.largest_loss' | 'metrics.3d.max_consecutive_wins' | 'metrics.3d.max_consecutive_losses' | 'metrics.3d.avg_pnl' | 'metrics.3d.avg_roi' | 'metrics.3d.roi' | 'metrics.3d.winrate' | 'metrics.3d.profit_expectancy' | 'metrics.3d.recovery_factor' | 'metrics.3d.turnover' | 'metrics.3d.avg_token_pnl' | 'metrics.3d.avg_token_roi' | 'metrics.3d.token_hit_ratio' | 'metrics.3d.avg_trade_delta' | 'metrics.3d.avg_daily_pnl' | 'metrics.3d.avg_daily_volume' | 'metrics.3d.avg_daily_trade_count' | 'metrics.3d.avg_daily_roi' | 'metrics.3d.avg_daily_traded_tokens' | 'metrics.3d.time_weighted_roi' | 'metrics.3d.winrate_volatility' | 'metrics.3d.winrate_stability' | 'metrics.3d.sharpe_ratio' | 'metrics.3d.sortino_ratio' | 'metrics.3d.max_drawdown' | 'metrics.3d.risk_of_ruin' | 'metrics.3d.risk_score' | 'metrics.3d.consistency_score' | 'metrics.3d.token_roi_distribution.gt_500' | 'metrics.3d.token_roi_distribution.200_500' | 'metrics.3d.token_roi_distribution.0_200' | 'metrics.3d.token_roi_distribution.neg50_0' | 'metrics.3d.token_roi_distribution.lt_neg50_0' | 'metrics.3d.entry_count' | 'metrics.3d.avg_entry_delay' | 'metrics.3d.early_entry_ratio' | 'metrics.3d.winrate_low' | 'metrics.3d.winrate_high' | 'metrics.3d.pnl_without_best' | 'metrics.3d.best_token_share' | 'metrics.3d.days_active' | 'metrics.3d.unvalued_trade_count' | 'metrics.3d.volume_native' | 'metrics.3d.pnl_native' | 'metrics.3d.roi_native' | 'metrics.3d.fees_native' | 'metrics.3d.fees' | 'metrics.3d.stale_fee_count' | 'metrics.3d.net_pnl' | 'metrics.3d.wash_volume' | 'metrics.3d.wash_share' | 'metrics.3d.unmatched_proceeds' | 'metrics.3d.unmatched_share' | 'metrics.3d.quick_share' | 'metrics.3d.away_cost' | 'metrics.3d.returned_cost' | 'metrics.1d.trade_count' | 'metrics.1d.buy_count' | 'metrics.1d.sell_count' | 'metrics.1d.buy_volume' | 'metrics.1d.sell_volume' | 'metrics.1d.volume' | 'metrics.1d.avg_buy_size' | 'metrics.1d.avg_sell_size' | 'metrics.1d.avg_buy_mcap' | 'metrics.1d.avg_sell_mcap' | 'metrics.1d.pnl' | 'metrics.1d.win_pnl' | 'metrics.1d.loss_pnl' | 'metrics.1d.position_count' | 'metrics.1d.avg_holding_duration' | 'metrics.1d.volume_weighted_winrate' | 'metrics.1d.volume_weighted_roi' | 'metrics.1d.profit_factor' | 'metrics.1d.win_loss_size_ratio' | 'metrics.1d.pnl_volume_ratio' | 'metrics.1d.small_pnl' | 'metrics.1d.pnl_volatility' | 'metrics.1d.pnl_stability' | 'metrics.1d.roi_volatility' | 'metrics.1d.roi_stability' | 'metrics.1d.win_count' | 'metrics.1d.loss_count' | 'metrics.1d.largest_win' | 'metrics.1d.largest_loss' | 'metrics.1d.max_consecutive_wins' | 'metrics.1d.max_consecutive_losses' | 'metrics.1d.avg_pnl' | 'metrics.1d.avg_roi' | 'metrics.1d.roi' | 'metrics.1d.winrate' | 'metrics.1d.profit_expectancy' | 'metrics.1d.recovery_factor' | 'metrics.1d.turnover' | 'metrics.1d.avg_token_pnl' | 'metrics.1d.avg_token_roi' | 'metrics.1d.token_hit_ratio' | 'metrics.1d.avg_trade_delta' | 'metrics.1d.avg_daily_pnl' | 'metrics.1d.avg_daily_volume' | 'metrics.1d.avg_daily_trade_count' | 'metrics.1d.avg_daily_roi' | 'metrics.1d.avg_daily_traded_tokens' | 'metrics.1d.time_weighted_roi' | 'metrics.1d.winrate_volatility' | 'metrics.1d.winrate_stability' | 'metrics.1d.sharpe_ratio' | 'metrics.1d.sortino_ratio' | 'metrics.1d.max_drawdown' | 'metrics.1d.risk_of_ruin' | 'metrics.1d.risk_score' | 'metrics.1d.consistency_score' | 'metrics.1d.token_roi_distribution.gt_500' | 'metrics.1d.token_roi_distribution.200_500' | 'metrics.1d.token_roi_distribution.0_200' | 'metrics.1d.token_roi_distribution.neg50_0' | 'metrics.1d.token_roi_distribution.lt_neg50_0' | 'metrics.1d.entry_count' | 'metrics.1d.avg_entry_delay' | 'metrics.1d.early_entry_ratio' | 'metrics.1d.winrate_low' | 'metrics.1d.winrate_high' | 'metrics.1d.pnl_without_best' | 'metrics.1d.best_token_share' | 'metrics.1d.days_active' | 'metrics.1d.unvalued_trade_count' | 'metrics.1d.volume_native' | 'metrics.1d.pnl_native' | 'metrics.1d.roi_native' | 'metrics.1d.fees_native' | 'metrics.1d.fees' | 'metrics.1d.stale_fee_count' | 'metrics.1d.net_pnl' | 'metrics.1d.wash_volume' | 'metrics.1d.wash_share' | 'metrics.1d.unmatched_proceeds' | 'metrics.1d.unmatched_share' | 'metrics.1d.quick_share' | 'metrics.1d.away_cost' | 'metrics.1d.returned_cost' | 'metrics.30d.cumulative_pnl' | 'metrics.14d.cumulative_pnl' | 'metrics.7d.cumulative_pnl' | 'metrics.3d.cumulative_pnl' | 'metrics.1d.cumulative_pnl';
/** Missing values come last in both directions. Default `desc`. */ readonly direction?: 'asc' | 'desc' | undefined;
};

/** Text to match against addresses and names. */
export type WalletTextQuery = {
/** Words that must all match. */ readonly text: string;
/** The fields to match. Default: all of them. */ readonly fields?: readonly ('wallet_address' | 'metadata.name' | 'metadata.twitter_username' | 'metadata.telegram_username' | 'identity.name' | 'identity.twitter_username' | 'identity.telegram_username')[] | undefined;
/** Match the beginnings of words. Default `false`. */ readonly autocomplete?: boolean | undefined;
/** Tolerate small typos. Default `false`. */ readonly fuzzy?: boolean | undefined;
};

/** By operation: what it takes and answers. */
export interface Operations {
  /** Filters the stored profiles, finds them by text, sorts them, and returns a page. `count` is exact. */
  'tokens.search': {
    readonly request: {
readonly query?: TokenTextQuery | undefined;
readonly filter?: TokenFilter | undefined;
readonly sort?: TokenSort | undefined;
readonly dynamic_labels?: TokenDynamicLabels | undefined;
/** Say of each profile why it was found, and of the search what ran. Default `false`. */ readonly explain?: boolean | undefined;
/** The sections to return, and no others. Without options: all of them but the launch. */ readonly options?: {
/** Return `metadata`. */ readonly include_metadata?: boolean | undefined;
/** Return `market`. */ readonly include_market?: boolean | undefined;
/** Return `labels` and `matched_labels`. */ readonly include_labels?: boolean | undefined;
/** Return `metrics` of these windows. */ readonly include_metrics?: readonly ('7d' | '1d' | '6h' | '1h' | '5m' | '1m')[] | undefined;
/** Return `launch`. */ readonly include_launch?: boolean | undefined;
} | undefined;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: {
/** Matching items, on all pages. */ readonly count: number;
/** For the next page; absent on the last. */ readonly cursor?: string | undefined;
readonly data: readonly (TokenProfile)[];
readonly plan?: SearchPlan | undefined;
};
  };
  /** Returns the stored profile of a token, with the sections that `options` asks for. */
  'tokens.get': {
    readonly request: {
/** Address of the token. */ readonly token: string;
/** The sections to return, and no others. Without options: all of them but the launch. */ readonly options?: {
/** Return `metadata`. */ readonly include_metadata?: boolean | undefined;
/** Return `market`. */ readonly include_market?: boolean | undefined;
/** Return `labels` and `matched_labels`. */ readonly include_labels?: boolean | undefined;
/** Return `metrics` of these windows. */ readonly include_metrics?: readonly ('7d' | '1d' | '6h' | '1h' | '5m' | '1m')[] | undefined;
/** Return `launch`. */ readonly include_launch?: boolean | undefined;
} | undefined;
};
    readonly answer: TokenProfile;
  };
  /** Returns a metric of the stored profile of a token with its formula, the terms that it is made of, and a page of the trades that enter, newest first. Of a metric that is a sum, each trade says what it adds. Later pages are of the instant of the first. */
  'tokens.explain': {
    readonly request: {
/** Address of the token. */ readonly token: string;
/** The metric, as profiles have it below a window. */ readonly metric: string;
/** One of 7d, 1d, 6h, 1h, 5m, 1m. */ readonly window: string;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: MetricExplanation;
  };
  /** Returns the price and the holders of a token at `from`, `from + interval`, and so on up to and including `to`, and what was done with it in each interval: makers, trades, volumes. */
  'tokens.history': {
    readonly request: {
/** Address of the token. */ readonly token: string;
/** Seconds. */ readonly interval: number;
/** The first instant, inclusive. Default: such that the last one is `to`, and the first interval holds the first trade or swap. */ readonly from?: string | undefined;
/** The end of the range. Default: now. */ readonly to?: string | undefined;
/** What each point has beside `timestamp`. Default: everything. */ readonly metrics?: readonly ('price' | 'holders' | 'makers_count' | 'trade_count' | 'volume' | 'buy_volume' | 'sell_volume')[] | undefined;
};
    readonly answer: TokenHistory;
  };
  /** Returns the wallets that bought a token first, in chain order, at most 1,000: when and how much, what they hold, sold and made, and what they were at its launch, with the evidence. Beside them the bundles and the insiders of the launch. */
  'tokens.buyers': {
    readonly request: {
/** Address of the token. */ readonly token: string;
/** Only wallets whose first buy is before this time. */ readonly before?: string | undefined;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: TokenBuyers;
  };
  /** Filters the stored profiles, finds them by text, sorts them, and returns a page. `count` is exact. */
  'wallets.search': {
    readonly request: {
readonly query?: WalletTextQuery | undefined;
readonly filter?: WalletFilter | undefined;
readonly sort?: WalletSort | undefined;
readonly dynamic_labels?: WalletDynamicLabels | undefined;
/** Say of each profile why it was found, and of the search what ran. Default `false`. */ readonly explain?: boolean | undefined;
/** The sections to return, and no others. Without options: all of them but `lifetime` and `holding` and the launch. */ readonly options?: {
/** Return `metadata`. */ readonly include_metadata?: boolean | undefined;
/** Return `identity`. */ readonly include_identity?: boolean | undefined;
/** Return `lifetime`. */ readonly include_lifetime?: boolean | undefined;
/** Return `holding`. */ readonly include_holding?: boolean | undefined;
/** Return `labels` and `matched_labels`. */ readonly include_labels?: boolean | undefined;
/** Return `metrics` of these windows. */ readonly include_metrics?: readonly ('30d' | '14d' | '7d' | '3d' | '1d')[] | undefined;
/** Return `sniper_entry_count` in the metrics of the windows. */ readonly include_launch?: boolean | undefined;
} | undefined;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: {
/** Matching items, on all pages. */ readonly count: number;
/** For the next page; absent on the last. */ readonly cursor?: string | undefined;
readonly data: readonly (WalletProfile)[];
readonly plan?: SearchPlan | undefined;
};
  };
  /** Returns the stored profile of a wallet, with the sections that `options` asks for. */
  'wallets.get': {
    readonly request: {
/** Address of the wallet. */ readonly wallet: string;
/** The sections to return, and no others. Without options: all of them but `lifetime` and `holding` and the launch. */ readonly options?: {
/** Return `metadata`. */ readonly include_metadata?: boolean | undefined;
/** Return `identity`. */ readonly include_identity?: boolean | undefined;
/** Return `lifetime`. */ readonly include_lifetime?: boolean | undefined;
/** Return `holding`. */ readonly include_holding?: boolean | undefined;
/** Return `labels` and `matched_labels`. */ readonly include_labels?: boolean | undefined;
/** Return `metrics` of these windows. */ readonly include_metrics?: readonly ('30d' | '14d' | '7d' | '3d' | '1d')[] | undefined;
/** Return `sniper_entry_count` in the metrics of the windows. */ readonly include_launch?: boolean | undefined;
} | undefined;
};
    readonly answer: WalletProfile;
  };
  /** Returns a metric of the stored profile of a wallet with its formula, the terms that it is made of, and a page of the trades that enter, newest first. Of a metric that is a sum, each trade says what it adds. Later pages are of the instant of the first. */
  'wallets.explain': {
    readonly request: {
/** Address of the wallet. */ readonly wallet: string;
/** The metric, as profiles have it below a window, or without a window a field of lifetime or holding. */ readonly metric: string;
/** One of 30d, 14d, 7d, 3d, 1d. */ readonly window?: string | undefined;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: MetricExplanation;
  };
  /** Returns what a wallet had made at `from`, `from + interval`, and so on up to and including `to`, and what it did in each interval: equity, results, volume, trades. */
  'wallets.history': {
    readonly request: {
/** Address of the wallet. */ readonly wallet: string;
/** Seconds. */ readonly interval: number;
/** The first instant, inclusive. Default: such that the last one is `to`, and the first interval holds the first trade or swap. */ readonly from?: string | undefined;
/** The end of the range. Default: now. */ readonly to?: string | undefined;
/** What each point has beside `timestamp`. Default: everything. */ readonly metrics?: readonly ('equity' | 'realized_pnl' | 'unrealized_pnl' | 'drawdown' | 'pnl' | 'volume' | 'trade_count' | 'roi' | 'winrate' | 'position_count' | 'pnl_native' | 'roi_native' | 'volume_native')[] | undefined;
};
    readonly answer: WalletHistory;
  };
  /** Repeats the trades of a wallet in buys of one size, some seconds later, at the worst price that the stored prints leave open. `follower` is what that made, `leader` the same at the prices of the wallet, `decay` what other delays made. Nothing is written. */
  'wallets.simulate': {
    readonly request: {
/** Address of the leader. */ readonly wallet: string;
/** Since when it is followed. Default: its first stored trade. */ readonly from?: string | undefined;
/** The end of the range. Default: now. */ readonly to?: string | undefined;
/** USD that each buy takes, with the fee. */ readonly size?: number | undefined;
/** Seconds after the leader, up to the end of that second. Default 5. */ readonly delay?: number | undefined;
/** Slots after the leader, in place of `delay`. */ readonly slots?: number | undefined;
/** Seconds that `decay` compares. */ readonly delays?: readonly (number)[] | undefined;
/** Percent by which each price is worse. */ readonly slippage?: number | undefined;
/** Percent by which a print is worse if the depth of its pool is not known. */ readonly unknown?: number | undefined;
/** Seconds after its moment in which the next print of somebody else counts. */ readonly max_wait?: number | undefined;
/** What each trade costs beside its price. Default: nothing. */ readonly fee?: {
/** USD of each buy and sell. */ readonly usd?: number | undefined;
/** Percent of each buy and sell. */ readonly percent?: number | undefined;
} | undefined;
/** Percent over the leader's price above which a buy is missed. Default: none is. */ readonly limit?: number | undefined;
/** Say of each pair what the follower found, and what it holds at `to`. Default `false`. */ readonly explain?: boolean | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: Simulation;
  };
  /** Filters the stored positions, sorts them, and returns a page. `count` is exact. What is computed when it is asked for can be filtered and sorted by if the conditions on stored fields leave at most 200,000 positions, 20,000 if it is made of trades. */
  'positions.search': {
    readonly request: {
readonly filter?: PositionFilter | undefined;
readonly sort?: PositionSort | undefined;
readonly dynamic_labels?: PositionDynamicLabels | undefined;
/** Say of each profile why it was found, and of the search what ran. Default `false`. */ readonly explain?: boolean | undefined;
/** The sections to return, and no others. Without options: all of them but the launch, with the metrics that are stored. */ readonly options?: {
/** Return `metadata`. */ readonly include_metadata?: boolean | undefined;
/** Return `holding`. */ readonly include_holding?: boolean | undefined;
/** Return `labels` and `matched_labels`. */ readonly include_labels?: boolean | undefined;
/** Return `metrics` of these windows. */ readonly include_metrics?: readonly ('30d' | '14d' | '7d' | '3d' | '1d')[] | undefined;
/** Return `roles` in `metadata`. */ readonly include_launch?: boolean | undefined;
} | undefined;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: {
/** Matching items, on all pages. */ readonly count: number;
/** For the next page; absent on the last. */ readonly cursor?: string | undefined;
readonly data: readonly (PositionProfile)[];
readonly plan?: SearchPlan | undefined;
};
  };
  /** Returns what a wallet holds of a token and has made of it, with the sections that `options` asks for. */
  'positions.get': {
    readonly request: {
/** Address of the wallet. */ readonly wallet: string;
/** Address of the token. */ readonly token: string;
/** The sections to return, and no others. Without options: all of them but the launch, with the metrics that are stored. */ readonly options?: {
/** Return `metadata`. */ readonly include_metadata?: boolean | undefined;
/** Return `holding`. */ readonly include_holding?: boolean | undefined;
/** Return `labels` and `matched_labels`. */ readonly include_labels?: boolean | undefined;
/** Return `metrics` of these windows. */ readonly include_metrics?: readonly ('30d' | '14d' | '7d' | '3d' | '1d')[] | undefined;
/** Return `roles` in `metadata`. */ readonly include_launch?: boolean | undefined;
} | undefined;
};
    readonly answer: PositionProfile;
  };
  /** Returns a metric of the stored profile of the position of a wallet in a token with its formula, the terms that it is made of, and a page of the trades that enter, newest first. Of a metric that is a sum, each trade says what it adds. Later pages are of the instant of the first. */
  'positions.explain': {
    readonly request: {
/** Address of the wallet. */ readonly wallet: string;
/** Address of the token. */ readonly token: string;
/** The metric, as profiles have it below a window, or without a window holding.unrealized_pnl or holding.unrealized_roi. */ readonly metric: string;
/** One of 30d, 14d, 7d, 3d, 1d. */ readonly window?: string | undefined;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: MetricExplanation;
  };
  /** Returns a page of the stored swaps. With several of `wallet`, `token` and `pool`, all must match. */
  'swaps.list': {
    readonly request: {
/** Only those of this wallet. */ readonly wallet?: string | undefined;
/** Only those with this token on either side. */ readonly token?: string | undefined;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
/** Only those that went through this pool. */ readonly pool?: string | undefined;
};
    readonly answer: {
/** Matching items, on all pages. */ readonly count: number;
/** For the next page; absent on the last. */ readonly cursor?: string | undefined;
readonly data: readonly (Swap)[];
};
  };
  /** Returns a page of the trades that swaps make up. With `wallet` and `token`, both must match. */
  'trades.list': {
    readonly request: {
/** Only those of this wallet. */ readonly wallet?: string | undefined;
/** Only those with this token on either side. */ readonly token?: string | undefined;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: {
/** Matching items, on all pages. */ readonly count: number;
/** For the next page; absent on the last. */ readonly cursor?: string | undefined;
readonly data: readonly (Trade)[];
};
  };
  /** Returns a page of the stored transfers: what moved without a swap. With `wallet` and `token`, both must match. */
  'transfers.list': {
    readonly request: {
/** Only those from or to this wallet. */ readonly wallet?: string | undefined;
/** Only those of this token. */ readonly token?: string | undefined;
/** Items of a page. */ readonly limit?: number | undefined;
/** The `cursor` of the page before, sent with the body that gave it: where this page starts. */ readonly cursor?: string | undefined;
};
    readonly answer: {
/** Matching items, on all pages. */ readonly count: number;
/** For the next page; absent on the last. */ readonly cursor?: string | undefined;
readonly data: readonly (Transfer)[];
};
  };
  /** Returns the last print of each token. Leaves out tokens without a price. */
  'prices.latest': {
    readonly request: {
/** Addresses of tokens. */ readonly tokens: readonly (string)[];
};
    readonly answer: readonly (LatestPrice)[];
  };
  /** Returns for each token its price, and its changes and volumes over seven windows. */
  'prices.stats': {
    readonly request: {
/** Addresses of tokens. */ readonly tokens: readonly (string)[];
};
    readonly answer: readonly (PriceStats)[];
  };
  /** Returns the candles of a range (`from`, `to`), or the latest ones (`count`). */
  'prices.candles': {
    readonly request: {
/** Address of the token. Required without `pool`. */ readonly token?: string | undefined;
/** Only the swaps of this pool. Without `token`: of its token that is no quote token, else of the one whose address sorts first. */ readonly pool?: string | undefined;
/** Seconds. */ readonly interval: number;
/** The start of the range, inclusive. */ readonly from?: string | undefined;
/** The end of the range. Default: now. */ readonly to?: string | undefined;
/** Candles: the latest ones before `to`. Not with `from`. */ readonly count?: number | undefined;
/** Emit buckets without a price, at the close before. Default `false`. */ readonly fill?: boolean | undefined;
/** Which prints make the prices: `all` (default), or `clean` ones, which leaves out those far off the prints before them. */ readonly prints?: 'all' | 'clean' | undefined;
};
    readonly answer: readonly (Candle)[];
  };
  /** Returns the price of each token at `from`, `from + interval`, and so on up to and including `to`. */
  'prices.history': {
    readonly request: {
/** Addresses of tokens. */ readonly tokens: readonly (string)[];
/** The start of the range, inclusive. */ readonly from: string;
/** The end of the range. Default: now. */ readonly to?: string | undefined;
/** Seconds. */ readonly interval: number;
/** Which prints make the prices: `all` (default), or `clean` ones, which leaves out those far off the prints before them. */ readonly prints?: 'all' | 'clean' | undefined;
};
    readonly answer: readonly (PriceHistory)[];
  };
  /** Returns the tokens that a wallet holds, with their value and what they cost. */
  'portfolios.get': {
    readonly request: {
/** Address of the wallet. */ readonly wallet: string;
};
    readonly answer: Portfolio;
  };
  /** Stores swaps in any order, in one transaction. A swap that is stored already changes nothing, so a request without an answer is sent again. The key needs `ingest.swaps` among its operations. */
  'ingest.swaps': {
    readonly request: readonly (PushedSwap)[];
    readonly answer: {
/** Swaps that are new. */ readonly added: number;
/** Swaps that were stored before. */ readonly duplicate: number;
/** Swaps that were stored before with other values; the stored ones stay. */ readonly conflicting: number;
/** Rows that cannot be stored. */ readonly rejected: number;
/** Rows of a token for itself under an alias, such as wraps, which are not stored. Absent if there are none. */ readonly passed_over?: number | undefined;
/** Rows, not rejected, whose `tx_hash` is no hash of an EVM chain, in a store for one. Absent if there are none. */ readonly odd_hashes?: number | undefined;
/** Stored swaps that are the sum of the others of their transaction. Absent if there are none. */ readonly aggregates?: number | undefined;
/** The first 100 rows that were not stored. */ readonly rows: readonly ({
/** Its place in what was sent, from 0. */ readonly row: number;
/** The field at fault. */ readonly field: string;
/** What is wrong with it. */ readonly reason: string;
})[];
/** The first 100 fields that no swap has. The rows are stored without them. */ readonly unknown_fields: readonly ({
/** A field that no swap has. */ readonly field: string;
/** Rows that carry it. */ readonly rows: number;
/** The field of a swap that may have been meant, of those that the first such row lacks. */ readonly nearest: string | null;
})[];
/** Block time of the newest stored swap, Unix seconds; null without one, and if the store closed meanwhile. */ readonly as_of: number | null;
};
  };
  /** Stores transfers in any order, in one transaction. A transfer that is stored already changes nothing. Without `transfer_index`, equal rows of one request are as many transfers. The key needs `ingest.transfers` among its operations. */
  'ingest.transfers': {
    readonly request: readonly (PushedTransfer)[];
    readonly answer: {
/** Transfers that are new. */ readonly added: number;
/** Transfers that were stored before. */ readonly duplicate: number;
/** Transfers that were stored before with other values; the stored ones stay. */ readonly conflicting: number;
/** Rows that cannot be stored. */ readonly rejected: number;
/** Rows that move nothing, of an amount of 0 or of the native token as it is wrapped, which are not stored. Absent if there are none. */ readonly passed_over?: number | undefined;
/** Rows, not rejected, whose `tx_hash` is no hash of an EVM chain, in a store for one. Absent if there are none. */ readonly odd_hashes?: number | undefined;
/** The first 100 rows that were not stored. */ readonly rows: readonly ({
/** Its place in what was sent, from 0. */ readonly row: number;
/** The field at fault. */ readonly field: string;
/** What is wrong with it. */ readonly reason: string;
})[];
/** The first 100 fields that no transfer has. The rows are stored without them. */ readonly unknown_fields: readonly ({
/** A field that no transfer has. */ readonly field: string;
/** Rows that carry it. */ readonly rows: number;
/** The field of a transfer that may have been meant, of those that the first such row lacks. */ readonly nearest: string | null;
})[];
/** Block time of the newest stored swap, Unix seconds; null without one, and if the store closed meanwhile. */ readonly as_of: number | null;
};
  };
  /** Adds or changes rows of the registry of tokens, in one transaction. A field that a row does not have keeps what is stored; null clears it. Profiles follow at the next refresh. The key needs `ingest.registry` among its operations. */
  'ingest.tokens': {
    readonly request: readonly (PushedToken)[];
    readonly answer: {
/** Addresses whose rows were stored. */ readonly upserted: number;
/** Rows that cannot be stored. */ readonly rejected: number;
/** The first 100 rows that were not stored. */ readonly rows: readonly ({
/** Its place in what was sent, from 0. */ readonly row: number;
/** The field at fault. */ readonly field: string;
/** What is wrong with it. */ readonly reason: string;
})[];
/** Block time of the newest stored swap, Unix seconds; null without one, and if the store closed meanwhile. */ readonly as_of: number | null;
};
  };
  /** Adds or changes rows of the registry of wallets, in one transaction. A field that a row does not have keeps what is stored; null clears it. Profiles follow at the next refresh. The key needs `ingest.registry` among its operations. */
  'ingest.wallets': {
    readonly request: readonly (PushedWallet)[];
    readonly answer: {
/** Addresses whose rows were stored. */ readonly upserted: number;
/** Rows that cannot be stored. */ readonly rejected: number;
/** The first 100 rows that were not stored. */ readonly rows: readonly ({
/** Its place in what was sent, from 0. */ readonly row: number;
/** The field at fault. */ readonly field: string;
/** What is wrong with it. */ readonly reason: string;
})[];
/** Block time of the newest stored swap, Unix seconds; null without one, and if the store closed meanwhile. */ readonly as_of: number | null;
};
  };
  /** Adds, changes or removes prices from outside, in one transaction, and derives again what depends on them, whenever the swaps came. A price holds from its time to the next one, at most as long as the configuration says. Profiles follow at the next refresh. The key needs `ingest.prices` among its operations. */
  'ingest.prices': {
    readonly request: readonly (PushedPrice)[];
    readonly answer: {
/** Prices that are new, or others than were stored. */ readonly stored: number;
/** Prices that were removed. */ readonly removed: number;
/** Rows that cannot be stored. */ readonly rejected: number;
/** The first 100 rows that were not stored. */ readonly rows: readonly ({
/** Its place in what was sent, from 0. */ readonly row: number;
/** The field at fault. */ readonly field: string;
/** What is wrong with it. */ readonly reason: string;
})[];
/** The first prices of the native token that were stored although swaps say something else, by more than `print_factor`. */ readonly warnings: readonly ({
readonly token: string;
/** When the price became known, Unix seconds. */ readonly time: number;
readonly usd_price: number;
/** Median of what swaps of the token paid in the same hour, USD. */ readonly swaps_say: number;
})[];
/** Block time of the newest stored swap, Unix seconds; null without one, and if the store closed meanwhile. */ readonly as_of: number | null;
};
  };
  /** Removes the swaps and transfers of a block slot and of all later ones, in one transaction. Those of the new branch can be sent then. The key needs `ingest.rollback` among its operations. */
  'ingest.rollback': {
    readonly request: {
/** The first orphaned block slot. */ readonly from_block_slot: number;
};
    readonly answer: {
/** Swaps that were removed. */ readonly swaps: number;
/** Transactions of swaps that were removed. */ readonly transactions: number;
/** Transfers that were removed. Absent if there were none. */ readonly transfers?: number | undefined;
/** Block time of the newest stored swap, Unix seconds; null without one, and if the store closed meanwhile. */ readonly as_of: number | null;
};
  };
  /** Folds the profiles that changed, of what was traded or all, beside what is pushed meanwhile, and stores them in one transaction. What changes meanwhile is left to the next refresh. The key needs `ingest.refresh` among its operations. */
  'ingest.refresh': {
    readonly request: {
/** What was traded since the last refresh, or all profiles. */ readonly scope?: 'traded' | 'all' | undefined;
};
    readonly answer: {
/** The instant of the stored profiles, Unix seconds. */ readonly as_of: number;
/** Profiles of tokens that were stored. */ readonly tokens: number;
/** Profiles of wallets that were stored. */ readonly wallets: number;
/** Positions that were stored. */ readonly positions: number;
};
  };
}

/** By topic: what a subscription asks for and is sent. */
export interface Topics {
  /** Sends the swaps of each commit in chain order. A swap that changes, as a late one may change the value of others, is sent again with the same `tx_hash` and `swap_index`. */
  'swaps': {
    readonly params: {
/** Only those of these wallets. */ readonly wallets?: readonly (string)[] | undefined;
/** Only those with one of these tokens. */ readonly tokens?: readonly (string)[] | undefined;
/** Only those that went through one of these pools. */ readonly pools?: readonly (string)[] | undefined;
};
    readonly message: {
readonly topic: 'solana.dex.swaps';
/** Where a subscription goes on after this message. */ readonly cursor: string;
/** Each takes the place of the item of the same identity. */ readonly data: readonly (Swap)[];
readonly retracted?: Retracted | undefined;
/** Tells messages apart from those of another subscription to the topic. */ readonly id?: string | undefined;
};
  };
  /** Sends the trades of each commit in chain order. A trade that changes is sent again whole, with the same `tx_hash`, `wallet` and `token`; `retracted.trades` names those that there are no more. */
  'trades': {
    readonly params: {
/** Only those of these wallets. */ readonly wallets?: readonly (string)[] | undefined;
/** Only those with one of these tokens. */ readonly tokens?: readonly (string)[] | undefined;
/** Only those that went through one of these pools. */ readonly pools?: readonly (string)[] | undefined;
};
    readonly message: {
readonly topic: 'solana.dex.trades';
/** Where a subscription goes on after this message. */ readonly cursor: string;
/** Each takes the place of the item of the same identity. */ readonly data: readonly (Trade)[];
readonly retracted?: Retracted | undefined;
/** Tells messages apart from those of another subscription to the topic. */ readonly id?: string | undefined;
};
  };
  /** Sends the transfers of each commit in chain order. A transfer that changes, as one whose transaction gets swaps may move, is sent again with the same `tx_hash` and `transfer_index`; `retracted.transfers` names those that there are no more. */
  'transfers': {
    readonly params: {
/** Only those from or to these wallets. */ readonly wallets?: readonly (string)[] | undefined;
/** Only those with one of these tokens. */ readonly tokens?: readonly (string)[] | undefined;
};
    readonly message: {
readonly topic: 'solana.dex.transfers';
/** Where a subscription goes on after this message. */ readonly cursor: string;
/** Each takes the place of the item of the same identity. */ readonly data: readonly (Transfer)[];
readonly retracted?: Retracted | undefined;
/** Tells messages apart from those of another subscription to the topic. */ readonly id?: string | undefined;
};
  };
  /** Sends the latest price of each token that a commit trades, one a token. Without `tokens`: of all. `retracted.tokens` names tokens that have none. */
  'prices': {
    readonly params: {
/** Addresses of tokens. */ readonly tokens?: readonly (string)[] | undefined;
};
    readonly message: {
readonly topic: 'solana.dex.prices';
/** Where a subscription goes on after this message. */ readonly cursor: string;
/** Each takes the place of the item of the same identity. */ readonly data: readonly (LatestPrice)[];
readonly retracted?: Retracted | undefined;
/** Tells messages apart from those of another subscription to the topic. */ readonly id?: string | undefined;
};
  };
  /** Sends the buckets that a commit changes, oldest first. After a rollback: all buckets from that of `retracted.from_block_time` on. `retracted.timestamps` names buckets without a candle. */
  'candles': {
    readonly params: {
/** Address of the token. */ readonly token: string;
/** Seconds. */ readonly interval: number;
};
    readonly message: {
readonly topic: 'solana.dex.candles';
/** Where a subscription goes on after this message. */ readonly cursor: string;
/** Each takes the place of the item of the same identity. */ readonly data: readonly (Candle)[];
readonly retracted?: Retracted | undefined;
/** Tells messages apart from those of another subscription to the topic. */ readonly id?: string | undefined;
};
  };
  /** Sends profiles when a refresh has stored them: those of the addresses, or those that match `filter`, at most 1,000. With `filter`, `began` names those that match from now on and `ended` those that match no more; otherwise `ended` names those that have no profile any more. `complete` says that `data` is all that matches now: what else was known matches no more. */
  'profiles.wallet': {
    readonly params: {
/** Addresses of wallets. */ readonly wallets?: readonly (string)[] | undefined;
readonly filter?: WalletFilter | undefined;
/** The sections to return, and no others. Without options: all of them but `lifetime` and `holding`. */ readonly options?: {
/** Return `metadata`. */ readonly include_metadata?: boolean | undefined;
/** Return `identity`. */ readonly include_identity?: boolean | undefined;
/** Return `lifetime`. */ readonly include_lifetime?: boolean | undefined;
/** Return `holding`. */ readonly include_holding?: boolean | undefined;
/** Return `labels` and `matched_labels`. */ readonly include_labels?: boolean | undefined;
/** Return `metrics` of these windows. */ readonly include_metrics?: readonly ('30d' | '14d' | '7d' | '3d' | '1d')[] | undefined;
} | undefined;
};
    readonly message: {
readonly topic: 'solana.dex.profiles.wallet';
/** Where a subscription goes on after this message. */ readonly cursor: string;
/** Each takes the place of the item of the same identity. */ readonly data: readonly (WalletProfile)[];
readonly retracted?: Retracted | undefined;
/** Tells messages apart from those of another subscription to the topic. */ readonly id?: string | undefined;
/** Profiles that match the filter from now on. */ readonly began?: readonly (string)[] | undefined;
/** Profiles that match no more, or that there are no more. */ readonly ended?: readonly (string)[] | undefined;
/** `data` is all that matches now. */ readonly complete?: true | undefined;
};
  };
  /** Sends profiles when a refresh has stored them: those of the addresses, or those that match `filter`, at most 1,000. With `filter`, `began` names those that match from now on and `ended` those that match no more; otherwise `ended` names those that have no profile any more. `complete` says that `data` is all that matches now: what else was known matches no more. */
  'profiles.token': {
    readonly params: {
/** Addresses of tokens. */ readonly tokens?: readonly (string)[] | undefined;
readonly filter?: TokenFilter | undefined;
/** The sections to return, and no others. Without options: all of them. */ readonly options?: {
/** Return `metadata`. */ readonly include_metadata?: boolean | undefined;
/** Return `market`. */ readonly include_market?: boolean | undefined;
/** Return `labels` and `matched_labels`. */ readonly include_labels?: boolean | undefined;
/** Return `metrics` of these windows. */ readonly include_metrics?: readonly ('7d' | '1d' | '6h' | '1h' | '5m' | '1m')[] | undefined;
} | undefined;
};
    readonly message: {
readonly topic: 'solana.dex.profiles.token';
/** Where a subscription goes on after this message. */ readonly cursor: string;
/** Each takes the place of the item of the same identity. */ readonly data: readonly (TokenProfile)[];
readonly retracted?: Retracted | undefined;
/** Tells messages apart from those of another subscription to the topic. */ readonly id?: string | undefined;
/** Profiles that match the filter from now on. */ readonly began?: readonly (string)[] | undefined;
/** Profiles that match no more, or that there are no more. */ readonly ended?: readonly (string)[] | undefined;
/** `data` is all that matches now. */ readonly complete?: true | undefined;
};
  };
  /** Sends profiles when a refresh has stored them: those of the addresses, or those that match `filter`, at most 1,000. With `filter`, `began` names those that match from now on and `ended` those that match no more; otherwise `ended` names those that have no profile any more. `complete` says that `data` is all that matches now: what else was known matches no more. Addresses are those of positions. What is computed when it is asked for, such as the price of a holding, is as of the refresh. */
  'profiles.position': {
    readonly params: {
/** Wallets and tokens of positions. */ readonly positions?: readonly ({
/** Address of the wallet. */ readonly wallet: string;
/** Address of the token. */ readonly token: string;
})[] | undefined;
readonly filter?: PositionFilter | undefined;
/** The sections to return, and no others. Without options: all of them, with the metrics that are stored. */ readonly options?: {
/** Return `metadata`. */ readonly include_metadata?: boolean | undefined;
/** Return `holding`. */ readonly include_holding?: boolean | undefined;
/** Return `labels` and `matched_labels`. */ readonly include_labels?: boolean | undefined;
/** Return `metrics` of these windows. */ readonly include_metrics?: readonly ('30d' | '14d' | '7d' | '3d' | '1d')[] | undefined;
} | undefined;
};
    readonly message: {
readonly topic: 'solana.dex.profiles.position';
/** Where a subscription goes on after this message. */ readonly cursor: string;
/** Each takes the place of the item of the same identity. */ readonly data: readonly (PositionProfile)[];
readonly retracted?: Retracted | undefined;
/** Tells messages apart from those of another subscription to the topic. */ readonly id?: string | undefined;
/** Profiles that match the filter from now on. */ readonly began?: readonly (string)[] | undefined;
/** Profiles that match no more, or that there are no more. */ readonly ended?: readonly (string)[] | undefined;
/** `data` is all that matches now. */ readonly complete?: true | undefined;
};
  };
}

/** The paths of the operations, after the chain. */
export const paths = {
  'tokens.search': '/dex/profiles/tokens/search-profiles',
  'tokens.get': '/dex/profiles/tokens/get-profile',
  'tokens.explain': '/dex/profiles/tokens/explain-metric',
  'tokens.history': '/dex/profiles/tokens/get-history',
  'tokens.buyers': '/dex/profiles/tokens/get-buyers',
  'wallets.search': '/dex/profiles/wallets/search-profiles',
  'wallets.get': '/dex/profiles/wallets/get-profile',
  'wallets.explain': '/dex/profiles/wallets/explain-metric',
  'wallets.history': '/dex/profiles/wallets/get-history',
  'wallets.simulate': '/dex/profiles/wallets/simulate',
  'positions.search': '/dex/profiles/positions/search-profiles',
  'positions.get': '/dex/profiles/positions/get-profile',
  'positions.explain': '/dex/profiles/positions/explain-metric',
  'swaps.list': '/dex/swaps/get-swaps',
  'trades.list': '/dex/trades/get-trades',
  'transfers.list': '/dex/transfers/get-transfers',
  'prices.latest': '/dex/prices/get-price',
  'prices.stats': '/dex/prices/get-price-stats',
  'prices.candles': '/dex/prices/get-price-candles',
  'prices.history': '/dex/prices/get-price-history',
  'portfolios.get': '/dex/portfolios/get-portfolio',
  'ingest.swaps': '/ingest/swaps',
  'ingest.transfers': '/ingest/transfers',
  'ingest.tokens': '/ingest/tokens',
  'ingest.wallets': '/ingest/wallets',
  'ingest.prices': '/ingest/prices',
  'ingest.rollback': '/ingest/rollback',
  'ingest.refresh': '/ingest/refresh',
} as const;
