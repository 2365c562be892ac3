import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A node:http server that parses each request's JSON body and answers a constant: the least that any server of ours could do. */
export async function bareServer(answer: string): Promise<{ port: number; close: () => void }> {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { tokens: string[] };
      response.writeHead(body.tokens.length > 0 ? 200 : 400, headers);
      response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
