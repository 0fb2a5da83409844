import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { HttpClient } from '../../../fetch/index.ts';
import { RunMemory } from '../../testing/run-memory.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { WebEnumerator } from './web-enumerator.ts';

/** Two names of this machine whose pages link to the paths or URLs given. */
async function openHosts(pages: Record<string, readonly string[]>) {
  const server = createServer(({ headers, url }, response) => {
    const links = pages[`${headers.host?.split(':')[0]}${url}`] ?? pages[url ?? ''];
    response
      .writeHead(links ? 200 : 404, { 'content-type': 'text/html' })
      .end(JSON.stringify([url, ...(links ?? [])]));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const hosts = ['a', 'b', 'c'].map((name) => `http://${name}.test:${port}`);
  const http = new HttpClient({
    ...{ userAgent: 't', allowHosts: hosts, retries: 0, delayMs: 0 },
    lookup: (_name, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
  });
  const run = async (more: object, runs = new RunMemory()) => {
    const root = `${hosts[0]}/`;
    const rule = new ScopeRule(parseRootNode({ url: root, ...more }, 'r'), {
      resolve: async () => ['10.9.8.7'],
    });
    const enumerator = new WebEnumerator({
      ...{ root, rule, fetch: http.fetch, sitemaps: false, concurrency: 1 },
      factsOf: async ({ bytes }) => ({
        links: (JSON.parse(Buffer.from(bytes).toString()) as string[]).slice(1),
        kept: true,
      }),
    });
    const reported = await runs.run(enumerator);
    return reported.map((item) => {
      const { host, pathname } = new URL(item.url);
      return `${item.kind} ${host[0]}${pathname}${item.kind === 'skipped' ? `: ${item.rule}` : ''}`;
    });
  };
  return {
    port,
    run,
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a web site with the options of a RootNode: hosts, filters, limits, order', async () => {
  const pages: Record<string, string[]> = {};
  await using site = await openHosts(pages);
  const at = (host: string, path: string) => `http://${host}.test:${site.port}${path}`;
  Object.assign(pages, {
    'a.test/': ['/1', '/2', at('b', '/'), at('c', '/'), '/x.gif'],
    'b.test/': [at('a', '/3'), '/4'],
    ...{ '/1': ['/5'], '/2': [], '/3': [], '/4': [], '/5': [] },
  });
  assert.deepEqual(await site.run({}), [
    'document a/',
    'document a/1',
    'document a/2',
    'gone a/x.gif',
    'document a/5',
  ]);
  const filtered = await site.run({
    'host-max': 2,
    'url-filter': [{ deny: '\\.gif$' }],
    'host-filter': [{ deny: '^c\\.' }],
  });
  assert.deepEqual(filtered.sort(), [
    ...[
      'document a/',
      'document a/1',
      'document a/2',
      'document a/3',
      'document a/5',
      'document b/',
      'document b/4',
    ],
    'skipped a/x.gif: url-filter 1: deny \\.gif$',
  ]);
  const counted = await site.run({ 'host-max': 2 });
  assert.ok(counted.includes('skipped c/: no more than 2 hosts (host-max)'), counted.join());
  const byAddress = await site.run({ 'host-max': 9, 'host-filter': [{ deny: '^10\\.9\\.' }] });
  assert.ok(byAddress.includes('skipped b/: host-filter 1: deny ^10\\.9\\.'), byAddress.join());
  const limited = await site.run({ 'url-max': 2 });
  assert.ok(limited.includes('skipped a/2: no more than 2 URLs (url-max)'), limited.join());
  const deep = (await site.run({ search: 'depth' })).filter((line) => line.startsWith('document'));
  assert.deepEqual(deep, ['document a/', 'document a/1', 'document a/5', 'document a/2']);
  // URLs of another root are not yielded.
  const runs = new RunMemory();
  runs.rows.set('http://other.test/', { md5: 'x' });
  assert.ok(!(await site.run({}, runs)).some((line) => line.includes(' o/')));
});
