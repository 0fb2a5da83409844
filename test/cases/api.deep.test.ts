import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openServedBroker } from '../api/served-broker.ts';
import { root } from '../manual-pages.ts';
import { assertAccessible } from '../pages/accessible.ts';
import { launched, skip } from '../pages/browser-page.ts';

type Json = Readonly<Record<string, unknown>>;

interface Operation {
  readonly security: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Json & { readonly maximum?: number; readonly enum?: readonly string[] };
  }[];
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Json }>> }>
  >;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const limit = { timeout: 180_000 };

const description = async (url: string) =>
  (await (await fetch(new URL('openapi.json', url))).json()) as Description;

test('case b21: a search box of one script tag works on another origin', { ...limit, skip }, async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using broker = await openServedBroker('--http-cors-origins', origin);
  const script = `<script src="${broker.url}embed.js" data-label="Search the harbour"></script>`;
  server.on('request', (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><html lang="en"><title>Docs</title><main><h1>Docs</h1>${script}</main></html>`,
    );
  });
  const browser = await launched();
  t.after(() => browser.close());
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(origin);
  const input = page.locator('input[type=search]');
  await input.click();
  await page.keyboard.type('tide');
  const results = page.locator('#panel li');
  await results.nth(2).waitFor();
  assert.equal(await results.count(), 3);
  assert.equal(await page.title(), 'Docs', 'no text of a result ran as a script');
  assert.equal(await page.locator('#panel img, #panel script').count(), 0);
  assert.match((await results.allInnerTexts()).join('\n'), /<img src=x onerror=document\.title=1> tide/);
  await assertAccessible(page, 'search box on another origin');
  await page.keyboard.press('ArrowDown');
  const focused = 'document.querySelector("div").shadowRoot.activeElement?.tagName';
  assert.equal(await page.evaluate(focused), 'A');
  await page.keyboard.press('Escape');
  assert.equal(await page.evaluate(focused), 'INPUT');
  assert.ok(await page.locator('#panel').isHidden());
  assert.deepEqual(await page.context().cookies(), []);
  const hosts = new Set(asked.map((url) => new URL(url).origin));
  assert.deepEqual([...hosts].sort(), [origin, new URL(broker.url).origin].sort(), 'nobody else is asked');
  const file = await fetch(`${broker.url}embed.js`);
  assert.ok((await file.text()).length < 10_000, 'the box is small');
  assert.equal(file.headers.get('cross-origin-resource-policy'), 'cross-origin');
});

test(
  'case b21: a browser finds the OpenSearch description on each page and adds the search',
  limit,
  async () => {
    await using broker = await openServedBroker('--server-public-url', 'https://search.example.org/a');
    for (const path of ['', 'status', 'admin']) {
      const html = await (await fetch(broker.url + path, { headers: { accept: 'text/html' } })).text();
      assert.match(
        html,
        /<link rel="search" type="application\/opensearchdescription\+xml" title="[^"]+" href="opensearch\.xml">/,
        path,
      );
    }
    const response = await fetch(`${broker.url}opensearch.xml`);
    assert.match(response.headers.get('content-type') ?? '', /^application\/opensearchdescription\+xml/);
    const xml = await response.text();
    assert.match(xml, /<ShortName>.{1,16}<\/ShortName>/);
    assert.ok(xml.includes('template="https://search.example.org/a/?q={searchTerms}"'), xml);
    assert.ok(
      xml.includes(
        'rel="suggestions" template="https://search.example.org/a/complete?format=suggestions&amp;q={searchTerms}"',
      ),
    );
    const words = await fetch(`${broker.url}complete?format=suggestions&q=harbour%20moor`);
    assert.match(words.headers.get('content-type') ?? '', /^application\/x-suggestions\+json/);
    const [query, completions] = (await words.json()) as [string, readonly string[]];
    assert.equal(query, 'harbour moor');
    assert.ok(
      completions.length > 0 && completions.every((text) => /^harbour moor/.test(text)),
      String(completions),
    );
  },
);

test('case b31: the description of a search names every field and every choice', limit, async () => {
  await using broker = await openServedBroker();
  const { paths } = await description(broker.url);
  const { get } = paths['/search'] ?? {};
  const content = get?.responses[200]?.content ?? {};
  assert.deepEqual(Object.keys(content), ['application/json', 'application/jsonl']);
  const schema = content['application/json']?.schema as { properties: Json };
  const answer = (await (await fetch(`${broker.url}search?q=tide`)).json()) as { hits: readonly Json[] };
  assert.deepEqual(
    Object.keys(answer).filter((name) => !(name in schema.properties)),
    [],
  );
  const hit = content['application/jsonl']?.schema as { properties: Json };
  assert.deepEqual(
    Object.keys(answer.hits[0] ?? {}).filter((name) => !(name in hit.properties)),
    [],
  );
  for (const { name, schema } of get?.parameters ?? [])
    for (const value of schema.enum ?? []) {
      const { status } = await fetch(`${broker.url}search?q=tide&${name}=${value}`);
      assert.equal(status, 200, `${name}=${value}`);
    }
  const max = get?.parameters?.find(({ name }) => name === 'limit')?.schema.maximum ?? 0;
  assert.equal((await fetch(`${broker.url}search?q=tide&limit=${max}`)).status, 200);
  assert.equal((await fetch(`${broker.url}search?q=tide&limit=${max + 1}`)).status, 400);
  const names = Object.entries(get?.responses ?? {}).filter(([, { content: at }]) => at !== undefined);
  for (const status of ['400', '401', '403', '503'])
    assert.ok(
      names.some(([name]) => name === status),
      status,
    );
});

test('case b18: the manual says what an error of a search is', limit, async () => {
  await using broker = await openServedBroker();
  const page = readFileSync(join(root, 'docs/http-api.md'), 'utf8');
  const [, query = '', json = ''] =
    /`(\/search\?[^`]+)` is answered with 400[^`]+```json\n(.*)\n```/.exec(page) ?? [];
  const response = await fetch(new URL(query, broker.url));
  assert.equal(response.status, 400);
  assert.deepEqual(await response.json(), JSON.parse(json));
  const missing = (await (await fetch(`${broker.url}search`)).json()) as { error: { code: string } };
  assert.equal(missing.error.code, 'BROKER_QUERY');
});

test('case b18: the manual and the description agree with the behaviour', limit, async () => {
  await using broker = await openServedBroker();
  const manual = (name: string) => readFileSync(join(root, 'docs', name), 'utf8').replaceAll(/\s+/g, ' ');
  const { paths } = await description(broker.url);
  const q = paths['/search']?.get?.parameters?.find(({ name }) => name === 'q');
  assert.equal(q?.required, false);
  assert.match(manual('http-api.md'), /`q` \| \[the query\]\([^)]*\), required unless there is a `cursor`/);
  const preflight = await fetch(`${broker.url}search?q=tide`, {
    method: 'OPTIONS',
    headers: { origin: 'https://docs.example.org', 'access-control-request-method': 'GET' },
  });
  assert.equal(preflight.headers.get('access-control-allow-origin'), null);
  assert.ok(manual('http-api.md').includes('may read where [the operator lists these origins]'));
  for (const [typed, text] of [
    ['lodz', 'Łódź'],
    ['oresund', 'Øresund'],
    ['aero', 'Ærø'],
    ['strasse', 'Straße'],
    ['istanbul', 'İstanbul'],
  ]) {
    assert.ok(
      manual('query-language.md').includes(`\`${typed}\` finds *${text}*`) ||
        manual('query-language.md').includes(`\`${typed}\` *${text}*`),
      typed,
    );
  }
});
