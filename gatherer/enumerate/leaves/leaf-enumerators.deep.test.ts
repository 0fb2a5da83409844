import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Fetch, fetchErrors } from '../../../fetch/index.ts';
import { failure, ManualClock } from '../../../kernel/index.ts';
import { hasEnded } from '../../testing/has-ended.ts';
import {
  advanceUntil,
  brief,
  openPages,
  type Page,
  RunMemory,
  scratch,
  textOf,
} from '../../testing/run-memory.ts';
import type { Enumerator } from '../enumerator.ts';
import { FeedEnumerator } from '../feeds/feed-enumerator.ts';
import { ProgramEnumerator, type ProgramEnumeratorOptions } from '../programs/program-enumerator.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { LeafEnumerator } from './leaf-enumerator.ts';

const ruleFor = (url: string, more: object = {}) => new ScopeRule(parseRootNode({ url, ...more }, 'root'));

test('leaf nodes: each once, conditionally, with redirects, robots.txt and deleted documents', async () => {
  await using site = await openPages({
    '/robots.txt': { body: 'User-agent: *\nDisallow: /no/' },
    '/a': { body: 'a' },
    '/moved': { status: 302, headers: { location: '/a2' } },
    '/a2': { body: 'a2' },
    '/circle': { status: 302, headers: { location: '/circle' } },
  });
  const urls = ['/a', '/a#x', '/moved', '/no/x', '/none', '/circle'].map((path) => site.root + path);
  const leaves = new LeafEnumerator([...urls, 'nonsense', 'http://u:p@h/'], site);
  const runs = new RunMemory();
  assert.deepEqual(brief(await runs.run(leaves), site.root).sort(), [
    ...['document /a', 'document /a2', 'failed /circle', 'gone /none', 'redirected /moved', 'skipped /no/x'],
    ...['skipped http://h/', 'skipped nonsense'],
  ]);
  site.asked();
  const second = brief(await runs.run(leaves), site.root);
  assert.ok(second.includes('unchanged /a') && second.includes('unchanged /a2'));
  assert.deepEqual(site.asked().sort(), ['302 /circle', '302 /moved', '304 /a', '304 /a2', '404 /none']);
  assert.equal((await leaves.decide(`${site.root}/a`)).included, true);
  assert.equal((await leaves.decide(`${site.root}/no/x`)).included, false);
  assert.equal((await leaves.decide(`${site.root}/b`)).rule, 'it is no leaf node');
});

const rss = (...items: readonly [link: string, date?: string][]) => ({
  body: `<rss><channel>${items
    .map(([link, date]) => `<item><link>${link}</link>${date ? `<pubDate>${date}</pubDate>` : ''}</item>`)
    .join('')}</channel></rss>`,
});

test('a feed: its entries are documents, dates save requests, documents that left it are requested', async () => {
  const date = 'Sat, 07 Sep 2002 09:42:31 GMT';
  await using site = await openPages({ '/1': { body: '1' }, '/2': { body: '2' }, '/3': { body: '3' } });
  const feed = () => new FeedEnumerator({ ...site, rule: ruleFor(`${site.root}/feed`) });
  site.pages['/feed'] = rss(['/1', date], [`${site.root}/2`], ['http://example.org/elsewhere']);
  const runs = new RunMemory();
  const first = await runs.run(feed());
  assert.deepEqual(brief(first, site.root).sort(), [
    'document /1',
    'document /2',
    'skipped http://example.org/elsewhere',
  ]);
  const one = first.find(({ url }) => url.endsWith('/1'));
  assert.ok(one?.kind === 'document' && one.document.lastModified === Date.parse(date) / 1000);
  site.asked();
  const second = brief(await runs.run(feed()), site.root).sort();
  assert.deepEqual(second, ['skipped http://example.org/elsewhere', 'unchanged /1', 'unchanged /2']);
  // The date of one entry is unchanged; the other has none.
  assert.deepEqual(site.asked().sort(), ['304 /2', '304 /feed']);
  site.pages['/feed'] = rss(['/3', date], ['/2', date]);
  site.pages['/2'] = { body: 'two' };
  const third = await runs.run(feed());
  assert.deepEqual(brief(third, site.root).sort(), ['document /2', 'document /3', 'unchanged /1']);
  assert.deepEqual(site.asked().sort(), ['200 /2', '200 /3', '200 /feed', '304 /1']);
  // Documents that left the feed are requested in every later run.
  assert.ok(brief(await runs.run(feed()), site.root).includes('unchanged /1'));
  assert.deepEqual(site.asked().sort(), ['304 /1', '304 /feed']);
  delete site.pages['/1'];
  assert.ok(brief(await runs.run(feed()), site.root).includes('gone /1'));
  site.pages['/feed'] = { body: '<html>' };
  await assert.rejects(runs.run(feed()), { code: 'GATHERER_FEED' });
  assert.ok(runs.rows.has(`${site.root}/3`));
});

test('pages of a feed: followed on the same host, never in a circle, and not beyond the limit', async () => {
  const page = (next: string, link: string): Page => ({
    body: `<feed><link rel="next" href="${next}"/><entry><link href="${link}"/></entry></feed>`,
  });
  await using site = await openPages({ '/1': { body: '1' }, '/2': { body: '2' }, '/3': { body: '3' } });
  Object.assign(site.pages, { '/f1': page('/f2', '/1'), '/f2': page('/f3', '/2'), '/f3': page('/f1', '/3') });
  const rule = ruleFor(`${site.root}/f1`);
  const all = await new RunMemory().run(new FeedEnumerator({ ...site, rule }));
  assert.deepEqual(brief(all, site.root), ['document /1', 'document /2', 'document /3']);
  const cut = await new RunMemory().run(new FeedEnumerator({ ...site, rule, maxPages: 2 }));
  assert.ok(
    cut.some(
      (item) => item.kind === 'skipped' && item.limit && item.rule === 'no more than 2 pages of one feed',
    ),
  );
  site.pages['/f2'] = page('http://example.org/f3', '/2');
  assert.deepEqual(brief(await new RunMemory().run(new FeedEnumerator({ ...site, rule })), site.root), [
    'document /1',
    'document /2',
  ]);
});

/** A program of the operator's, written for the test. */
function programOf(home: { readonly path: string }, script: string): string {
  const path = join(home.path, 'program');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const fetchNothing: Fetch = () => Promise.reject(new Error('nothing is to be fetched'));

test('a program that prints URLs: remarks, bad lines, stamps, limits of the root', async () => {
  await using site = await openPages({ '/a': { body: 'a' }, '/b': { body: 'b' }, '/c': { body: 'c' } });
  using home = scratch('program');
  const lines = [
    ...[
      '# remark',
      '',
      `${site.root}/a`,
      'no url',
      JSON.stringify({ url: `${site.root}/b`, modified: 5, stamp: 'v1' }),
    ],
    ...['http://example.org/x', '{"url":7}', `${site.root}/c`],
  ];
  const command = [
    programOf(home, `cat <<'END'\n${lines.join('\n')}\nEND\nhead -c 200000 /dev/zero | tr '\\0' x`),
  ];
  const options: ProgramEnumeratorOptions = {
    ...site,
    command,
    getsTask: false,
    rule: ruleFor(`${site.root}/`, { 'url-max': 2 }),
  };
  const runs = new RunMemory();
  const reported = await runs.run(new ProgramEnumerator(options));
  assert.deepEqual(brief(reported, site.root).sort(), [
    ...[
      'document /a',
      'document /b',
      'skipped /',
      'skipped /c',
      'skipped http://example.org/x',
      'skipped no url',
    ],
    'skipped {"url":7}',
  ]);
  assert.ok(reported.some((item) => item.kind === 'skipped' && item.url.endsWith('/c') && item.limit));
  site.asked();
  const again = await runs.run(new ProgramEnumerator(options));
  assert.ok(brief(again, site.root).includes('unchanged /b'));
  // Its stamp is unchanged: it is not requested.
  assert.deepEqual(site.asked(), ['304 /a']);
});

test('a program gets the root and its limits, and its failure deletes nothing', async () => {
  await using site = await openPages({ '/a': { body: 'a' } });
  using home = scratch('program');
  const command = [
    programOf(home, `read task\necho "$task" > ${home.path}/task\necho ${site.root}/a\nexit 3`),
  ];
  const rule = ruleFor(`${site.root}/`, { depth: 0, 'url-filter': [{ deny: 'x' }] });
  const runs = new RunMemory();
  runs.rows.set(`${site.root}/old`, { md5: 'x' });
  await assert.rejects(
    runs.run(new ProgramEnumerator({ ...site, command, getsTask: true, rule })),
    (error: Error) => /exit status 3/.test(error.message),
  );
  assert.ok(runs.rows.has(`${site.root}/old`));
  const task = JSON.parse(readFileSync(join(home.path, 'task'), 'utf8')) as Record<string, unknown>;
  assert.deepEqual([task.url, task.depth, task.urlFilter], [`${site.root}/`, 0, [{ deny: 'x' }]]);
});

test('a program that succeeds and prints nothing deletes nothing, unless a remark says that there is nothing', async () => {
  using home = scratch('program');
  const runs = new RunMemory();
  runs.rows.set('http://127.0.0.1/old', { md5: 'x' });
  const run = (script: string) => {
    const command = [programOf(home, script)];
    const rule = ruleFor('http://127.0.0.1/');
    return runs.run(new ProgramEnumerator({ fetch: fetchNothing, command, getsTask: false, rule }));
  };
  await assert.rejects(run('cat /nonexistent/urls | sort'), { code: 'GATHERER_PROGRAM' });
  assert.equal(runs.rows.size, 1);
  assert.deepEqual(await run('echo "# nothing today"'), []);
  assert.equal(runs.rows.size, 0);
});

test('a silent or missing program is given up, with its children', async () => {
  using home = scratch('program');
  const clock = new ManualClock();
  const command = [programOf(home, 'sleep 1000 & echo $! > "$0.pid"; wait')];
  const rule = ruleFor('http://127.0.0.1/');
  const run = (what: readonly string[]) =>
    new RunMemory().run(
      new ProgramEnumerator({ fetch: fetchNothing, command: what, getsTask: false, rule, clock }),
    );
  const late = assert.rejects(run(command), { code: 'GATHERER_PROGRAM' });
  while (!existsSync(`${command[0]}.pid`) || readFileSync(`${command[0]}.pid`, 'utf8') === '')
    await new Promise((resolve) => setImmediate(resolve));
  await advanceUntil(clock, late, 10_000);
  const child = Number(readFileSync(`${command[0]}.pid`, 'utf8'));
  // A killed process may run for a moment more, and its new parent still has to reap it.
  for (let turn = 0; !hasEnded(child) && turn < 100_000; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  assert.ok(hasEnded(child));
  await assert.rejects(run([join(home.path, 'none')]), { code: 'GATHERER_PROGRAM' });
  const stop = new AbortController();
  stop.abort(new Error('enough'));
  await assert.rejects(async () => {
    const enumerator = new ProgramEnumerator({ fetch: fetchNothing, command, getsTask: false, rule, clock });
    for await (const _ of enumerator.enumerate(new RunMemory().memory, stop.signal));
  }, /enough/);
});

test('a slow reader is not the program’s silence', async () => {
  await using site = await openPages({ '/a': { body: 'a' }, '/b': { body: 'b' }, '/c': { body: 'c' } });
  using home = scratch('program');
  const clock = new ManualClock();
  const lines = Array.from({ length: 20_000 }, (_, at) => `${site.root}/${'abc'[at % 3]}#${at}`);
  writeFileSync(join(home.path, 'urls'), lines.join('\n'));
  const command = ['cat', join(home.path, 'urls')];
  const enumerator = new ProgramEnumerator({
    ...site,
    command,
    getsTask: false,
    rule: ruleFor(`${site.root}/`),
    clock,
  });
  const reported: string[] = [];
  for await (const { url } of enumerator.enumerate(new RunMemory().memory)) {
    reported.push(url.slice(site.root.length));
    for (let minute = 0; minute < 10; minute += 1) {
      clock.advance(60_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  assert.deepEqual(reported.sort(), ['/a', '/b', '/c']);
});

test('a host that never answers gets twenty requests, not one for each of its URLs', async () => {
  let asked = 0;
  const fetch: Fetch = async ({ url }) => {
    asked += 1;
    throw failure(fetchErrors.FETCH_REFUSED, { address: url });
  };
  const urls = Array.from({ length: 100 }, (_, at) => `http://down.example.org/${at}`);
  const reported = await new RunMemory().run(new LeafEnumerator(urls, { fetch }));
  assert.equal(reported.filter(({ kind }) => kind === 'failed').length, 100);
  assert.ok(asked >= 20 && asked <= 24, String(asked));
});

test('with a depth, printed URLs are expanded by their enumerators', async () => {
  await using site = await openPages({ '/a': { body: 'a' }, '/b': { body: 'b' } });
  using home = scratch('program');
  const command = [programOf(home, `echo ${site.root}/a; echo ${site.root}/b`)];
  const expanded: string[] = [];
  const rule = ruleFor(`${site.root}/`, { depth: 2 });
  const expand = (url: string, depth: number) => {
    expanded.push(`${depth} ${url.slice(site.root.length)}`);
    return new LeafEnumerator([url], site);
  };
  const reported = await new RunMemory().run(
    new ProgramEnumerator({ ...site, command, getsTask: false, rule, expand }),
  );
  assert.deepEqual(expanded, ['2 /a', '2 /b']);
  assert.equal(textOf(reported, '/b'), 'b');
});

test('with a depth, a printed site that stops answering deletes nothing, whatever was yielded before', async () => {
  using home = scratch('program');
  const command = [programOf(home, 'echo http://a.example/; echo http://b.example/; echo http://c.example/')];
  const rule = ruleFor('http://a.example/', { depth: 2 });
  const error = failure(fetchErrors.FETCH_REFUSED, { address: 'x' });
  const expand = (url: string): Enumerator => ({
    async *enumerate() {
      const bytes = Buffer.from(url);
      yield { url, depth: 0, kind: 'document', document: { url, name: 'x', bytes, md5: url }, remember: {} };
      if (url.includes('b.example')) throw error;
      // Its start page was yielded already.
      if (url.includes('c.example')) yield { url, depth: 0, kind: 'failed', error, whole: true };
    },
    decide: async () => ({ url, included: true, rule: '' }),
  });
  const reported = await new RunMemory().run(
    new ProgramEnumerator({ fetch: fetchNothing, command, getsTask: false, rule, expand }),
  );
  assert.deepEqual(
    reported.map((item) => [item.kind, new URL(item.url).host, item.kind === 'failed' && item.whole]),
    [
      ['document', 'a.example', false],
      ['document', 'b.example', false],
      ['failed', 'b.example', true],
      ['document', 'c.example', false],
      ['failed', 'c.example', true],
    ],
  );
});

test('with a depth, documents behind a page that fails once are requested, and no other root’s pages', async () => {
  using home = scratch('program');
  const command = [programOf(home, 'echo http://a.example/; echo http://b.example/')];
  const error = failure(fetchErrors.FETCH_REFUSED, { address: 'x' });
  const asked: string[] = [];
  const expand = (root: string): Enumerator => ({
    async *enumerate({ known }) {
      const hub = `${root}hub`;
      if (root.includes('a.example')) yield { url: hub, depth: 1, kind: 'failed', error };
      for await (const url of known?.() ?? []) asked.push(url);
    },
    decide: async (url) => ({ url, included: true, rule: '' }),
    covers: (url) => url.startsWith(root),
  });
  const runs = new RunMemory();
  for (const url of ['http://a.example/1', 'http://b.example/1', 'http://other.example/1'])
    runs.rows.set(url, { md5: 'x' });
  const rule = ruleFor('http://a.example/', { depth: 2 });
  await runs.run(new ProgramEnumerator({ fetch: fetchNothing, command, getsTask: false, rule, expand }));
  assert.deepEqual(asked, ['http://a.example/1']);
});
