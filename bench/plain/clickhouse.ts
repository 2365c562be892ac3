import { connectClickhouse } from '../clickhouse.ts';
import type { PlainSql } from './sql.ts';

/** Plain SQL on ClickHouse: values are written into the statement, answers come as JSON. */
export async function openClickhouse(path: string): Promise<PlainSql> {
  const { client, database } = connectClickhouse(path);
  const run = async (query: string): Promise<void> => void (await client.command({ query }));
  await run(`create database if not exists "${database}"`);
  await run(`use "${database}"`);
  // As the other engines read an expression that names a column and an alias.
  await run('set prefer_column_name_to_alias = 1');
  return {
    engine: 'clickhouse',
    async query(sql, ...values) {
      const parts = sql.split('?');
      const query = parts.reduce((text, part, i) => `${text}${literal(values[i - 1]!)}${part}`);
      const answer = await client.query({ query, format: 'JSONCompact' });
      return (await answer.json<unknown[]>()).data;
    },
    async run(...statements) {
      for (const statement of statements) await run(statement);
    },
    close: () => client.close(),
  };
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : `'${value.replaceAll(/['\\]/g, '\\$&')}'`;
}
