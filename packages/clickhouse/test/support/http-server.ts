import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import type { ClickhouseClient } from '../../src/index.ts';

/**
 * What becomes of a statement: 'pass'; 'drop', the connection ends and the statement never arrives; 'lose', it ends when the statement has
 * been executed.
 */
export type Fate = 'pass' | 'drop' | 'lose';

/** Decides about each statement that arrives, for as long as it likes: it waits meanwhile. */
export type Gate = (statement: string) => Fate | Promise<Fate>;

/**
 * The part of ClickHouse's HTTP interface that the client uses, over a client of chDB: statements in the body or, where the body has
 * rows, in the address; settings in the address; errors with their status and text.
 */
export async function serveOverHttp(
  client: ClickhouseClient,
  gate: Gate = () => 'pass',
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url!, 'http://localhost');
    const inAddress = searchParams.get('query');
    try {
      const body = request as Readable;
      const query = inAddress ?? Buffer.concat(await body.toArray()).toString('utf8');
      const fate = await gate(query);
      if (fate === 'drop') return void request.socket.destroy();
      const settings = { max_query_size: searchParams.get('max_query_size') ?? '262144' };
      const values = inAddress === null ? {} : { values: body };
      const { stream } = await client.exec({ query, clickhouse_settings: settings, ...values });
      if (fate === 'lose') return void stream.resume().on('end', () => request.socket.destroy());
      response.writeHead(200, { 'content-type': 'application/octet-stream' });
      stream.pipe(response);
    } catch (error) {
      const { code = 1000, message, type = 'UNKNOWN' } = error as { code?: number; message: string; type?: string };
      response.writeHead(500, { 'x-clickhouse-exception-code': String(code) });
      response.end(`Code: ${code}. DB::Exception: ${message}. (${type})`);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
