import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { UpstreamRequest } from '../requests/request-response.ts';
import { localhostCertificate } from '../testing/certificate.ts';
import { exchange, open, testDoor, text, untilEnd } from '../testing/raw-client.ts';
import { openUpstream } from '../upstream/upstream.ts';
import { acceleratedHosts } from './accelerated-hosts.ts';

const tls = localhostCertificate();
const options = { timeout: 20_000, ...(tls === undefined && { skip: 'SKIPPED: needs openssl' }) };
const accelerator = acceleratedHosts(['http://origin.example']);

const requestFor = (url: string): UpstreamRequest => ({
  method: 'GET',
  url,
  fields: [],
  route: { to: 'origin' },
  signal: new AbortController().signal,
});

test(
  'a door answers over TLS, and an upstream sends requests over TLS only to trusted servers',
  options,
  async () => {
    assert.ok(tls);
    await using served = await testDoor(() => text('sealed'), { accelerator, tls });
    const { port } = served.door;
    const allowHosts = [`https://localhost:${port}`, `https://127.0.0.1:${port}`];
    await using upstream = openUpstream({ allowHosts, ca: tls.cert });
    for (let times = 0; times < 3; times += 1) {
      const response = await upstream.send(requestFor(`https://localhost:${port}/a`));
      assert.equal(String(await response.content.toArray()), 'sealed');
    }
    assert.equal(served.door.connections, 1);
    assert.ok(served.requests[0]?.fields.join().includes('proto=https'));
    const refused = (fault: string) => (error: unknown) => {
      assert.ok(isGarnerError(error, cacheErrors.CACHE_UNREACHABLE));
      assert.equal((error.data as { readonly fault: string }).fault, fault);
      return true;
    };
    await assert.rejects(upstream.send(requestFor(`https://127.0.0.1:${port}/a`)), refused('other-name'));
    await using strict = openUpstream({ allowHosts });
    await assert.rejects(strict.send(requestFor(`https://localhost:${port}/a`)), refused('untrusted'));
  },
);

test(
  'a request over TLS that is not valid is answered, and so is plain HTTP on a TLS port',
  options,
  async () => {
    assert.ok(tls);
    await using served = await testDoor(() => text('sealed'), { accelerator, tls });
    const socket = connect({
      port: served.door.port,
      host: '127.0.0.1',
      ca: tls.cert,
      servername: 'localhost',
    });
    await once(socket, 'secureConnect');
    assert.equal(socket.getProtocol()?.startsWith('TLSv1.'), true);
    let said = '';
    socket.on('data', (bytes) => {
      said += bytes;
    });
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await once(socket, 'close');
    assert.match(said, /^HTTP\/1\.1 400 Bad Request/);
    for (const bytes of ['GET / HTTP/1.1\r\nHost: a\r\n\r\n', 'x', '\x80'.repeat(100_000)]) {
      const answer = await exchange(served.door, bytes);
      assert.match(answer, /^HTTP\/1\.1 400 Bad Request/);
      assert.match(answer, /this port speaks TLS/);
      assert.match(answer, /\r\nConnection: close\r\n/);
    }
    assert.equal(served.door.refused.get('CACHE_PLAIN_ON_TLS'), 3);
    assert.equal(served.requests.length, 0);
  },
);

test('a silent connection to a TLS port delays neither the closing nor stays for ever', options, async () => {
  assert.ok(tls);
  await using patient = await testDoor(() => text('sealed'), { accelerator, tls });
  const silent = await open(patient.door);
  const closed = untilEnd(silent);
  await patient.door[Symbol.asyncDispose]();
  assert.equal((await closed).text, '');
  await using brisk = await testDoor(() => text('sealed'), {
    accelerator,
    tls,
    limits: { headTimeoutMs: 50 },
  });
  assert.equal((await untilEnd(await open(brisk.door))).text, '');
});
