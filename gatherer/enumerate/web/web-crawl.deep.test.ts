import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Fetch, type FetchRequest, fetchErrors } from '../../../fetch/index.ts';
import { failure, isGarnerError } from '../../../kernel/index.ts';
import type { Enumerated, Remembered } from '../enumerator.ts';
import { enumerationErrors } from '../errors.ts';
import { WebEnumerator, type WebEnumeratorOptions } from './web-enumerator.ts';

const origin = 'http://site.test';
const at = (path: string) => `${origin}${path}`;
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

type Answer = { readonly status: number; readonly body?: string; readonly location?: string };

/** `Fetch` over a table in memory: bodies are links, one per line; ETags are their MD5. */
function fetchFrom(
  answer: (path: string, request: FetchRequest) => Answer | Promise<Answer>,
  etags = true,
): { fetch: Fetch; bodies: string[]; asked: string[] } {
  const bodies: string[] = [];
  const asked: string[] = [];
  const fetch: Fetch = async (request) => {
    const path = request.url.slice(origin.length);
    asked.push(path);
    const { status, body = '', location } = await answer(path, request);
    request.signal?.throwIfAborted();
    const etag = etags && status === 200 ? `"${md5(body)}"` : undefined;
    const notModified = etag !== undefined && request.etag === etag;
    return {
      url: request.url,
      redirects: [],
      status: notModified ? 304 : status,
      headers: {},
      notModified,
      etag,
      lastModified: undefined,
      contentType: undefined,
      location: location === undefined ? undefined : at(location),
      body: (async function* () {
        if (!notModified) bodies.push(path);
        yield new TextEncoder().encode(body);
      })(),
      wireBytes: 0,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  };
  return { fetch, bodies, asked };
}

const enumeratorOver = (fetch: Fetch, options: Partial<WebEnumeratorOptions> = {}) =>
  new WebEnumerator({
    root: at('/'),
    fetch,
    sitemaps: false,
    factsOf: async ({ bytes }) => ({ links: new TextDecoder().decode(bytes).split('\n'), kept: true }),
    ...options,
  });

/** The rows and summaries of a Gatherer after these items. */
class Holdings {
  readonly stored = new Map<string, string>();
  readonly rows = new Map<string, Remembered>();

  async apply(items: AsyncIterable<Enumerated>): Promise<void> {
    for await (const item of items) {
      if (item.kind === 'document') this.stored.set(item.url, item.document.md5 ?? '');
      else if (item.kind === 'unchanged')
        assert.equal(this.stored.get(item.url), item.remember.md5, `unchanged ${item.url} was never stored`);
      else if (item.kind !== 'failed') this.stored.delete(item.url);
      if (item.remember) this.rows.set(item.url, item.remember);
      else if (item.kind !== 'failed') this.rows.delete(item.url);
    }
  }

  readonly memory = {
    recall: (url: string) => {
      const row = this.rows.get(url);
      // As in a real store: a row without its summary does not count.
      const vouched = this.stored.has(url) || row?.canonicalUrl !== undefined;
      return Promise.resolve(vouched ? row : undefined);
    },
    known: async function* (this: { keys: () => string[] }) {
      yield* this.keys();
    }.bind({ keys: () => [...this.stored.keys()] }),
  };
}

const paths = ['/', '/index.html', '/d/', '/d/index.html', '/p', '/q'];

type State = ReadonlyMap<string, Answer>;

/**
 * URLs that links lead to from the root, through pages and redirects. An index page that was a double leads to its
 * folder as well.
 */
function reachable(state: State, doubles: ReadonlySet<string>): Set<string> {
  const met = new Set<string>();
  const queue = ['/'];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (met.has(path)) continue;
    met.add(path);
    const page = state.get(path);
    if (page?.location) queue.push(page.location);
    else if (page?.status === 200) {
      queue.push(...(page.body ?? '').split('\n').filter(Boolean));
      if (doubles.has(path)) queue.push(path.slice(0, -'index.html'.length));
    }
  }
  return met;
}

/**
 * The pages that should be stored, by definition: every met page, index pages only where they differ from their folder.
 */
function expected(state: State, met: ReadonlySet<string>): Map<string, string> {
  const live = (path: string) =>
    met.has(path) && state.get(path)?.status === 200 ? state.get(path) : undefined;
  const wanted = [...met].filter((path) => {
    const page = live(path);
    const folder = path.endsWith('index.html') ? live(path.slice(0, -'index.html'.length)) : undefined;
    return page && page.body !== folder?.body;
  });
  return new Map(wanted.sort().map((path) => [at(path), md5(state.get(path)?.body ?? '')]));
}

/** The contents of pages; of the empty ones, which are not equal to each other, the addresses. */
function onceEach(pages: ReadonlyMap<string, string>): readonly string[] {
  const isEmpty = (content: string) => content === md5('');
  return [...pages].map(([url, content]) => (isEmpty(content) ? url : content)).sort();
}

test('after any sequence of sites the right pages are stored, and no unchanged page is read twice', async () => {
  const links = fc.subarray(paths).map((chosen) => chosen.join('\n'));
  const bodies = fc.tuple(links, links, links);
  const pick = fc.record({
    kind: fc.constantFrom('page', 'page', 'page', 'page', 'missing', 'moved'),
    variant: fc.integer({ min: 0, max: 2 }),
    to: fc.constantFrom('/', '/d/'),
  });
  const stateOf = fc.tuple(bodies, fc.tuple(...paths.map(() => pick))).map(
    ([variants, picks]): State =>
      new Map(
        paths.map((path, index): [string, Answer] => {
          const { kind, variant, to } = picks[index] as (typeof picks)[number];
          // The root stays a page, so that there is something to gather; targets of redirects do not redirect.
          const fixed = path === '/' || (path === '/d/' && kind === 'moved');
          if (kind === 'page' || fixed) return [path, { status: 200, body: variants[variant] ?? '' }];
          return [path, kind === 'missing' ? { status: 404 } : { status: 302, location: to }];
        }),
      ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(stateOf, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 4 }),
      async (states, etags, concurrency) => {
        const holdings = new Holdings();
        for (const state of states) {
          const before = [...holdings.stored.keys()].map((url) => url.slice(origin.length));
          const rows = [...holdings.rows].filter(([url, row]) => url === `${row.canonicalUrl}index.html`);
          const doubles = new Set(rows.map(([url]) => url.slice(origin.length)));
          const { fetch } = fetchFrom((path) => state.get(path) ?? { status: 404 }, etags);
          const enumerator = enumeratorOver(fetch, { concurrency });
          await holdings.apply(enumerator.enumerate(holdings.memory));
          // A stored page without links to it is requested too; of its links, only the target of a redirect is met.
          const met = reachable(state, doubles);
          for (let path of before)
            while (!met.has(path)) {
              met.add(path);
              path = state.get(path)?.location ?? path;
            }
          const wanted = expected(state, met);
          for (const [url, content] of holdings.stored) assert.equal(wanted.get(url), content);
          // Each content is one object, under one of its addresses.
          assert.deepEqual(onceEach(holdings.stored), [...new Set(onceEach(wanted))]);
          if (!etags) continue;
          const again = fetchFrom((path) => state.get(path) ?? { status: 404 });
          const stored = [...holdings.stored];
          await holdings.apply(enumeratorOver(again.fetch).enumerate(holdings.memory));
          assert.deepEqual(again.bodies, []);
          assert.deepEqual([...holdings.stored], stored);
        }
      },
    ),
    { numRuns: 400 },
  );
});

test('a failing page keeps its summary, and its links are still requested', async () => {
  const pages: Record<string, Answer> = {
    '/': { status: 200, body: '/a\n/index.html' },
    '/a': { status: 200, body: '/b' },
    '/b': { status: 200, body: '' },
    '/index.html': { status: 200, body: '/a\n/index.html' },
  };
  const holdings = new Holdings();
  const run = () =>
    holdings.apply(
      enumeratorOver(fetchFrom((path) => pages[path] ?? { status: 404 }).fetch).enumerate({
        recall: holdings.memory.recall,
      }),
    );
  await run();
  const before = [...holdings.stored.keys()];
  assert.deepEqual(before, ['/', '/a', '/b'].map(at));
  pages['/a'] = { status: 500 };
  delete pages['/b'];
  await run();
  assert.deepEqual([...holdings.stored.keys()], ['/', '/a'].map(at));
  // The folder fails: its index page stays a double.
  pages['/'] = { status: 500 };
  await assert.rejects(run(), (error) => isGarnerError(error, enumerationErrors.GATHERER_ROOT_STATUS));
  assert.deepEqual([...holdings.stored.keys()], ['/', '/a'].map(at));
  pages['/a'] = { status: 200, body: '/b' };
  await run();
  assert.deepEqual([...holdings.stored.keys()], ['/', '/a'].map(at));
});

test('the order is that of one request at a time, however the answers arrive', async () => {
  const tree = (path: string): Answer => ({
    status: 200,
    body: path.length < 5 ? ['1', '2', '3'].map((end) => path + end).join('\n') : '',
  });
  const order = async (concurrency: number, seed: number) => {
    let turn = seed;
    const { fetch } = fetchFrom(async (path) => {
      turn = (turn * 7919) % 104_729;
      for (let wait = turn % 13; wait > 0; wait -= 1) await new Promise((resolve) => setImmediate(resolve));
      return tree(path);
    });
    const reported: string[] = [];
    for await (const item of enumeratorOver(fetch, { concurrency, frontierUrls: 6 }).enumerate({
      recall: () => Promise.resolve(undefined),
    }))
      reported.push(`${item.depth} ${item.url}`);
    return reported;
  };
  const one = await order(1, 1);
  assert.equal(one.length, 1 + 3 + 9 + 27 + 81);
  for (const seed of [2, 3, 5]) assert.deepEqual(await order(8, seed), one);
});

test('a caller that takes nothing stops the reading; leaving early ends it', async () => {
  const all = Array.from({ length: 1000 }, (_, index) => `/p${index}`).join('\n');
  const { fetch, asked } = fetchFrom((path) => ({ status: 200, body: path === '/' ? all : '' }));
  const items = enumeratorOver(fetch, { concurrency: 3 }).enumerate({ recall: async () => undefined });
  const iterator = items[Symbol.asyncIterator]();
  for (let taken = 0; taken < 5; taken += 1) await iterator.next();
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(asked.length <= 5 + 3 * 4, `${asked.length} URLs were asked for`);
  await iterator.return?.();
  const after = asked.length;
  for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(asked.length, after);
});

test('a signal ends the run with its reason, wherever it is', async () => {
  for (const when of [0, 1, 7]) {
    const stop = new AbortController();
    const { fetch } = fetchFrom((path, request) => {
      if (path !== `/${'x'.repeat(when)}`) return { status: 200, body: `${path}x` };
      setImmediate(() => stop.abort(new Error('called off')));
      return new Promise((_, reject) =>
        request.signal?.addEventListener('abort', () => reject(request.signal?.reason)),
      );
    });
    const items = enumeratorOver(fetch).enumerate({ recall: async () => undefined }, stop.signal);
    await assert.rejects(async () => {
      for await (const item of items) assert.notEqual(item.kind, 'failed');
    }, /called off/);
  }
});

test('a site that stops answering ends the run instead of a request for every page', async () => {
  const all = Array.from({ length: 1000 }, (_, index) => `/p${index}`).join('\n');
  let up = 10;
  const { fetch, asked } = fetchFrom((path) => {
    up -= 1;
    if (up < 0) throw failure(fetchErrors.FETCH_UNREACHABLE, { url: at(path), why: 'ECONNREFUSED' });
    return { status: 200, body: path === '/' ? all : '' };
  });
  const silent = (error: unknown) => isGarnerError(error, enumerationErrors.GATHERER_SITE_SILENT);
  const withUnreachable = (error: unknown) => isGarnerError(error, fetchErrors.FETCH_UNREACHABLE);
  const reported: string[] = [];
  const memory = { recall: async () => undefined };
  await assert.rejects(async () => {
    for await (const item of enumeratorOver(fetch).enumerate(memory)) reported.push(item.kind);
  }, silent);
  assert.equal(reported.filter((kind) => kind === 'document').length, 10);
  assert.ok(asked.length < 60, `${asked.length}`);
  await assert.rejects(async () => {
    for await (const item of enumeratorOver(fetch).enumerate(memory)) reported.push(item.kind);
  }, withUnreachable);
});

test('a body that breaks off is requested again', async () => {
  let broken = 2;
  const { fetch } = fetchFrom((path) => ({ status: 200, body: path }));
  const breaking: Fetch = async (request) => {
    const response = await fetch(request);
    broken -= 1;
    if (broken < 0) return response;
    const error = failure(fetchErrors.FETCH_INTERRUPTED, { url: request.url, why: 'ECONNRESET' });
    return { ...response, body: { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) } };
  };
  const run = async () => {
    const kinds: string[] = [];
    for await (const item of enumeratorOver(breaking).enumerate({ recall: async () => undefined }))
      kinds.push(item.kind);
    return kinds;
  };
  assert.deepEqual(await run(), ['document']);
  broken = 3;
  await assert.rejects(run(), (error) => isGarnerError(error, fetchErrors.FETCH_INTERRUPTED));
});
