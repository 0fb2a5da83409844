import assert from 'node:assert/strict';
import { chownSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand, startServer, temporaryFolder } from './commands/command.ts';
import { noCertificates, signedCertificateIn } from './localhost-certificate.ts';
import { root } from './manual-pages.ts';
import { missingNginx, openNginx } from './nginx-origin.ts';

const limits = { timeout: 120_000 };

interface ServingGatherer {
  readonly collect: string;
  readonly soif: string;
}

function pagesIn(folder: string): string {
  const pages = join(folder, 'pages');
  mkdirSync(pages);
  writeFileSync(join(pages, 'index.html'), '<title>Lighthouse</title><p>A lighthouse keeper</p>');
  return pages;
}

function serving(pages: string, data: string): string[] {
  return ['gatherer', 'serve', '--root', pages, '--base-url', 'https://www.example.org/'].concat(
    ...['--port', '0', '--data', data],
  );
}

const shown = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

test('a token of the wire protects the stream and the objects of a Gatherer too', limits, async () => {
  await using folder = await temporaryFolder();
  const tokens = ['--wire-tokens', 'collect-me-1'];
  await using gatherer = await startServer<ServingGatherer>([
    ...serving(pagesIn(folder.path), join(folder.path, 'data')),
    ...tokens,
    ...['--admin-tokens', 'administer-1'],
  ]);
  const { soif } = gatherer.ready;
  const status = async (url: string, token?: string) =>
    (await fetch(url, token === undefined ? {} : shown(token))).status;
  assert.deepEqual(await Promise.all([status(soif), status(soif, 'another-token')]), [401, 401]);
  assert.deepEqual(
    await Promise.all([status(soif, 'collect-me-1'), status(soif, 'administer-1')]),
    [200, 200],
  );
  const object = new URL('/objects/AAAAAAAAAAAAAAAAAAAAAA', soif).href;
  assert.equal(await status(object), 401);
  assert.equal(await status(new URL('/status', soif).href), 200);
});

test('a source has its own token and authority in garner.yaml; without the authority the error names the cure', {
  ...limits,
  skip: noCertificates ?? false,
}, async () => {
  await using folder = await temporaryFolder();
  const { cert, key, ca } = signedCertificateIn(folder.path);
  await using gatherer = await startServer<ServingGatherer>([
    ...serving(pagesIn(folder.path), join(folder.path, 'data')),
    ...['--tls-certificate', cert, '--tls-key', key, '--wire-tokens', 'collect-me-1'],
  ]);
  const source = `wss://localhost:${new URL(gatherer.ready.collect).port}/`;
  const collected = async (access: string) => {
    const data = join(folder.path, `data-${access.length}`);
    const file = join(folder.path, 'garner.yaml');
    writeFileSync(
      file,
      `broker:\n  collect: [${JSON.stringify(source)}]\n${access === '' ? '' : `  source-access: [{ source: ${JSON.stringify(source)}, ${access} }]\n`}`,
    );
    return runCommand(['broker', 'collect', '--config', file, '--data', data], {
      env: { GARNER_TEST_SOURCE: 'collect-me-1' },
    });
  };
  const authority = `ca: ${JSON.stringify(ca)}`;
  const [untrusted, refused, whole] = [
    await collected('token: collect-me-1'),
    await collected(authority),
    await collected(`${authority}, token-env: GARNER_TEST_SOURCE`),
  ];
  assert.match(untrusted.stderr, /certificate that is not trusted.*broker\.source-access/s);
  assert.match(`${refused.stdout}${refused.stderr}`, /refused the session \(HTTP 401\)/);
  assert.equal(whole.code, 0, whole.stderr);
  const wrong = await collected('ca: /nowhere.pem');
  assert.match(wrong.stderr, /broker\.source-access\[0\]\.ca is \/nowhere\.pem, which cannot be read/);
});

test(
  'a flag that cannot take effect because a server runs is an error that names the flag',
  limits,
  async () => {
    await using folder = await temporaryFolder();
    const data = join(folder.path, 'data');
    await using _ = await startServer<ServingGatherer>(serving(pagesIn(folder.path), data));
    const run = (...more: string[]) => runCommand(['gatherer', 'run', '--data', data, ...more]);
    for (const flags of [['--text', 'terse'], ['--list'], ['--root', folder.path]]) {
      const { code, stderr } = await run(...flags);
      assert.equal(code, 2, stderr);
      assert.match(stderr, new RegExp(`${flags[0]} cannot take effect: a gatherer serves this data`));
    }
    assert.equal(
      (await run('--root', join(folder.path, 'pages'), '--base-url', 'https://www.example.org/')).code,
      0,
    );
    const status = await runCommand(['gatherer', 'status', '--data', data, '--json']);
    assert.equal(status.code, 0, status.stderr);
  },
);

test('a command that root runs on the data of another user leaves every file to that user, with its mode', {
  ...limits,
  skip: process.geteuid?.() === 0 ? false : 'only root can act for another user',
}, async () => {
  await using folder = await temporaryFolder();
  const data = join(folder.path, 'data');
  const gathered = await runCommand([...['gatherer', 'run', '--root', pagesIn(folder.path), '--data', data]]);
  assert.equal(gathered.code, 0, gathered.stderr);
  const files = () =>
    ['.', ...readdirSync(data, { recursive: true, encoding: 'utf8' })].map((name) => join(data, name));
  chownSync(folder.path, 1, 1);
  for (const path of files()) chownSync(path, 1, 1);
  const modes = () => new Map(files().map((path) => [path, lstatSync(path).mode]));
  const before = modes();
  for (const verb of ['status', 'show']) {
    const address = verb === 'show' ? ['index.html'] : [];
    const { stderr } = await runCommand(['gatherer', verb, ...address, '--data', data]);
    assert.doesNotMatch(stderr, /warning|EACCES/);
  }
  assert.deepEqual(
    files().filter((path) => lstatSync(path).uid !== 1 || lstatSync(path).gid !== 1),
    [],
  );
  for (const [path, mode] of modes()) if (before.has(path)) assert.equal(mode, before.get(path), path);
});

/** A request to an address under another host name, as nginx gets it. */
function asked(
  url: string,
  host: string,
  { form, ...headers }: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: number; readonly cookie: string; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const type = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = request(
      url,
      { method: form === undefined ? 'GET' : 'POST', headers: { host, ...type, ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        answer.once('end', () =>
          resolve({
            status: answer.statusCode ?? 0,
            cookie: (answer.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '',
            text,
          }),
        );
      },
    );
    sent.once('error', reject).end(form);
  });
}

test('behind nginx, with its recipe, the administration page logs in and acts', {
  ...limits,
  skip: missingNginx() ?? false,
}, async () => {
  await using folder = await temporaryFolder();
  const host = 'search.example.org';
  await using broker = await startServer<{ readonly search: string }>([
    ...['broker', 'serve', '--port', '0', '--data', join(folder.path, 'data')],
    ...['--host-names', host, '--admin-tokens', 'administer-1'],
  ]);
  const recipe = readFileSync(join(root, 'deploy/nginx/garner-broker.conf'), 'utf8');
  const { port } = new URL(broker.ready.search);
  await using nginx = await openNginx(folder.path, recipe.replace('127.0.0.1:8501', `127.0.0.1:${port}`));
  const at = (path: string) => new URL(path, nginx.url).href;
  const origin = `https://${host}`;
  assert.equal((await asked(at('/admin'), host)).status, 200);
  const login = await asked(at('/admin/login'), host, { origin, form: 'token=administer-1' });
  assert.equal(login.status, 303, login.text);
  const { text } = await asked(at('/admin'), host, { cookie: login.cookie });
  const formKey = /name="formKey" value="([^"]+)"/.exec(text)?.[1] ?? '';
  assert.notEqual(formKey, '', text);
  const form = new URLSearchParams({ formKey, act: 'collect' }).toString();
  const acted = await asked(at('/admin/act'), host, { origin, cookie: login.cookie, form });
  assert.equal(acted.status, 303, acted.text);
  // A page of another name may not send forms.
  const foreign = { origin: 'https://evil.example', form: 'token=administer-1' };
  assert.equal((await asked(at('/admin/login'), host, foreign)).status, 403);
});
