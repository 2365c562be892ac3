import { quote } from '@swapfold/sql';

/** Columns from which on a row group is compressed for so long that the calling thread should not do it: those of profiles. */
const WIDE = 100;

/** Rows of one call that are worth the way over a table in memory: those of a block of swaps are fewer, and fill no row group. */
const MANY = 1500;

interface Staged {
  readonly name: string;
  rows: number;
}

/**
 * Tables in memory for rows of wide tables. An appender compresses each row group that it fills within the call, half a second for 550
 * columns; `insert ... select` does so on DuckDB's threads.
 *
 * `run` sends a statement; `rowGroup` is how many rows go on together.
 */
export class Staging {
  readonly #run: (sql: string) => Promise<unknown>;
  readonly #rowGroup: number;
  readonly #staged = new Map<string, Staged>();

  constructor(run: (sql: string) => Promise<unknown>, rowGroup: number) {
    this.#run = run;
    this.#rowGroup = rowGroup;
  }

  /** Appends rows by way of a table in memory, if that is worth it; whether it was. */
  async append(
    table: string,
    { columns, rows }: { readonly columns: number; readonly rows: number },
    appendTo: (name: string) => Promise<void>,
  ): Promise<boolean> {
    if (columns < WIDE || rows < MANY) return false;
    let staged = this.#staged.get(table);
    if (staged === undefined) {
      staged = { name: `${table}_staged`, rows: 0 };
      await this.#run(`create temp table ${quote(staged.name)} as from ${quote(table)} limit 0`);
      this.#staged.set(table, staged);
    }
    await appendTo(staged.name);
    staged.rows += rows;
    if (staged.rows >= this.#rowGroup) await this.#store(table, staged);
    return true;
  }

  /** To be called before every statement: what it may read, or commit, is in its table then. */
  async settle(sql: string): Promise<void> {
    if (this.#staged.size === 0) return;
    // The tables in memory go with the transaction that made them.
    if (sql === 'rollback') this.#staged.clear();
    for (const [table, staged] of [...this.#staged])
      if (sql === 'commit' || sql.includes(quote(table))) await this.#store(table, staged);
  }

  async #store(table: string, { name }: Staged): Promise<void> {
    await this.#run(`insert into ${quote(table)} from temp.${quote(name)}`);
    await this.#run(`drop table temp.${quote(name)}`);
    this.#staged.delete(table);
  }
}
