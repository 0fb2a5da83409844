import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The line that the origin prints when it listens. */
export interface CacheOriginSays {
  readonly pid: number;
  readonly port: number;
}

/** A server of objects that are fresh for a day: `/LENGTH/...` has so many bytes. */
export async function probeCacheOrigin(): Promise<CacheOriginSays> {
  const contents = new Map<number, Buffer>();
  const contentOf = (length: number) => {
    const known = contents.get(length) ?? Buffer.alloc(length, 'x');
    contents.set(length, known);
    return known;
  };
  const server = createServer({ keepAliveTimeout: 600_000 }, (request, response) => {
    const length = Math.min(2 ** 20, Number(/^\/(\d{1,7})\//.exec(request.url ?? '')?.[1] ?? 0));
    response.writeHead(200, {
      'Content-Type': 'text/plain',
      'Content-Length': length,
      'Cache-Control': 'max-age=86400',
      'Last-Modified': 'Sun, 01 Nov 2026 00:00:00 GMT',
      ETag: `"${length}"`,
    });
    response.end(contentOf(length));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('SIGTERM', () => {
    server.closeAllConnections();
    server.close();
  });
  return { pid: process.pid, port: (server.address() as AddressInfo).port };
}
