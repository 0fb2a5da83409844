import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../commands/command.ts';
import { missingNginx, openNginx } from '../nginx-origin.ts';
import { ask } from './kit/raw-client.ts';
import { RunningCache } from './kit/running-cache.ts';
import type { Line } from './kit/scripted-origin.ts';

test('a client without compression does not take it from others in front of an nginx that compresses on the fly', async (t) => {
  const missing = missingNginx();
  if (missing !== undefined) return t.skip(missing);
  await using folder = await temporaryFolder();
  const root = join(folder.path, 'site');
  mkdirSync(root);
  writeFileSync(join(root, 'big.html'), 'compressible '.repeat(2000));
  utimesSync(join(root, 'big.html'), 1e9, 1e9);
  await using origin = await openNginx(root, 'gzip_proxied any; gzip_vary on; expires 1h;');
  await using cache = await RunningCache.open({ allowHosts: [origin.url] });
  const get = async (...fields: Line[]) => {
    const answer = await ask(cache.port, `${origin.url}big.html`, { fields });
    assert.equal(answer.status, 200);
    const coding = answer.line('content-encoding') ?? 'plain';
    assert.equal(answer.line('etag')?.startsWith('W/'), coding === 'gzip', 'the tag of other bytes');
    return `${coding}: ${answer.line('cache-status')}`;
  };
  const gzip: Line = ['Accept-Encoding', 'gzip'];
  assert.match(await get(), /^plain: .*fwd=uri-miss; fwd-status=200; stored/);
  assert.match(await get(gzip), /^gzip: .*fwd=vary-miss; fwd-status=200; stored/);
  assert.match(await get(), /^plain: .*hit/);
  assert.match(await get(gzip), /^gzip: .*hit/);
  origin.requests();
  cache.pass(2 * 3600);
  assert.match(await get(gzip), /^gzip: .*fwd=stale; fwd-status=304/);
  assert.match(await get(), /^plain: .*fwd=stale; fwd-status=304/);
  assert.equal(origin.requests().length, 2);
});
