import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { localhostCertificate, missingOpenssl, seenTrusting } from '../testing/tls.ts';

test('https: a trusted certificate is accepted, an unknown one and a wrong name are not', async (t) => {
  const missing = missingOpenssl();
  if (missing !== undefined) return t.skip(missing);
  using files = localhostCertificate();
  const server = createServer(
    { key: readFileSync(files.key), cert: readFileSync(files.cert) },
    (_request, response) => response.end('over TLS'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = async (url: string, cert: string | undefined) => {
    const [[seen] = []] = await seenTrusting(cert, [[{ url }]], { retries: 0 });
    return seen?.text ?? seen?.error;
  };
  try {
    assert.equal(await ask(`https://localhost:${port}/`, files.cert), 'over TLS');
    assert.equal(await ask(`https://localhost:${port}/`, undefined), 'FETCH_TLS');
    assert.equal(await ask(`https://127.0.0.1:${port}/`, files.cert), 'FETCH_TLS');
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
