import { ponder } from 'ponder:registry';
import { swap } from 'ponder:schema';

ponder.on('V2:Swap', async ({ event, context }) => {
  const { amount0In, amount0Out, amount1In, amount1Out } = event.args;
  await context.db.insert(swap).values({
    id: event.id,
    pool: event.log.address,
    wallet: event.transaction.from,
    amount0: amount0In - amount0Out,
    amount1: amount1In - amount1Out,
    block: event.block.number,
    time: event.block.timestamp,
    transaction: event.transaction.hash,
  });
});

ponder.on('V3:Swap', async ({ event, context }) => {
  await context.db.insert(swap).values({
    id: event.id,
    pool: event.log.address,
    wallet: event.transaction.from,
    amount0: event.args.amount0,
    amount1: event.args.amount1,
    block: event.block.number,
    time: event.block.timestamp,
    transaction: event.transaction.hash,
  });
});
