import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { failure } from '../kernel/index.ts';
import { cacheErrors } from './errors.ts';
import type { Route, UpstreamResponse } from './exchange.ts';
import { forward } from './forwarding.ts';

const sibling: Route = { to: 'sibling', host: 'sibling', port: 1, because: 'icp-hit' };
const origin: Route = { to: 'origin' };

/** What comes of a request whose routes answer with these statuses, in their order. */
async function asked(routes: readonly Route[], statuses: readonly number[]) {
  const told: string[] = [];
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
        outcome: (route, result) => told.push(`${route.to} ${result}`),
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
  return { status: response.status, told };
}

test('what a sibling says of itself is not taken for what it has', async () => {
  for (const status of [407, 502, 503, 504, 508])
    assert.deepEqual(
      await asked([sibling, origin], [status, 200]),
      { status: 200, told: ['sibling not-there', 'origin answered'] },
      `${status}`,
    );
  assert.equal((await asked([sibling, origin], [404])).status, 404);
  assert.equal((await asked([sibling], [503])).status, 503);
});

test('a client whose content fails takes no peer down', async () => {
  const content = new Readable({ read: () => undefined });
  const told: string[] = [];
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
        outcome: (route, result) => told.push(`${route.to} ${result}`),
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
  assert.deepEqual(told, []);
});

test('a route that is given up before its answer begins is broken off, and the next one tried', async () => {
  const parent: Route = { to: 'parent', host: 'parent', port: 1, because: 'only-parent' };
  const told: string[] = [];
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
        outcome: (one, result) => told.push(`${one.to} ${result}`),
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
  assert.deepEqual(told, ['origin answered'], 'who gave it up knows why');
  assert.equal(ended, 1);
});
