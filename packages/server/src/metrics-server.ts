import { createServer } from 'node:http';
import { closeServer, listen, urlOf } from './listening.ts';
import type { Metrics } from './metrics.ts';

export interface MetricsServer {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves `GET /metrics` on a port of its own, which asks for no key: it is for the operator's network. */
export async function serveMetrics(metrics: Metrics, address: { host: string; port: number }): Promise<MetricsServer> {
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, (request, response) => {
    if (request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404, { 'Content-Type': 'text/plain' }).end('GET /metrics\n');
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD', 'Content-Type': 'text/plain' }).end('GET /metrics\n');
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  server.maxConnections = 64;
  await listen(server, address);
  return { url: urlOf(server), close: () => closeServer(server, 1) };
}
