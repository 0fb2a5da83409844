import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilFound } from '../commands/command.ts';
import { runHere } from '../commands/command-here.ts';
import { openServedBroker } from './served-broker.ts';

interface Answer {
  readonly total: number;
  readonly tookMs?: number;
  readonly hits: readonly Readonly<Record<string, unknown>>[];
  readonly status?: number;
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
}

const docs = 'https://docs.example.org';

const json = async <Body>(response: Response) => (await response.json()) as Body;

test('the HTTP API of search', { timeout: 120_000 }, async (t) => {
  await using broker = await openServedBroker('--http-cors-origins', docs);
  const search = (query: string, init?: RequestInit) => fetch(`${broker.url}search?${query}`, init);
  const several = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${broker.url}search`, { method: 'POST', body: JSON.stringify(body), headers });
  const plain = async (query: string) => {
    const { tookMs: _, ...answer } = await json<Answer>(await search(query));
    return answer;
  };

  await t.test('fields selects the fields of hits, in JSON and in JSON lines', async () => {
    const { hits, total } = await json<Answer>(await search('q=tide&fields=title,url'));
    assert.equal(total, 3);
    assert.deepEqual(
      hits.map((hit) => Object.keys(hit)),
      hits.map(() => ['url', 'title']),
    );
    const whole = await plain('q=tide');
    assert.deepEqual(
      hits,
      whole.hits.map(({ url, title }) => ({ url, title })),
    );
    const lines = await (await search('q=tide&format=jsonl&fields=oid&fields=%20score%20')).text();
    assert.deepEqual(
      lines
        .trim()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line) as object)),
      hits.map(() => ['oid', 'score']),
    );
    assert.deepEqual((await plain('q=tide&fields=')).hits, whole.hits, 'a form sends empty fields');
    const refused = await search('q=tide&fields=title,author');
    const { error } = await json<Answer>(refused);
    assert.deepEqual([refused.status, error?.code], [400, 'BROKER_QUERY']);
    assert.match(error?.message ?? '', /^fields has "author", which is not one of oid, url, title, /);
  });

  await t.test(
    'several searches in one request are answered as alone, and a failing one fails alone',
    async () => {
      const searches = [
        { q: 'tide', limit: 1 },
        { q: 'mooring', type: ['Markdown', 'HTML'], fields: 'title' },
        { q: 'tide', limit: 'many' },
        { q: 'tide', sort: 'colour' },
        { q: 'tide', format: 'jsonl' },
        {},
        'tide',
        { q: { nested: true } },
        { q: 'title:tide', limit: '2' },
        { q: 'tide', tpye: 'HTML' },
        { q: ['tide', 'mooring'] },
      ];
      const response = await several({ searches });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('cache-control'), 'no-store');
      const { answers } = await json<{ answers: readonly Answer[] }>(response);
      assert.equal(answers.length, searches.length);
      const untimed = ({ tookMs: _, ...answer }: Answer) => answer;
      assert.deepEqual(untimed(answers[0] as Answer), await plain('q=tide&limit=1'));
      assert.deepEqual(
        untimed(answers[1] as Answer),
        await plain('q=mooring&type=Markdown&type=HTML&fields=title'),
      );
      for (const [at, query] of [
        [2, 'q=tide&limit=many'],
        [3, 'q=tide&sort=colour'],
        [5, ''],
        [9, 'q=tide&tpye=HTML'],
        [10, 'q=tide&q=mooring'],
      ] as const) {
        const alone = await search(query);
        assert.deepEqual(answers[at], { status: alone.status, ...(await json<object>(alone)) }, query);
      }
      assert.deepEqual(
        answers.slice(4, 8).map((answer) => [answer.status, answer.error?.code]),
        [
          [400, 'BROKER_QUERY'],
          [400, 'BROKER_QUERY'],
          [400, 'BROKER_BODY'],
          [400, 'BROKER_BODY'],
        ],
      );
      assert.deepEqual(untimed(answers[8] as Answer), await plain('q=title:tide&limit=2'));

      for (const body of [
        {},
        { searches: [] },
        { searches: Array(17).fill({ q: 'x' }) },
        { searches: {} },
        [],
      ]) {
        const refused = await several(body);
        assert.deepEqual([refused.status, (await json<Answer>(refused)).error?.code], [400, 'BROKER_BODY']);
      }
      const shared = await several({ searches: [{ q: 'tide' }] }, { origin: docs });
      assert.deepEqual([shared.status, shared.headers.get('access-control-allow-origin')], [200, docs]);
      assert.equal(
        (await several({ searches: [{ q: 'tide' }] }, { origin: 'https://evil.example' })).status,
        403,
      );
    },
  );

  await t.test('an answer has an entity tag, which changes with the index and with settings', async () => {
    const tagOf = async (query: string) => (await search(query)).headers.get('etag') ?? '';
    const first = await search('q=tide');
    const etag = first.headers.get('etag') ?? '';
    assert.match(etag, /^W\/"[\w-]{22}"$/);
    assert.equal(first.headers.get('cache-control'), 'no-cache');
    assert.equal(await tagOf('q=tide'), etag);
    assert.notEqual(await tagOf('q=tide&limit=1'), etag);
    const again = await search('q=tide', { headers: { 'if-none-match': etag } });
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);

    await broker.write('more.html', '<title>More tides</title><p>Another tide.</p>');
    await untilFound(broker.url, 'tide', ({ total }) => total === 4);
    const changed = await search('q=tide', { headers: { 'if-none-match': etag } });
    assert.equal(changed.status, 200);
    assert.notEqual(changed.headers.get('etag'), etag);
  });

  await t.test('an age in a query and a frozen list have no entity tag', async () => {
    for (const query of ['q=tide AND date: 2d', 'q=tide&cursor=*'])
      assert.equal((await search(query)).headers.get('etag'), null, query);
  });
});

test('where a token is required, no cache keeps an answer', { timeout: 120_000 }, async () => {
  await using broker = await openServedBroker(
    ...['--http-require-token', '--http-read-tokens', 'a-token-to-read', '--http-cors-origins', '*'],
  );
  const origin = { origin: docs };
  const refused = await fetch(`${broker.url}search?q=tide`, { headers: origin });
  assert.deepEqual([refused.status, refused.headers.get('access-control-allow-origin')], [401, '*']);
  const headers = { ...origin, authorization: 'Bearer a-token-to-read' };
  const answer = await fetch(`${broker.url}search?q=tide`, { headers });
  assert.equal(answer.headers.get('cache-control'), 'private, no-store');
  const etag = answer.headers.get('etag') ?? '';
  const again = await fetch(`${broker.url}search?q=tide`, { headers: { ...headers, 'if-none-match': etag } });
  assert.equal(again.status, 304);
});

test('an origin that no browser sends stops a server with the cure', async () => {
  const { code, stderr } = await runHere([
    'broker',
    'serve',
    '--port',
    '0',
    '--http-cors-origins',
    'docs.example.org',
  ]);
  assert.equal(code, 2);
  assert.match(stderr, /http\.cors-origins holds "docs\.example\.org", which is no origin/);
  assert.match(stderr, /write scheme, host and port/);
});
