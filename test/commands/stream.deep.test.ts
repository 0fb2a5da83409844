import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { jsonOf, runCommand, startServer, temporaryFolder } from './command.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A plain GET: nothing is unpacked and no header is added. */
function get(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

async function check(stream: Buffer): Promise<{ objects: number; faults: number }> {
  const { code, stdout } = await runCommand(['soif', 'check', '-', '--json'], { input: stream });
  assert.equal(code, 0, stdout);
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { objects: number; faults: number };
}

test('the classic stream over HTTP: all of it, what changed since, and a stale reader', async () => {
  await using folder = await temporaryFolder();
  const site = join(folder.path, 'site');
  const data = join(folder.path, 'data');
  await mkdir(site);
  const page = (name: string, text: string) =>
    writeFile(join(site, name), `<title>${name}</title><p>${text}</p>`);
  for (let n = 0; n < 20; n++) await page(`${n}.html`, `page number ${n}`);
  const base = 'http://pages.example/';
  const args = ['gatherer', 'serve', '--root', site, '--base-url', base, '--data', data, '--port', '0'];
  await using server = await startServer<{ soif: string }>(args);
  const run = () => jsonOf<{ objects: number }>(['gatherer', 'run', '--data', data]);
  assert.equal((await run()).objects, 20);
  const { soif } = server.ready;

  const plain = await get(soif);
  assert.equal(plain.status, 200);
  assert.match(String(plain.headers['content-type']), /^application\/x-soif/);
  assert.equal(plain.headers['content-encoding'], undefined);
  assert.deepEqual(pick(await check(plain.body)), { objects: 20, faults: 0 });
  const { etag = '', 'x-garner-state': state = '' } = plain.headers as Record<string, string>;
  const packed = await get(soif, { 'accept-encoding': 'gzip' });
  assert.equal(packed.headers['content-encoding'], 'gzip');
  assert.ok(packed.body.length < plain.body.length);
  assert.deepEqual(gunzipSync(packed.body), plain.body);
  const again = await get(soif, { 'if-none-match': etag });
  assert.deepEqual([again.status, again.body.length], [304, 0]);

  assert.match(state, /^[\w-]{16}\.\d+$/);
  const nothing = await get(`${soif}?since=${state}`);
  assert.equal(nothing.status, 200);
  assert.deepEqual(pick(await check(nothing.body)), { objects: 0, faults: 0 });

  await page('3.html', 'page number 3 with marmosets');
  await page('new.html', 'a page that is new');
  await rm(join(site, '4.html'));
  await run();
  const changed = await get(`${soif}?since=${state}`);
  const text = changed.body.toString();
  assert.match(text, /@DELETE \{[\s\S]*pages\.example\/4\.html[\s\S]*@REFRESH \{[\s\S]*@UPDATE \{/);
  assert.match(text.slice(text.indexOf('@UPDATE')), /marmosets/);
  assert.match(text, /pages\.example\/new\.html/);
  assert.doesNotMatch(text, /pages\.example\/5\.html/);
  assert.deepEqual(pick(await check(changed.body)), { objects: 3, faults: 0 });
  assert.notEqual(changed.headers['x-garner-state'], state);
  assert.equal((await get(soif, { 'if-none-match': etag })).status, 200);

  // By time: all since 1970, nothing since tomorrow.
  const tomorrow = new Date(Date.now() + 86_400_000);
  for (const [since, objects] of [
    ['1', 20],
    [String(Math.floor(tomorrow.getTime() / 1000)), 0],
    [tomorrow.toISOString(), 0],
  ] as const) {
    const { body, status } = await get(`${soif}?since=${since}`);
    assert.equal(status, 200);
    const { faults } = await check(body);
    assert.equal(faults, 0);
    const updates = body.toString().slice(body.toString().indexOf('@UPDATE'));
    assert.equal(updates.split('@FILE').length - 1, objects, `objects since ${since}`);
  }
  const stale = await get(`${soif}?since=${'A'.repeat(16)}.1`);
  assert.equal(stale.status, 410);
  assert.match(stale.body.toString(), /GATHERER_STALE/);
  assert.equal((await get(`${soif}?since=sometime`)).status, 400);
});

const pick = ({ objects, faults }: { objects: number; faults: number }) => ({ objects, faults });
