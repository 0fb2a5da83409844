import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serveHttp } from '../../http/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { attributeText, parseSoif, type SummaryObject, summaryObject } from '../../soif/index.ts';
import { annotationWorld } from '../testing/annotation.ts';
import { annotationRoutes } from './annotation-routes.ts';

const token = 'admin-token-1';
const url = 'http://x.org/a?b=<c>&d="e"';
const href = new URL(url).href;
const page = (of: string) =>
  summaryObject(of, [
    ['Title', 'As <b>gathered</b>'],
    ['Keywords', 'gathered'],
    ['Type', 'HTML'],
  ]);

async function serving() {
  const world = await annotationWorld();
  await world.gather(world.annotations, page(href));
  const server = await serveHttp({
    routes: annotationRoutes({
      annotations: world.annotations,
      clock: new ManualClock(),
      stored: async (of) => world.stored.objects.get(of),
      adminTokens: [token],
    }),
    port: 0,
    clock: new ManualClock(),
    tokens: { admin: [token], read: ['read-token-1'] },
    title: 'test',
    version: '0',
  });
  const ask = (path: string, init: RequestInit & { readonly bearer?: string } = {}) =>
    fetch(new URL(path, server.url), {
      redirect: 'manual',
      ...init,
      headers: { ...(init.bearer && { authorization: `Bearer ${init.bearer}` }), ...init.headers },
    });
  return {
    world,
    ask,
    write: (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
      ask(path, { method, bearer: token, body: JSON.stringify(body), headers }),
    post: (form: Record<string, string>, headers: Record<string, string> = {}) =>
      ask('annotate', { method: 'POST', body: new URLSearchParams(form), headers }),
    title: () => attributeText(world.stored.objects.get(href) as SummaryObject, 'Title'),
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

const path = `annotations/${encodeURIComponent(url)}`;
const codeOf = async (response: Response) =>
  [response.status, ((await response.json()) as { error: { code: string } }).error.code] as const;

test('an annotation is written, read, guarded against others, and removed', async () => {
  await using server = await serving();
  assert.deepEqual(await codeOf(await server.ask(path)), [404, 'ANNOTATION_MISSING']);
  const fields = { Title: 'Mine', Author: ['A', 'B'], 'Time-to-Live': 60 };
  const made = await server.write('PUT', path, { fields, author: 'Jo' }, { 'if-none-match': '*' });
  const expected = {
    url: href,
    fields: { Title: 'Mine', 'Author-1': 'A', 'Author-2': 'B', 'Time-to-Live': '60' },
    author: 'Jo',
    at: '2023-11-14T22:13:20.000Z',
  };
  assert.deepEqual([made.status, await made.json()], [200, { outcome: 'stored', ...expected }]);
  assert.equal(server.title(), 'Mine');
  const read = await server.ask(path);
  assert.deepEqual(await read.json(), expected);
  const version = read.headers.get('etag') as string;
  assert.equal((await server.ask(path, { headers: { 'if-none-match': version } })).status, 304);
  const stale = { 'if-match': '"other"' };
  assert.deepEqual(await codeOf(await server.write('PUT', path, { fields }, stale)), [
    412,
    'ANNOTATION_CHANGED',
  ]);
  const again = await server.write('PUT', path, { fields: { Title: 'Mine too' } }, { 'if-match': version });
  assert.equal(again.status, 200);
  const removed = await server.ask(path, { method: 'DELETE', bearer: token });
  assert.deepEqual([removed.status, await removed.json()], [200, { outcome: 'stored' }]);
  assert.equal(server.title(), 'As <b>gathered</b>');
});

test('only an administrator writes, and nonsense is refused with a reason', async () => {
  await using server = await serving();
  const body = JSON.stringify({ fields: { Title: 'x' } });
  const attempt = (bearer?: string) => server.ask(path, { method: 'PUT', body, ...(bearer && { bearer }) });
  assert.deepEqual(await codeOf(await attempt()), [401, 'HTTP_TOKEN_NEEDED']);
  assert.deepEqual(await codeOf(await attempt('read-token-1')), [403, 'HTTP_FORBIDDEN']);
  for (const [wrong, code] of [
    ['{', 'ANNOTATION_BODY'],
    ['[]', 'ANNOTATION_BODY'],
    ['{"fields": {"Title": {}}}', 'ANNOTATION_BODY'],
    ['{"fields": {"MD5": "x"}}', 'ANNOTATION_FIELD'],
    [`{"fields": {"A": [${'1,'.repeat(300)}1]}}`, 'ANNOTATION_BODY'],
  ] as const)
    assert.deepEqual(await codeOf(await server.ask(path, { method: 'PUT', bearer: token, body: wrong })), [
      400,
      code,
    ]);
  const unknown = await server.write('PUT', 'annotations/nowhere', { fields: {} });
  assert.deepEqual(await codeOf(unknown), [400, 'ANNOTATION_URL']);
  assert.equal(server.world.annotations.store.count, 0);
});

test('annotations are imported and exported as SOIF, and listed in pages', async () => {
  await using server = await serving();
  const soif =
    '@FILE { http://x.org/1\nTitle:\tOne\n}\n@FILE { http://x.org/2\nTitle:\tTwo\n}\n@FILE { -\nTitle:\tNo\n}\n';
  const taken = await server.ask('annotations', { method: 'POST', bearer: token, body: soif });
  assert.deepEqual(await taken.json(), {
    outcomes: { stored: 0, unchanged: 0, waiting: 2, 'next-run': 0 },
    refused: [],
    problems: [{ record: 'No', reason: 'it names no URL of a document' }],
  });
  const lsm = 'Begin4\nTitle: Three\nPrimary-site: x.org /\n 1k 3.tgz\nEnd\n';
  await server.ask('annotations?format=lsm', { method: 'POST', bearer: token, body: lsm });
  const bibtex = '@misc{bee, title = {On {B}ees}, url = {http://x.org/bees}}\n@book{wax, title = {Wax}}\n';
  const cited = await server.ask('annotations?format=bibtex', {
    method: 'POST',
    bearer: token,
    body: bibtex,
  });
  assert.deepEqual(await cited.json(), {
    outcomes: { stored: 0, unchanged: 0, waiting: 1, 'next-run': 0 },
    refused: [],
    problems: [{ record: 'wax', reason: 'it names no URL of a document' }],
  });
  const bees = `annotations/${encodeURIComponent('http://x.org/bees')}`;
  assert.match(await (await server.ask(bees)).text(), /"Title":"On Bees"/);
  await server.ask(bees, { method: 'DELETE', bearer: token });
  const first = await (await server.ask('annotations?limit=2')).json();
  assert.deepEqual(first, {
    total: 3,
    next: 'http://x.org/1',
    annotations: [
      {
        url: 'ftp://x.org/3.tgz',
        fields: { Title: 'Three', 'Primary-Site': 'x.org /\n1k 3.tgz' },
        author: '',
        at: '2023-11-14T22:13:20.000Z',
      },
      { url: 'http://x.org/1', fields: { Title: 'One' }, author: '', at: '2023-11-14T22:13:20.000Z' },
    ],
  });
  const rest = (await (await server.ask('annotations?after=http://x.org/1')).json()) as { next: null };
  assert.equal(rest.next, null);
  const all = await server.ask('annotations', { headers: { accept: 'application/x-soif' } });
  const exported = await all.text();
  const urls: string[] = [];
  for await (const { object } of parseSoif([Buffer.from(exported)])) urls.push(object.url);
  assert.deepEqual(urls, ['ftp://x.org/3.tgz', 'http://x.org/1', 'http://x.org/2']);
  const back = await server.ask('annotations', { method: 'POST', bearer: token, body: exported });
  assert.deepEqual(((await back.json()) as { outcomes: object }).outcomes, {
    stored: 0,
    unchanged: 3,
    waiting: 0,
    'next-run': 0,
  });
  assert.deepEqual(await codeOf(await server.ask('annotations?format=xml')), [400, 'ANNOTATION_FORMAT']);
  const one = 'annotations/http%3A%2F%2Fx.org%2F1';
  const put = { method: 'PUT', bearer: token, headers: { 'content-type': 'application/x-soif' } };
  assert.equal(
    (await server.ask(one, { ...put, body: '@FILE { http://x.org/1\nTitle:\tUno\n}\n' })).status,
    200,
  );
  assert.match(await (await server.ask(`${one}?format=soif`)).text(), /^Title\{3\}:\tUno$/m);
  const elsewhere = await server.ask(one, { ...put, body: '@FILE { http://x.org/2\nTitle:\tUno\n}\n' });
  assert.deepEqual(await codeOf(elsewhere), [400, 'ANNOTATION_BODY']);
});

test('the form shows nothing unescaped, keeps the typed text, and saves only with the token', async () => {
  await using server = await serving();
  const at = `annotate?url=${encodeURIComponent(url)}`;
  const shown = await server.ask(`${at}&done=%3Cscript%3E`);
  const text = await shown.text();
  assert.match(
    shown.headers.get('content-security-policy') as string,
    /^default-src 'none'; style-src 'self'/,
  );
  assert.ok(text.includes('As &lt;b&gt;gathered&lt;/b&gt;') && !text.includes('<script'));
  assert.doesNotMatch(text, /<b>|\?b=<c>|role="status"/);
  const typed = {
    url,
    version: 'none',
    title: 'Mine',
    keywords: '"><script>alert(1)</script>',
    description: '</textarea><i>',
    others: 'Author: Jo\n  Doe\nHeadings:',
    author: '<u>Jo</u>',
    token: 'wrong',
  };
  const refused = await server.post(typed);
  const kept = await refused.text();
  assert.equal(refused.status, 403);
  assert.match(kept, /role="alert">Not saved: this is not an administration token/);
  assert.doesNotMatch(kept, /<script|<i>|<u>|wrong/);
  assert.ok(kept.includes('&lt;/textarea&gt;&lt;i&gt;') && kept.includes('value="Mine"'));
  assert.equal((await server.post({ ...typed, token }, { origin: 'http://evil.example' })).status, 403);
  const saved = await server.post({ ...typed, token });
  assert.deepEqual(
    [saved.status, saved.headers.get('location')],
    [303, `annotate?url=${encodeURIComponent(href)}&done=stored`],
  );
  const annotation = await server.world.annotations.get(href);
  assert.deepEqual(annotation?.fields, [
    ['Title', 'Mine'],
    ['Keywords', '"><script>alert(1)</script>'],
    ['Description', '</textarea><i>'],
    ['Author', 'Jo\nDoe'],
    ['Headings', ''],
  ]);
  const after = await (await server.ask(`${at}&done=stored`)).text();
  assert.match(after, /role="status">Saved\./);
  assert.ok(after.includes('Author: Jo\n  Doe\nHeadings: </textarea>'));
  // A change by somebody else in between is not overwritten.
  assert.equal((await server.post({ ...typed, token })).status, 412);
  const version = /name="version" value="([^"]+)"/.exec(after)?.[1] ?? '';
  const bad = await server.post({ ...typed, token, version, others: 'no name' });
  assert.equal(bad.status, 400);
  assert.equal((await server.post({ ...typed, token, version, act: 'remove' })).status, 303);
  assert.equal(server.title(), 'As <b>gathered</b>');
  assert.equal((await server.ask('annotate?url=javascript:alert(1)')).status, 400);
  assert.match(await (await server.ask('annotate')).text(), /<label for="url">/);
});

test('an invalid time in an import does not prevent reading the list', async () => {
  await using server = await serving();
  const body = `@FILE { ${href}\nTitle{4}:\tMine\nAnnotated-At{14}:\t99999999999999\n}\n`;
  const taken = await server.ask('annotations', { method: 'POST', bearer: token, body });
  assert.deepEqual(((await taken.json()) as { outcomes: { stored: number } }).outcomes.stored, 1);
  const list = await server.ask('annotations');
  assert.equal(list.status, 200);
  const { annotations } = (await list.json()) as { annotations: readonly { at: string }[] };
  assert.deepEqual(
    annotations.map(({ at }) => at),
    ['9999-12-31T23:59:59.000Z'],
  );
});

test('the form keeps attributes whose names its lines would misread', async () => {
  await using server = await serving();
  const fields = { 'dc:title': 'Tides', '3D-Format': 'VRML' };
  const made = await server.write('PUT', path, { fields });
  assert.equal(made.status, 200);
  const form = await (await server.ask(`annotate?url=${encodeURIComponent(url)}`)).text();
  const unescaped = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&#34;', '"');
  const others = unescaped(/id="others"[^>]*>\n([^<]*)</.exec(form)?.[1] ?? '');
  const version = /name="version" value="([^"]*)"/.exec(form)?.[1] ?? '';
  const saved = await server.post({ token, url, others, version, title: 'More' });
  assert.equal(saved.status, 303);
  const { fields: after } = (await (await server.ask(path)).json()) as { fields: object };
  assert.deepEqual(after, { Title: 'More', ...fields });
});
