import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../commands/command.ts';
import { runHere, serveHere } from '../commands/command-here.ts';
import { certificateIn, noCertificates } from '../localhost-certificate.ts';

interface Ready {
  readonly cache: string;
  readonly tls?: string;
  readonly icp?: string;
}

interface Finding {
  readonly ok: boolean;
  readonly what: string;
  readonly cure?: string;
}

async function doctor(...args: readonly string[]): Promise<readonly Finding[]> {
  const { stdout, stderr } = await runHere(['doctor', '--json', ...args]);
  assert.notEqual(stdout, '', stderr);
  return JSON.parse(stdout) as readonly Finding[];
}

/** A finding, as `ok` or `FAULT` and its text. */
const about = (found: readonly Finding[], words: RegExp) =>
  found.filter(({ what }) => words.test(what)).map(({ ok, what }) => `${ok ? 'ok' : 'FAULT'} ${what}`);

async function portOf(server: Pick<Server, 'listen' | 'address'>): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function freePort(): Promise<number> {
  const server = createSocketServer();
  const port = await portOf(server as unknown as Server);
  server.close();
  await once(server, 'close');
  return port;
}

const place = ({ cache, icp = '' }: Ready) =>
  `${new URL(cache).host}${icp === '' ? '' : `:${icp.slice(icp.lastIndexOf(':') + 1)}`}`;

test('doctor checks the origin, parents and siblings of a cache, by HTTP and ICP, and names those that deny or are silent', async () => {
  await using folder = await temporaryFolder();
  const data = (name: string) => ['--data', join(folder.path, name)];
  const proxy = (name: string, ...more: readonly string[]) =>
    serveHere<Ready>(['cache', 'serve', '--proxy', '--port', '0', ...data(name), ...more]);
  const origin = createServer((_, response) => response.end('here'));
  const url = `http://127.0.0.1:${await portOf(origin)}`;
  try {
    await using good = await proxy('good', '--icp-port', '0');
    const key = ['--htcp-keys', 'ours=a-secret-of-both'];
    const us = '127.0.0.1:1,htcp=1,key=ours';
    await using other = await proxy('other', '--htcp-port', '0', ...key, '--sibling', us);
    await using denying = await proxy('denying', '--access', '[{"allow":false}]');
    const gone = `127.0.0.1:${await freePort()}`;
    const htcp = (other.ready as unknown as { readonly htcp: string }).htcp.replace(/.*:/, '');
    const found = await doctor(
      ...data('none'),
      ...['--origin', url, '--origin', `gone.example=http://${gone}`],
      ...['--parent', place(good.ready), '--parent', `${place(other.ready)},htcp=${htcp},key=ours`],
      ...key,
      ...['--parent', place(denying.ready), '--sibling', `${gone}:${gone.split(':')[1]}`],
      ...['--sibling', new URL(url).host],
    );
    assert.match(about(found, /^origin/).join('\n'), /^ok origin http:\S+ answers 200 in \d+ ms$/m);
    assert.match(about(found, /^origin/).join('\n'), /^FAULT origin http:\S+ does not answer: /m);
    const silent = found.find(({ ok, what }) => !ok && what.startsWith('origin'));
    assert.match(
      silent?.cure ?? '',
      /^check that its server runs, and that host and port are right; until then/,
    );
    const peers = about(found, /^(?:parent|sibling)/).map((line) => line.replace(/\d+ ms$/, 'n ms'));
    const port = (ready: Ready) => place(ready).split(':')[2];
    assert.deepEqual(
      peers.slice(0, 5).map((line) => line.replace(/(by HTTP): .*/, '$1')),
      [
        `ok parent ${new URL(good.ready.cache).host} answers over HTTP in n ms`,
        `ok parent ${new URL(good.ready.cache).host} answers over ICP on UDP port ${port(good.ready)} in n ms`,
        `ok parent ${new URL(other.ready.cache).host} answers over HTTP in n ms`,
        `ok parent ${new URL(other.ready.cache).host} answers over HTCP on UDP port ${htcp} in n ms`,
        `FAULT parent ${new URL(denying.ready.cache).host} answers over HTTP, but denies this machine (403)`,
      ],
    );
    assert.match(peers[5] ?? '', /^FAULT sibling \S+ does not answer over HTTP/);
    assert.match(peers[6] ?? '', /^FAULT sibling \S+ does not answer over ICP on UDP port \d+ within 3 s/);
    // An origin that answers 200 to every request looks like a cache that has the response.
    assert.match(peers[7] ?? '', /^ok sibling/);
    assert.ok(found.every(({ ok, cure }) => ok || cure !== undefined));
  } finally {
    origin.closeAllConnections();
    origin.close();
  }
});

test('doctor knows the ports, the certificate and the disk of the cache of its data folder, served or not', {
  skip: noCertificates ?? false,
}, async () => {
  await using folder = await temporaryFolder();
  const data = ['--data', join(folder.path, 'data')];
  const { cert, key } = certificateIn(folder.path);
  const port = await freePort();
  {
    await using served = await serveHere<Ready>([
      ...['cache', 'serve', '--proxy', '--port', String(port), '--tls-port', '0', '--icp-port', '0', ...data],
      ...['--tls-certificate', cert, '--tls-key', key, '--disk', '100MiB'],
    ]);
    const found = await doctor(...data);
    const served3128 = about(found, /the cache of this data folder serves/);
    assert.deepEqual(served3128, [
      `ok the cache of this data folder serves ${served.ready.cache}`,
      `ok the cache of this data folder serves ${served.ready.tls}`,
    ]);
    assert.match(
      about(found, /certificate/).join(),
      /^FAULT the certificate of CN=localhost is valid until \S+, [12] days? more$/,
    );
    assert.match(about(found, /of disk/).join(), /ok the cache uses .* of its 1\d\d MB of disk/);
    certificateIn(folder.path, 60);
    const renewed = about(await doctor(...data), /certificate/);
    assert.match(
      renewed.join('\n'),
      /^ok the certificate of CN=localhost is valid until \S+, (?:59|60) days more\nFAULT the cache answers with another certificate/,
    );
  }
  assert.deepEqual(about(await doctor(...data), /of cache serve|for cache serve/), [
    `ok port ${port} is free for cache serve`,
  ]);
  const other = createServer();
  await new Promise<void>((resolve) => {
    other.listen(port, '127.0.0.1', resolve);
  });
  try {
    assert.deepEqual(about(await doctor(...data), /cache serve/), [
      `FAULT port ${port}, for cache serve, is in use by another program`,
    ]);
  } finally {
    other.close();
  }
  {
    const plain = ['--data', join(folder.path, 'plain')];
    await using _ = await serveHere<Ready>(['cache', 'serve', '--proxy', '--port', '0', ...plain]);
    const unused = about(await doctor(...plain, '--tls-certificate', cert, '--tls-key', key), /tls-cert|CN=/);
    assert.deepEqual(unused, [
      'FAULT cache.tls-certificate is set, and the cache serves without a port for TLS',
    ]);
    const refused = await runHere([
      ...['cache', 'serve', '--proxy', '--port', '0', '--data', join(folder.path, 'refused')],
      ...['--tls-certificate', cert, '--tls-key', key],
    ]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is set, but there is no port for TLS[\s\S]*--tls-port PORT/);
  }
  const found = await doctor(...data, '--disk', '0', '--tls-key', join(folder.path, 'nothing.pem'));
  assert.match(
    about(found, /tls-key/).join(),
    /^FAULT cache.tls-key is \S+nothing.pem, which cannot be read/,
  );
  assert.deepEqual(
    (await doctor('--data', join(folder.path, 'new'))).filter(({ what }) => /cache/.test(what)),
    [],
  );
});

test('doctor checks the origin of the running cache, or the configured one when no cache runs', async () => {
  await using folder = await temporaryFolder();
  const config = join(folder.path, 'garner.yaml');
  const here = ['--data', join(folder.path, 'data'), '--config', config];
  const gone = `http://127.0.0.1:${await freePort()}`;
  await writeFile(config, 'cache:\n  disk: 10MiB\n');
  const origin = createServer((_, response) => response.end('here'));
  const url = `http://127.0.0.1:${await portOf(origin)}`;
  try {
    {
      await using _ = await serveHere<Ready>(['cache', 'serve', '--port', '0', '--origin', url, ...here]);
      await writeFile(config, `cache:\n  origin: ['${gone}']\n`);
      const found = await doctor(...here);
      assert.deepEqual(
        about(found, /^origin/).map((line) => line.replace(/\d+ ms/, 'n ms')),
        [`ok origin ${url} answers 200 in n ms`],
      );
      assert.deepEqual(about(found, /last served/), []);
    }
    const found = await doctor(...here);
    assert.match(
      about(found, /^origin/).join('\n'),
      new RegExp(`^FAULT origin ${gone} does not answer: .*$`),
    );
    assert.deepEqual(about(found, /last served/), [
      `ok the cache last served ${url}, and is now set to ${gone} (${config}:2)`,
    ]);
    await writeFile(config, '');
    assert.match(about(await doctor(...here), /^origin/).join('\n'), new RegExp(`^ok origin ${url} `));
  } finally {
    origin.closeAllConnections();
    origin.close();
  }
});

test('doctor explains how to trust a private CA, and reports that a name does not exist', {
  skip: noCertificates ?? false,
}, async () => {
  await using folder = await temporaryFolder();
  const { cert, key } = certificateIn(folder.path);
  const origin = createTlsServer({ cert: await readFile(cert), key: await readFile(key) }, (_, response) =>
    response.end('here'),
  );
  try {
    const found = await doctor(
      ...['--data', join(folder.path, 'data'), '--origin', `https://localhost:${await portOf(origin)}`],
      ...['--origin', 'named.example=http://no-such-name.invalid'],
    );
    const known = found
      .filter(({ what }) => /^origin/.test(what))
      .map(({ cure }) => cure ?? '')
      .toSorted();
    assert.equal(known.length, 2);
    assert.match(known[1] ?? '', /^for your own CA, start Garner with NODE_EXTRA_CA_CERTS=FILE/);
    assert.match(known[0] ?? '', /^check (?:the spelling of the name|the name service)/);
  } finally {
    origin.closeAllConnections();
    origin.close();
  }
});

test('doctor knows an origin that is the cache itself, served or not', async () => {
  await using folder = await temporaryFolder();
  const data = ['--data', join(folder.path, 'data')];
  const port = await freePort();
  const itself = `http://localhost:${port}`;
  const args = ['cache', 'serve', '--port', String(port), '--origin', itself, ...data];
  const findings = [`FAULT origin ${itself} is the cache itself`];
  {
    await using served = await serveHere<Ready>(args);
    assert.deepEqual(about(await doctor(...data), /^origin/), findings);
    const looped = await fetch(served.ready.cache);
    assert.equal(looped.status, 508);
    assert.match(await looped.text(), /has itself as its origin/);
  }
  assert.deepEqual(about(await doctor(...data), /^origin/), findings);
});
