import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { listen } from '../../http/index.ts';
import { BrokerClient, type BrokerClientOptions, BrokerError } from '../../web/client/broker-client.ts';
import { type Harbour, openHarbour } from './harbour.ts';

let harbour: Harbour;
before(async () => {
  harbour = await openHarbour();
});
after(() => harbour[Symbol.asyncDispose]());

test('the client searches a Broker with every parameter, page by page and hit by hit', async () => {
  const client = new BrokerClient(harbour.url);
  const answer = await client.search({ q: 'mooring', limit: 1, sort: 'url', lines: 2 });
  assert.deepEqual([answer.total, answer.hits.length, answer.understood], [2, 1, '#lines 2 mooring']);
  const [hit] = answer.hits;
  assert.equal(hit?.url, 'https://harbour.example/fees.html');
  assert.deepEqual([hit?.titleMatches, hit?.lines[0]?.text], [[[0, 7]], 'Mooring fees']);
  assert.equal(answer.facets.source[0]?.count, 2);
  const every = {
    ...{ q: 'mooring', limit: 5, offset: 0, sources: [answer.sources[0]?.id ?? ''], types: ['HTML'] },
    ...{ filters: [], fold: true, perSource: 3, cursor: '*', exact: true, widen: false, correct: false },
    ...{ case: false, part: false, errors: 0, lines: 0, max: 10, statistics: '' },
  } as const;
  const all = await client.search({ ...every, sort: '-title' });
  assert.deepEqual(
    all.hits.map(({ title }) => title),
    ['Moorings', 'Mooring fees'],
  );
  const streamed: string[] = [];
  for await (const { title } of client.hits({ q: 'mooring', sort: 'title' })) streamed.push(title);
  assert.deepEqual(streamed, ['Mooring fees', 'Moorings']);
  for await (const { title } of client.hits({ q: 'mooring' })) {
    assert.match(title, /Mooring/);
    break;
  }
  await assert.rejects(client.search({ q: 'x', limit: 101 }), {
    ...{ name: 'BrokerError', code: 'BROKER_QUERY', status: 400, retry: false },
    message: /limit/,
  });
});

test('the client reads completions, objects, views, status and links of a Broker', async () => {
  const client = new BrokerClient(new URL(harbour.url), { token: 'none-is-needed' });
  assert.deepEqual((await client.complete('fer')).slice(0, 1), ['ferry']);
  const { hits } = await client.search({ q: 'ferry' });
  const object = await client.object(hits[0]?.oid ?? '');
  assert.equal(object.url, 'https://harbour.example/moorings.html');
  assert.deepEqual(
    object.attributes.find(({ name }) => name === 'Title'),
    { name: 'Title', value: 'Moorings' },
  );
  const status = await client.status();
  assert.deepEqual([status.name, status.objects, status.sources[0]?.state], ['topic', 2, 'ok']);
  assert.deepEqual(status.views, [{ name: 'moorings', objects: 2 }]);
  assert.equal(object.origin?.publisher.serverId, status.sources[0]?.id);

  const first = await client.changes('moorings', { limit: 1 });
  assert.deepEqual([first.changes.length, first.more, first.complete, first.full], [1, true, false, true]);
  const rest = await client.changes('moorings', { since: first.since });
  assert.deepEqual([rest.changes.length, rest.more], [1, false]);
  await harbour.put('buoys.html', 'Mooring buoys', 'The yellow ones.');
  await harbour.fresh();
  const later = await client.changes('moorings', { since: rest.since });
  assert.deepEqual(
    later.changes.map(({ kind, title }) => [kind, title]),
    [['insert', 'Mooring buoys']],
  );
  await assert.rejects(client.changes('no-such-view'), { code: 'VIEW_UNKNOWN', status: 404 });
  await assert.rejects(client.object('no-such-object'), { status: 404 });
});

test('the client sends every parameter of a search that a Broker describes', async () => {
  const description = (await (await fetch(new URL('openapi.json', harbour.url))).json()) as {
    readonly paths: Readonly<
      Record<string, { readonly get: { readonly parameters: readonly { readonly name: string }[] } }>
    >;
  };
  const described = (description.paths['/search']?.get.parameters ?? [])
    .map(({ name }) => name)
    // The client reads whole hits.
    .filter((name) => name !== 'fields');
  let asked = new URLSearchParams();
  const record = (request: IncomingMessage, response: ServerResponse) => {
    asked = new URL(request.url ?? '', 'http://x').searchParams;
    response.end();
  };
  await withServer(record, async (client) => {
    const every = {
      ...{
        q: 'q',
        limit: 1,
        offset: 2,
        sources: ['s', 't'],
        types: ['HTML'],
        filters: ['year:2024'],
        fold: true,
      },
      ...{
        perSource: 3,
        exact: true,
        widen: false,
        correct: false,
        case: true,
        part: false,
        typing: true,
        lines: 4,
        max: 5,
      },
    };
    const hits = client.hits({ ...every, sort: '-date', errors: 'best', statistics: 'z' });
    assert.equal((await hits.next()).done, true);
    const sent = new Map(asked);
    assert.deepEqual(asked.getAll('source'), ['s', 't']);
    await assert.rejects(client.search({ cursor: 'c' }));
    for (const [name, value] of asked) sent.set(name, value);
    assert.deepEqual([...sent.keys()].toSorted(), described.toSorted());
    assert.deepEqual([sent.get('case'), sent.get('part'), sent.get('widen')], ['yes', 'no', 'no']);
  });
});

/** Run `use` with a client of a server that answers each request by `answer`. */
async function withServer(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  use: (client: BrokerClient, url: string) => Promise<void>,
  options: BrokerClientOptions = {},
): Promise<void> {
  const server = createServer(answer);
  await listen(server, '127.0.0.1', 0);
  try {
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
    await use(new BrokerClient(url, options), url);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const json = (value: unknown) => (_: IncomingMessage, response: ServerResponse) => {
  response.setHeader('content-type', 'application/json');
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
};

test('an answer that is not that of a Broker is an error, and odd parts of one are left out', async () => {
  for (const body of [
    '',
    'null',
    '[]',
    '{}',
    '{"hits": 1}',
    '<html>',
    '{"hits": [',
    `${'['.repeat(100_000)}`,
  ])
    await withServer(json(body), async (client) => {
      const calls = [
        client.search({ q: 'x' }),
        client.status(),
        client.object('x'),
        client.complete('x'),
        client.changes('x'),
        client.checkLink('x'),
      ];
      for (const call of calls) await assert.rejects(call, { code: 'CLIENT_ANSWER', status: null });
    });
  const odd = {
    hits: [
      null,
      {
        oid: 'o',
        title: 'a\u0000b\u202ec',
        snippet: 'abc',
        matches: [[-1, 2], [0, 9], 'x', [1, 2]],
        score: 'x',
      },
      { url: 'without an id' },
    ],
    total: -5,
    facets: [],
    sources: [{ id: 's', state: 'excellent' }],
  };
  await withServer(json(odd), async (client) => {
    const { hits, total, sources } = await client.search({ q: 'x' });
    assert.deepEqual(
      hits.map(({ oid, title, matches, score }) => [oid, title, matches, score]),
      [['o', 'a b c', [[1, 2]], 0]],
    );
    assert.deepEqual([total, sources[0]?.state], [0, 'down']);
  });
  const attributes = [
    { name: 'Raw', base64: 'AP8=' },
    { name: 'Bad', base64: '***' },
    { name: 'Text', value: 'a\u0000b' },
    { value: 'nameless' },
  ];
  await withServer(json({ oid: 'o', url: 'u', attributes }), async (client) => {
    const object = await client.object('o');
    assert.deepEqual(object.attributes, [
      { name: 'Raw', value: Uint8Array.of(0, 255) },
      { name: 'Text', value: 'a\u0000b' },
    ]);
    assert.equal(object.origin, null);
  });
  // A change that cannot be read would be missed for good.
  await withServer(json({ since: 'p', changes: [{ kind: 'explode', oid: 'o' }] }), async (client) => {
    await assert.rejects(client.changes('v'), { code: 'CLIENT_ANSWER' });
  });
});

test('an answer above the bound ends the request, compressed or not, whole or in lines', async () => {
  const large = (_: IncomingMessage, response: ServerResponse) => {
    response.setHeader('content-encoding', 'gzip');
    // 4 MB of blanks in some 4 kB.
    response.end(gzipSync(Buffer.alloc(4_000_000, 32)));
  };
  await withServer(
    large,
    async (client) => {
      await assert.rejects(client.search({ q: 'x' }), { code: 'CLIENT_TOO_LARGE', retry: false });
      await assert.rejects(client.hits({ q: 'x' }).next(), { code: 'CLIENT_TOO_LARGE' });
    },
    { maxBytes: 100_000 },
  );
  let sent = 0;
  let closed: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const endless = (_: IncomingMessage, response: ServerResponse) => {
    response.on('close', () => closed());
    const more = (): void => {
      while (!response.destroyed && response.write(' '.repeat(65_536))) sent += 65_536;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  await withServer(
    endless,
    async (client) => {
      await assert.rejects(client.status(), { code: 'CLIENT_TOO_LARGE' });
      await ended;
      assert.ok(sent < 64_000_000, `${sent} bytes were sent`);
    },
    { maxBytes: 1_000_000 },
  );
});

test('refusals, silence, cut answers and aborts of a server have errors of their own', async () => {
  const refusing = (status: number, body: string) => (_: IncomingMessage, response: ServerResponse) => {
    response.statusCode = status;
    response.end(body);
  };
  const typed = { error: { code: 'HTTP_TOKEN', message: 'a token is required', hint: 'Send one.' } };
  await withServer(refusing(401, JSON.stringify(typed)), async (client) => {
    await assert.rejects(client.status(), {
      ...{ code: 'HTTP_TOKEN', message: 'a token is required', hint: 'Send one.', status: 401, retry: false },
    });
  });
  for (const body of ['', '<html>', 'x'.repeat(1_000_000), '{"error": {"code": "lower case"}}'])
    await withServer(refusing(502, body), async (client) => {
      await assert.rejects(client.status(), { code: 'CLIENT_REFUSED', status: 502, retry: true });
    });
  // The client's own codes and another address are nothing that a server can give.
  await withServer(refusing(400, '{"code": "CLIENT_TIMEOUT", "message": "m"}'), async (client) => {
    await assert.rejects(client.status(), { code: 'CLIENT_REFUSED', message: 'm', retry: false });
  });
  const elsewhere = (request: IncomingMessage, response: ServerResponse) => {
    if (request.url === '/elsewhere') return response.end('{}');
    return response.writeHead(307, { location: '/elsewhere' }).end();
  };
  await withServer(elsewhere, async (client) => {
    await assert.rejects(client.status(), { code: 'CLIENT_UNREACHABLE' });
    await assert.rejects(client.object('\ud800'), { code: 'CLIENT_UNREACHABLE' });
  });
  // Bytes without a line are silence too.
  const dripping = (_: IncomingMessage, response: ServerResponse) => {
    const drip = setInterval(() => response.write(' '), 5);
    response.on('close', () => clearInterval(drip));
  };
  await withServer(
    dripping,
    async (client) => {
      await assert.rejects(client.hits({ q: 'x' }).next(), { code: 'CLIENT_TIMEOUT' });
    },
    { timeoutMs: 50 },
  );
  await withServer(
    json({ words: ['mooring'] }),
    async (client) => {
      assert.deepEqual(await client.complete('moor\ud83d'), ['mooring']);
    },
    { timeoutMs: Number.POSITIVE_INFINITY },
  );
  const silent = () => {};
  await withServer(
    silent,
    async (client) => {
      await assert.rejects(client.status(), { code: 'CLIENT_TIMEOUT', retry: true });
      await assert.rejects(client.hits({ q: 'x' }).next(), { code: 'CLIENT_TIMEOUT' });
    },
    { timeoutMs: 50 },
  );
  await withServer(silent, async (client) => {
    const reason = new Error('no longer wanted');
    const abort = new AbortController();
    const call = client.search({ q: 'x' }, { signal: abort.signal });
    abort.abort(reason);
    await assert.rejects(call, reason);
    await assert.rejects(client.status({ signal: abort.signal }), reason);
  });
  const cut = (_: IncomingMessage, response: ServerResponse) => {
    response.write(`${JSON.stringify({ oid: 'o', title: 'first' })}\n{"oid": "p", `);
    setImmediate(() => response.destroy());
  };
  await withServer(cut, async (client) => {
    const titles: string[] = [];
    const read = async () => {
      for await (const { title } of client.hits({ q: 'x' })) titles.push(title);
    };
    await assert.rejects(read(), { code: 'CLIENT_UNREACHABLE' });
    assert.deepEqual(titles, ['first']);
  });
  let closed = '';
  await withServer(silent, async (_, url) => {
    closed = url;
  });
  await assert.rejects(new BrokerClient(closed).status(), { code: 'CLIENT_UNREACHABLE', retry: true });
});

test('an address that no Broker can have is refused, and its password is not reported', async () => {
  for (const address of [
    '',
    'search.example',
    'ftp://search.example/',
    'javascript:1',
    'http://u:secret@x.example/',
  ])
    assert.throws(
      () => new BrokerClient(address),
      (error) =>
        error instanceof BrokerError &&
        error.code === 'CLIENT_ADDRESS' &&
        error.hint !== '' &&
        !error.message.includes('secret'),
    );
  const asked: (string | undefined)[] = [];
  const record = (request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.url);
    json({ words: [] })(request, response);
  };
  await withServer(record, async (_, url) => {
    for (const path of ['', 'garner', 'garner/', 'garner/?q=1#x'])
      assert.deepEqual(await new BrokerClient(url + path).complete('ä&b'), []);
  });
  const complete = 'complete?q=%C3%A4%26b';
  assert.deepEqual(asked, [`/${complete}`, ...Array(3).fill(`/garner/${complete}`)]);
});
