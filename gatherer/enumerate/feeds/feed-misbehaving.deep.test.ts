import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchRequest } from '../../../fetch/index.ts';
import { readFeed } from '../../../readers/feeds/index.ts';
import { brief, openPages, type Page, RunMemory } from '../../testing/run-memory.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { FeedEnumerator } from './feed-enumerator.ts';

const ruleFor = (url: string, more: object = {}) => new ScopeRule(parseRootNode({ url, ...more }, 'root'));

const feedOf = (more: string, ...links: string[]): Page => ({
  body: `<feed>${more}${links.map((link) => `<entry><link href="${link}"/></entry>`).join('')}</feed>`,
});

test('a document that an entry leads to by a redirect stays when the entry falls out of the feed', async () => {
  await using site = await openPages({
    '/feed': feedOf('', '/?p=1', '/2'),
    '/?p=1': { status: 301, headers: { location: '/posts/1' } },
    '/posts/1': { body: 'one' },
    '/2': { body: 'two' },
  });
  const runs = new RunMemory();
  const rule = ruleFor(`${site.root}/feed`);
  const run = async () => brief(await runs.run(new FeedEnumerator({ ...site, rule })), site.root).sort();
  assert.deepEqual(await run(), ['document /2', 'document /posts/1', 'redirected /?p=1']);
  site.pages['/feed'] = feedOf('', '/2');
  assert.deepEqual(await run(), ['unchanged /2', 'unchanged /posts/1']);
  delete site.pages['/posts/1'];
  assert.deepEqual(await run(), ['gone /posts/1', 'unchanged /2']);
});

test('a feed that has moved names the same documents and pages, read or not', async () => {
  await using other = await openPages({ '/blog/2.xml': feedOf('', 'b') });
  Object.assign(other.pages, { '/blog/a': { body: 'a' }, '/blog/b': { body: 'b' } });
  other.pages['/blog/1.xml'] = feedOf('<link rel="next" href="2.xml"/>', 'a');
  const moved = { status: 301, headers: { location: `${other.root}/blog/1.xml` } };
  await using site = await openPages({ '/feed': moved }, [other.root]);
  const runs = new RunMemory();
  const rule = ruleFor(`${site.root}/feed`);
  const run = async () => brief(await runs.run(new FeedEnumerator({ ...site, rule })), other.root);
  assert.deepEqual(await run(), ['document /blog/a', 'document /blog/b']);
  assert.deepEqual(await run(), ['unchanged /blog/a', 'unchanged /blog/b']);
});

test('extremely nested elements are no feed, whatever surrounds them', () => {
  const entry = '<entry><link href="/a"/></entry>';
  const wrapped = (depth: number) =>
    readFeed(Buffer.from(`<feed>${entry}${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}${entry}</feed>`));
  assert.equal(wrapped(4000)?.entries.length, 2);
  assert.equal(wrapped(30_000), undefined);
});

test('the pages of a feed are requested with the delay of the root', async () => {
  await using site = await openPages({
    '/1': feedOf('<link rel="next" href="/2"/>', '/a'),
    '/2': feedOf('', '/a'),
    '/a': { body: 'a' },
  });
  const delays: [string, number | undefined][] = [];
  const fetch = (request: FetchRequest) => {
    delays.push([request.url.slice(site.root.length), request.minDelayMs]);
    // Nothing waits for it here.
    return site.fetch({ ...request, minDelayMs: 0 });
  };
  await new RunMemory().run(new FeedEnumerator({ fetch, rule: ruleFor(`${site.root}/1`, { delay: '2s' }) }));
  assert.deepEqual(
    delays.sort(),
    ['/1', '/2', '/a'].map((path) => [path, 2000]),
  );
});

test('why names the line of robots.txt that keeps an entry out, and distinguishes the feed from its entries', async () => {
  await using site = await openPages({ '/robots.txt': { body: 'User-agent: *\nDisallow: /no/' } });
  const feed = new FeedEnumerator({ ...site, rule: ruleFor(`${site.root}/feed`) });
  const verdict = async (path: string) => {
    const { included, rule } = await feed.decide(site.root + path);
    return `${included}: ${rule.replaceAll(site.root, '')}`;
  };
  assert.match(await verdict('/no/a'), /^false: robots.txt line 2: Disallow: \/no\//);
  assert.match(await verdict('/a'), /^true: .*robots\.txt.*only if an entry of \/feed leads there/);
  assert.match(await verdict('/feed'), /^false: it is the feed itself/);
});
