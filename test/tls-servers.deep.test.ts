import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readHolder } from '../store/index.ts';
import { jsonOf, runCommand, startServer, temporaryFolder, type UpReady } from './commands/command.ts';
import { fingerprint, noCertificates, signedCertificateIn } from './localhost-certificate.ts';

const limits = { skip: noCertificates ?? false, timeout: 120_000 };

interface Finding {
  readonly ok: boolean;
  readonly what: string;
}

/** The address of a server by the name in its certificate. */
function named(url: string): string {
  const { protocol, port } = new URL(url);
  return `${protocol}//localhost:${port}`;
}

/** The number of hits for the word of the site's page, by a command of this machine. */
async function keepersIn(data: readonly string[]): Promise<number> {
  const found = await jsonOf<{ readonly hits: readonly unknown[] }>(['broker', 'search', 'keeper', ...data]);
  return found.hits.length;
}

/** A site of one page, with an authority and a certificate beside it. */
function siteIn(folder: string) {
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  writeFileSync(join(pages, 'index.html'), '<title>Lighthouse</title><p>A lighthouse keeper</p>');
  const certificate = signedCertificateIn(folder);
  const flags = ['--tls-certificate', certificate.cert, '--tls-key', certificate.key];
  return { pages, ...certificate, flags, trusting: { env: { NODE_EXTRA_CA_CERTS: certificate.ca } } };
}

test(
  'a Broker collects over wss from a Gatherer with its own TLS, of an authority that it trusts',
  limits,
  async () => {
    await using folder = await temporaryFolder();
    const { pages, flags, trusting } = siteIn(folder.path);
    const data = ['--data', join(folder.path, 'data')];
    await using gatherer = await startServer<{ readonly collect: string; readonly soif: string }>([
      ...['gatherer', 'serve', '--root', pages, '--base-url', 'https://www.example.org/', '--port', '0'],
      ...[...data, ...flags],
    ]);
    assert.match(gatherer.ready.collect, /^wss:\/\/127\.0\.0\.1:/);
    assert.match(gatherer.ready.soif, /^https:\/\/127\.0\.0\.1:/);
    // The certificate does not name 127.0.0.1, and this command trusts no authority of ours.
    const status = await jsonOf<{ readonly serverId: string }>(['gatherer', 'status', ...data]);
    assert.ok(status.serverId);

    const source = named(gatherer.ready.collect);
    await using broker = await startServer<{ readonly search: string }>(
      ['broker', 'serve', '--collect', source, '--port', '0', ...data, ...flags],
      trusting,
    );
    assert.match(broker.ready.search, /^https:\/\/127\.0\.0\.1:/);
    await jsonOf(['broker', 'collect', ...data]);
    assert.equal(await keepersIn(data), 1);
    const far = await jsonOf<{ readonly brokers: readonly { readonly error: string | null }[] }>(
      ['broker', 'search', 'keeper', '--with', named(broker.ready.search), ...data],
      trusting,
    );
    assert.deepEqual(
      far.brokers.map(({ error }) => error),
      [null, null],
    );

    const doctor = async (options = {}) => {
      const { stdout } = await runCommand(['doctor', ...data, '--collect', source, '--json'], options);
      const found = JSON.parse(stdout) as readonly Finding[];
      return found.map(({ ok, what }) => `${ok ? 'ok' : 'FAULT'} ${what}`).join('\n');
    };
    const [trusted, untrusted] = await Promise.all([doctor(trusting), doctor()]);
    assert.match(trusted, /^ok source wss:\/\/localhost:\d+ answers: /m);
    for (const role of ['gatherer', 'broker'])
      assert.match(
        trusted,
        new RegExp(`^ok a ${role} runs on .* which answers at https://127\\.0\\.0\\.1:`, 'm'),
      );
    for (const role of ['Gatherer', 'Broker'])
      assert.match(
        trusted,
        new RegExp(`^ok the certificate of CN=localhost, which the ${role} presents, is valid until`, 'm'),
      );
    assert.match(untrusted, /^FAULT source wss:\/\/localhost:\d+ does not answer: .*verify/m);

    const plain = await fetch(named(broker.ready.search).replace('https:', 'http:'));
    assert.equal(plain.status, 400);
    assert.match(await plain.text(), /HTTP_PLAIN_ON_TLS/);
  },
);

test('SIGHUP reloads the certificate of a server, and its sessions stay', limits, async () => {
  await using folder = await temporaryFolder();
  const { pages, flags, cert, trusting } = siteIn(folder.path);
  const data = ['--data', join(folder.path, 'data')];
  await using gatherer = await startServer<{ readonly collect: string }>([
    ...['gatherer', 'serve', '--root', pages, '--base-url', 'https://www.example.org/', '--port', '0'],
    ...[...data, ...flags],
  ]);
  const { collect } = gatherer.ready;
  await using broker = await startServer<{ readonly search: string }>(
    ['broker', 'serve', '--collect', named(collect), '--port', '0', ...data],
    trusting,
  );
  await jsonOf(['broker', 'collect', ...data]);
  const before = await fingerprint(collect);
  // The new authority is unknown to the Broker: only the open session lets it collect.
  signedCertificateIn(folder.path);
  await gatherer.hangUp('certificate');
  const renewed = await fingerprint(collect);
  assert.notEqual(renewed, before);
  await jsonOf(['broker', 'collect', ...data]);
  const { sources } = await jsonOf<{ readonly sources: readonly { readonly state: string }[] }>([
    ...['broker', 'status', ...data],
  ]);
  assert.deepEqual(
    sources.map(({ state }) => state),
    ['ok'],
  );
  assert.deepEqual(
    broker.log.filter(({ msg, state }) => msg === 'source' && state === 'down'),
    [],
  );
  writeFileSync(cert, 'nothing');
  assert.match(JSON.stringify(await gatherer.hangUp('certificate refused')), /holds no certificate/);
  assert.equal(await fingerprint(collect), renewed);
  // A command of this machine trusts the certificate that is served now, and only that.
  await jsonOf(['gatherer', 'status', ...data]);
  const holder = await readHolder(join(folder.path, 'data', 'gatherer'));
  assert.equal(holder?.certificates?.length, 1);
});

test(
  'garner up serves its search page over TLS and collects from its own Gatherer on loopback',
  limits,
  async () => {
    await using folder = await temporaryFolder();
    const { pages, flags } = siteIn(folder.path);
    const data = ['--data', join(folder.path, 'data')];
    await using up = await startServer<UpReady>([
      'up',
      pages,
      '--port',
      '0',
      '--site-port',
      '0',
      ...data,
      ...flags,
    ]);
    assert.match(up.ready.search, /^https:/);
    assert.match(up.ready.gatherer, /^ws:\/\/127\.0\.0\.1:/);
    assert.equal(up.ready.objects, 1);
    assert.equal(await keepersIn(data), 1);
  },
);
