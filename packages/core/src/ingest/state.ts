import { KnownTransactions } from './known-transactions.ts';

/** What ingest knows of the store between batches. After a failed write it is read anew. */
export interface IngestState {
  /** Block time of the newest stored swap, `null` in an empty store. */
  lastTime: number | null;
  nextTx: number;
  readonly known: KnownTransactions;
}

/** `transactions`: how many the store holds; their ids are those from 0. */
export function newIngestState(lastTime: number | null, transactions: number): IngestState {
  return { lastTime, nextTx: transactions, known: new KnownTransactions(transactions) };
}
