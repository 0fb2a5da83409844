import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

// A certificate authority is trusted for a whole process, so each attempt is one.
const attempt = `
  const { HttpClient, readBody } = await import(process.env.DOOR);
  const http = new HttpClient({ userAgent: 'Garner/test', allowHosts: [process.env.URL], retries: 0 });
  try {
    console.log(new TextDecoder().decode(await readBody(await http.fetch({ url: process.env.URL }))));
  } catch (error) {
    console.log(error.code);
  }
  await http[Symbol.asyncDispose]();
`;

test('https: a trusted certificate is accepted, an unknown one and a wrong name are not', async (t) => {
  if (spawnSync('openssl', ['version']).status !== 0) return t.skip('SKIPPED: needs openssl');
  const folder = mkdtempSync(join(tmpdir(), 'garner-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-keyout', key, '-out', cert, '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
  ]);
  assert.equal(made.status, 0, String(made.stderr));
  const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_request, response) =>
    response.end('over TLS'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = async (url: string, env: Record<string, string>) => {
    const door = new URL('./index.js', import.meta.url).href;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', attempt], {
      env: { ...process.env, DOOR: door, URL: url, ...env },
    });
    return stdout.trim();
  };
  try {
    const trusted = { NODE_EXTRA_CA_CERTS: cert };
    assert.equal(await ask(`https://localhost:${port}/`, trusted), 'over TLS');
    assert.equal(await ask(`https://localhost:${port}/`, {}), 'FETCH_TLS');
    assert.equal(await ask(`https://127.0.0.1:${port}/`, trusted), 'FETCH_TLS');
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    rmSync(folder, { recursive: true });
  }
});
