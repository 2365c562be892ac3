import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConfigInput } from '@swapfold/core';

/** What the independent script is asked; see test/oracle/README.md. */
export interface OracleRequest {
  readonly config: ConfigInput;
  readonly swaps: readonly string[];
  readonly tokens?: string | null;
  readonly wallets?: string | null;
  /** Path of the reference prices, NDJSON. */
  readonly prices?: string | null;
  /** Path of the transfers, NDJSON. */
  readonly transfers?: string | null;
  readonly as_of?: number | null;
  /** Trades before it are not stored: they count, but nothing says at which prints they were made. */
  readonly horizon?: number | null;
  readonly candle_intervals?: readonly number[];
  readonly history?: readonly { from: number; to: number; interval: number }[];
  /** What is not part of every answer. */
  readonly include?: readonly ('luck' | 'parts' | 'positions' | 'terms')[];
  /** The addresses of the tokens, wallets and positions to compute profiles of; all of them where it is null. */
  readonly profiles?: readonly string[] | null;
}

type Row = Record<string, number | string | null>;
type TermValue = number | null | readonly (number | null)[];

/** What metrics are made of, by window and name, if the request includes `terms`. */
export interface WithTerms {
  readonly terms?: Readonly<Record<string, Readonly<Record<string, TermValue>>>>;
  readonly term_scales?: Readonly<Record<string, Readonly<Record<string, TermValue>>>>;
}

type Windowed = Record<string, Record<string, number | null | Record<string, number>>>;

/** What the independent script answers. */
export interface OracleAnswer {
  readonly as_of: number;
  readonly counts: Readonly<
    Record<'added' | 'duplicate' | 'conflict' | 'rejected' | 'unvalued' | 'contradicted', number>
  >;
  readonly transfer_counts: Readonly<Record<'added' | 'duplicate' | 'conflict' | 'rejected' | 'empty', number>>;
  /** Trades with gaps, trades whose balances cannot be, the value of sells, and what of it had no cost. */
  readonly ledger: Readonly<Record<'gaps' | 'contradicted_balances' | 'sold' | 'unmatched', number>>;
  /** How often each branch of the ledger's rules decided, by its name. */
  readonly decided: Readonly<Record<string, number>>;
  readonly swaps: readonly Row[];
  readonly trades: readonly Row[];
  readonly prices: Readonly<Record<string, Row>>;
  readonly stats: Readonly<Record<string, Row>>;
  readonly candles: Readonly<Record<string, Readonly<Record<string, readonly (readonly number[])[]>>>>;
  readonly clean_candles: OracleAnswer['candles'];
  readonly history: readonly Readonly<Record<string, readonly Row[]>>[];
  readonly clean_history: OracleAnswer['history'];
  readonly portfolio: Readonly<Record<string, { value: number; tokens: readonly Row[] }>>;
  readonly tokens: Readonly<Record<string, Entity & { market: Row; symbol: string | null }>>;
  readonly wallets: Readonly<Record<string, OracleWallet>>;
  /** By pool, over the swaps of the pool: candles by token and interval. `token` is the one that the pool stands for. */
  readonly pools: Readonly<Record<string, { token: string; candles: OracleAnswer['candles'] }>>;
  /** By address, if the request includes `positions`. */
  readonly positions?: Readonly<Record<string, OraclePosition>>;
}

export interface OraclePosition extends WithTerms {
  readonly wallet_address: string;
  readonly token_address: string;
  readonly updated_at: number;
  readonly labels: readonly string[];
  readonly metadata: Row;
  readonly holding: Row;
  readonly holding_scales: Row;
  readonly metrics: Windowed;
  readonly scales: Windowed;
}

export interface Entity extends WithTerms {
  readonly updated_at: number | null;
  readonly last_trade_at: number | null;
  readonly metrics: Windowed;
  readonly scales: Windowed;
}

export interface OracleWallet extends Entity {
  readonly best_token?: Readonly<Record<string, string | null>>;
  readonly lifetime: Row;
  readonly lifetime_scales: Row;
  readonly holding: Row;
  readonly holding_scales: Row;
}

export const hasPython = spawnSync('python3', ['--version']).status === 0;

/** Runs the independent Python script, which shares no code with Swapfold. */
export function askOracle(request: OracleRequest): OracleAnswer {
  return askOracles([request])[0]!;
}

/** The answers to some requests, in their order, of one run of the script. */
export function askOracles(requests: readonly OracleRequest[]): readonly OracleAnswer[] {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-oracle-'));
  try {
    const requestPath = join(folder, 'request.json');
    const answerPath = join(folder, 'answer.json');
    writeFileSync(
      requestPath,
      JSON.stringify(
        requests.map((request) => ({
          tokens: null,
          wallets: null,
          as_of: null,
          candle_intervals: [],
          history: [],
          ...request,
        })),
      ),
    );
    const script = new URL('../oracle/oracle.py', import.meta.url).pathname;
    const run = spawnSync('python3', [script, '--request', requestPath, '--out', answerPath], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`The oracle failed: ${run.stderr}`);
    return JSON.parse(readFileSync(answerPath, 'utf8')) as readonly OracleAnswer[];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
