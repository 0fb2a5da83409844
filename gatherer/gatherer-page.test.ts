import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveHttp } from '../http/index.ts';
import { ManualClock } from '../kernel/index.ts';
import { gathererPageRoute } from './gatherer-page.ts';

async function pageOf(canAnnotate: boolean): Promise<Response> {
  const page = { name: '<b>Ünï</b>', objects: 1, canAnnotate };
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

test('the page of a Gatherer leads to the form that annotates, and says who can save', async () => {
  const open = await pageOf(true);
  assert.equal(open.status, 200);
  assert.match(open.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  const text = await open.text();
  // Relative, so that they hold behind a prefix too.
  for (const href of ['annotate', 'annotations', 'soif', 'status'])
    assert.ok(text.includes(`<a href="${href}">`), href);
  assert.ok(text.includes('&lt;b&gt;Ünï&lt;/b&gt;') && !text.includes('<b>'));
  assert.match(text, /1 summary\./);
  assert.match(text, /a token of http\.admin-tokens is asked for/);
  assert.match(await (await pageOf(false)).text(), /nobody can save there/);
});
