import { db } from 'ponder:api';
import schema from 'ponder:schema';
import { Hono } from 'hono';
import { count } from 'ponder';

const app = new Hono();

app.get('/count', async (c) => {
  const [row] = await db.select({ count: count() }).from(schema.swap);
  return c.json({ count: row!.count });
});

app.get('/rows', async (c) => {
  const rows = await db.select().from(schema.swap);
  return c.json(rows.map(({ pool, wallet, amount0, amount1 }) => [pool, wallet, String(amount0), String(amount1)]));
});

export default app;
