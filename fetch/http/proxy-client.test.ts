import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { readBody } from '../client/fetch.ts';
import { HttpClient } from './http-client.ts';
import { Proxies } from './proxy.ts';

const limits = { connections: 2, headersTimeoutMs: 5000, idleTimeoutMs: 5000, connectTimeoutMs: 5000 };

test('a client sends its proxy the name of a host that it never resolves itself', async () => {
  const requested: string[] = [];
  const proxy = createServer(({ url, headers }, response) => {
    requested.push(`${url} ${headers.host}`);
    response.end('from the proxy');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const proxies = new Proxies({ http: `http://127.0.0.1:${port}` }, limits);
  const client = new HttpClient({ userAgent: 't', proxies, retries: 0, delayMs: 0 });
  const response = await client.fetch({ url: 'http://site.invalid/page?x' });
  assert.equal(Buffer.from(await readBody(response)).toString(), 'from the proxy');
  assert.deepEqual(requested, ['http://site.invalid/page?x site.invalid']);
  await assert.rejects(client.fetch({ url: 'http://10.0.0.1/' }), { code: 'FETCH_PRIVATE_ADDRESS' });
  proxy.closeAllConnections();
  await new Promise((resolve) => proxy.close(resolve));
  await assert.rejects(client.fetch({ url: 'http://site.invalid/' }), (error: Error) =>
    /the proxy/.test(error.message),
  );
  await client[Symbol.asyncDispose]();
  await proxies[Symbol.asyncDispose]();
});
