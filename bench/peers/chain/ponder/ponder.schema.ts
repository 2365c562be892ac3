import { onchainTable } from 'ponder';

export const swap = onchainTable('swap', (t) => ({
  id: t.text().primaryKey(),
  pool: t.hex().notNull(),
  wallet: t.hex().notNull(),
  amount0: t.bigint().notNull(),
  amount1: t.bigint().notNull(),
  block: t.bigint().notNull(),
  time: t.bigint().notNull(),
  transaction: t.hex().notNull(),
}));
