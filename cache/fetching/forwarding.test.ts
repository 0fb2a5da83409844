import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { failure } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import type { Route, UpstreamResponse } from '../requests/request-response.ts';
import { forward } from './forwarding.ts';

const sibling: Route = { to: 'sibling', host: 'sibling', port: 1, because: 'icp-hit' };
const origin: Route = { to: 'origin' };

/** The result of a request whose routes answer with these statuses, in their order. */
async function asked(routes: readonly Route[], statuses: readonly number[]) {
  const reported: string[] = [];
  let at = 0;
  const { response } = await forward(
    {
      method: 'GET',
      url: 'http://a/',
      fields: [],
      fromCache: false,
      signal: new AbortController().signal,
    },
    {
      router: {
        routes: async () => routes,
        outcome: (route, result) => reported.push(`${route.to} ${result}`),
      },
      upstream: {
        send: async () => {
          const status = statuses[at++] ?? 0;
          const content = Readable.from([]);
          return { status, reason: '', fields: [], content, trailers: () => [] } satisfies UpstreamResponse;
        },
        [Symbol.asyncDispose]: async () => undefined,
      },
    },
  );
  return { status: response.status, reported };
}

test("a sibling's answer about itself is not taken for a stored response", async () => {
  for (const status of [407, 502, 503, 504, 508])
    assert.deepEqual(
      await asked([sibling, origin], [status, 200]),
      { status: 200, reported: ['sibling not-there', 'origin answered'] },
      `${status}`,
    );
  assert.equal((await asked([sibling, origin], [404])).status, 404);
  assert.equal((await asked([sibling], [503])).status, 503);
});

test('a client whose content fails takes no peer down', async () => {
  const content = new Readable({ read: () => undefined });
  const reported: string[] = [];
  const parent: Route = { to: 'parent', host: 'parent', port: 1, because: 'default' };
  const sent = forward(
    {
      method: 'POST',
      url: 'http://a/',
      fields: [],
      content,
      fromCache: false,
      signal: new AbortController().signal,
    },
    {
      router: {
        routes: async () => [parent, origin],
        outcome: (route, result) => reported.push(`${route.to} ${result}`),
      },
      upstream: {
        send: (request) =>
          new Promise((_, reject) => {
            request.content?.on('error', reject);
          }),
        [Symbol.asyncDispose]: async () => undefined,
      },
    },
  );
  setImmediate(() => content.destroy(failure(cacheErrors.CACHE_CONTENT_TOO_LARGE, { limit: 1 })));
  await assert.rejects(sent, { code: cacheErrors.CACHE_CONTENT_TOO_LARGE.code });
  assert.deepEqual(reported, []);
});

test('a route that is given up before its answer begins is broken off, and the next one tried', async () => {
  const parent: Route = { to: 'parent', host: 'parent', port: 1, because: 'only-parent' };
  const reported: string[] = [];
  const aborted: unknown[] = [];
  let ended = 0;
  const { route } = await forward(
    { method: 'GET', url: 'http://a/', fields: [], fromCache: false, signal: new AbortController().signal },
    {
      router: {
        routes: async () => [parent, origin],
        watch: ({ to }, _request, giveUp) => {
          if (to === 'origin') return undefined;
          setImmediate(giveUp);
          return () => ended++;
        },
        outcome: (one, result) => reported.push(`${one.to} ${result}`),
      },
      upstream: {
        send: ({ route: { to }, signal }) =>
          to === 'origin'
            ? Promise.resolve({
                ...{ status: 200, reason: '', fields: [], content: Readable.from([]) },
                trailers: () => [],
              })
            : new Promise((_, reject) =>
                signal.addEventListener('abort', () => {
                  aborted.push(signal.reason);
                  reject(signal.reason);
                }),
              ),
        [Symbol.asyncDispose]: async () => undefined,
      },
    },
  );
  assert.equal(route, origin);
  assert.equal(aborted.length, 1);
  assert.deepEqual(reported, ['origin answered'], 'who gave it up knows why');
  assert.equal(ended, 1);
});

/** The result of a GET or another request along routes with given statuses or failures. */
async function tried(
  routes: readonly Route[],
  answers: readonly (number | 'unreachable' | 'broken')[],
  method = 'GET',
  content?: Readable,
) {
  const reported: string[] = [];
  const contents: Readable[] = [];
  let at = 0;
  const sent = forward(
    {
      ...{ method, url: 'http://a/', fields: [], fromCache: false, signal: new AbortController().signal },
      ...(content && { content }),
    },
    {
      router: {
        routes: async () => routes,
        outcome: (route, result) =>
          reported.push(`${route.to === 'origin' ? 'origin' : route.host} ${result}`),
      },
      upstream: {
        send: async (request) => {
          const answer = answers[at++] ?? 0;
          if (answer === 'unreachable')
            throw failure(cacheErrors.CACHE_UNREACHABLE, { url: 'http://a/', why: 'it is gone' });
          request.content?.read();
          if (answer === 'broken')
            throw failure(cacheErrors.CACHE_BROKEN_OFF, { url: 'http://a/', why: 'it broke' });
          const own = new Readable({ read: () => undefined });
          contents.push(own);
          const fields = ['Retry-After', `${at}`];
          return { status: answer, reason: '', fields, content: own, trailers: () => [] };
        },
        [Symbol.asyncDispose]: async () => undefined,
      },
    },
  );
  const got = await sent.then(
    ({ response, route }) => `${response.status} ${response.fields[1]} ${route.to}`,
    (error: { code: string }) => error.code,
  );
  return { got, reported, asked: at, open: contents.filter(({ destroyed }) => !destroyed).length };
}

const parentAt = (host: string): Route => ({ to: 'parent', host, port: 1, because: 'default' });
const [one, two] = [parentAt('one'), parentAt('two')];

test('a request that a parent could not fetch goes to the next one, and the parent is lame when that succeeds', async () => {
  for (const status of [502, 503, 504])
    assert.deepEqual(await tried([one, two, origin], [status, 200]), {
      ...{ got: '200 2 parent', reported: ['one lame', 'two answered'], asked: 2, open: 1 },
    });
  assert.deepEqual(await tried([one, two, origin], [504, 502, 404]), {
    ...{ got: '404 3 origin', reported: ['one lame', 'two lame', 'origin answered'], asked: 3, open: 1 },
  });
  assert.deepEqual(await tried([one, origin], [500, 200]), {
    ...{ got: '500 1 parent', reported: ['one answered'], asked: 1, open: 1 },
  });
});

test('when no route does better the answer of the first parent is sent, and no parent is lame', async () => {
  assert.deepEqual(await tried([one, two, origin], [503, 504, 'unreachable']), {
    ...{
      got: '503 1 parent',
      reported: ['origin failed', 'one answered', 'two answered'],
      asked: 3,
      open: 1,
    },
  });
  assert.deepEqual(await tried([one, origin], [504, 503]), {
    ...{ got: '503 2 origin', reported: ['one answered', 'origin answered'], asked: 2, open: 1 },
  });
  assert.deepEqual(await tried([one], [503]), {
    ...{ got: '503 1 parent', reported: ['one answered'], asked: 1, open: 1 },
  });
});

test('RFC 9110 9.2.2: what may have been done is not asked for twice', async () => {
  for (const answer of [504, 'broken'] as const) {
    for (const method of ['POST', 'PATCH'])
      assert.equal((await tried([one, origin], [answer, 200], method)).asked, 1, `${method} ${answer}`);
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])
      assert.equal((await tried([one, origin], [answer, 200], method)).asked, 2, `${method} ${answer}`);
    assert.equal((await tried([one, origin], [answer, 200], 'PUT', Readable.from(['x']))).asked, 1);
  }
  assert.equal((await tried([one, origin], ['unreachable', 200], 'POST')).got, '200 2 origin');
  assert.equal((await tried([one, origin], ['unreachable', 200], 'PUT', Readable.from(['x']))).asked, 2);
});

test("a sibling's own refusal is passed over, and its stored response is used", async () => {
  const of = (fields: readonly string[]) =>
    forward(
      {
        ...{ method: 'GET', url: 'http://a/', fields: [], fromCache: false },
        signal: new AbortController().signal,
      },
      {
        router: { routes: async () => [sibling, origin], outcome: () => undefined },
        upstream: {
          send: async ({ route }) => ({
            ...{ status: route === sibling ? 403 : 200, reason: '', content: Readable.from([]) },
            fields: route === sibling ? fields : [],
            trailers: () => [],
          }),
          [Symbol.asyncDispose]: async () => undefined,
        },
      },
    );
  for (const own of [
    ['X-Squid-Error', 'ERR_ACCESS_DENIED 0'],
    ['Proxy-Status', 'near; error=http_request_denied; details="CACHE_FORBIDDEN"'],
  ])
    assert.equal((await of(own)).route, origin);
  assert.equal((await of(['Via', '1.1 near'])).route, sibling);
});

test('content that a peer has read is not sent once more, not even when it says that it has it not', async () => {
  const looped = await tried([one, origin], [508, 200], 'GET', Readable.from(['x']));
  assert.equal(looped.got, '508 1 parent');
  assert.equal(looped.asked, 1);
  assert.equal((await tried([one, origin], [508, 200])).got, '200 2 origin');
});
