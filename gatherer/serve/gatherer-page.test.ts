import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveHttp } from '../../http/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { gathererPageRoute } from './gatherer-page.ts';
import type { PushLinkStatus } from './push-links.ts';

async function pageOf(canAnnotate: boolean, pushes: readonly PushLinkStatus[] = []): Promise<Response> {
  const pages = [{ href: './', name: 'Gatherer' }];
  const page = { name: '<b>Ünï</b>', objects: 1, canAnnotate, pushes, pages };
  await using server = await serveHttp({
    routes: [gathererPageRoute(() => page)],
    port: 0,
    clock: new ManualClock(),
    title: 'test',
    version: '0',
  });
  const response = await fetch(server.url);
  return new Response(await response.text(), response);
}

test('the page of a Gatherer links to the annotation form, and says whether it can save', async () => {
  const open = await pageOf(true);
  assert.equal(open.status, 200);
  assert.match(open.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const text = await open.text();
  // Relative, so that they work behind a prefix too.
  for (const href of ['annotate', 'annotations', 'soif', 'status'])
    assert.ok(text.includes(`<a href="${href}">`), href);
  assert.ok(text.includes('&lt;b&gt;Ünï&lt;/b&gt;') && !text.includes('<b>'));
  assert.match(text, /1 summary\./);
  assert.match(text, /needs a token of http\.admin-tokens/);
  assert.match(await (await pageOf(false)).text(), /cannot save while/);
});

test('the page shows the status of each Broker that is pushed to', async () => {
  const base = { url: 'wss://a.example/', name: 'A', lsn: null, at: null, error: null, hint: null } as const;
  const text = await (
    await pageOf(false, [
      { ...base, state: 'connected', lsn: 12, at: 0 },
      { ...base, state: 'down', url: 'ws://<b>/', error: '<i>no</i>.', hint: 'Look there.' },
    ])
  ).text();
  assert.match(
    text,
    /wss:\/\/a\.example\/<\/dt><dd>connected; pushed to LSN 12 \(1970-01-01T00:00:00\.000Z\)/,
  );
  assert.match(text, /down; nothing pushed yet; &lt;i&gt;no&lt;\/i&gt;\. Look there\./);
  assert.ok(text.includes('ws://&lt;b&gt;/') && !text.includes('<i>'));
  assert.doesNotMatch(await (await pageOf(false)).text(), /Brokers that changes are pushed to/);
});
