import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { parseRootNode } from './root-node.ts';
import { ScopeRule } from './scope-rule.ts';

test('a RootNode with all its options, and with none', () => {
  const root = parseRootNode(
    {
      ...{
        url: 'https://example.org/docs/',
        'url-max': 250,
        'host-max': 3,
        access: 'HTTP|https',
        delay: '500ms',
        depth: 4,
      },
      ...{
        'url-filter': [{ deny: '^/cgi-bin/' }, { allow: '' }],
        'host-filter': [{ allow: '\\.example\\.org:443$' }],
      },
      ...{ search: 'depth', enumeration: ['/usr/bin/find-urls', '-v'], credentials: 'intranet' },
    },
    'gatherer.roots[0]',
  );
  assert.deepEqual(
    [root.urlMax, root.hostMax, root.delaySeconds, root.depth, root.search],
    [250, 3, 0.5, 4, 'depth'],
  );
  assert.deepEqual(
    [root.access, root.enumeration, root.credentials],
    [['http', 'https'], ['/usr/bin/find-urls', '-v'], 'intranet'],
  );
  assert.deepEqual(parseRootNode('ftp://h/', 'x'), {
    ...{
      url: 'ftp://h/',
      kind: 'ftp',
      urlFilter: [],
      hostMax: 1,
      hostFilter: [],
      access: ['ftp'],
      search: 'breadth',
    },
  });
});

test('the scheme of a root decides its kind', () => {
  const kind = (value: unknown) => {
    const root = parseRootNode(value, 'r');
    return `${root.kind} ${root.url}`;
  };
  assert.equal(kind('feed:https://h/x'), 'feed https://h/x');
  assert.equal(kind('feed://h/x'), 'feed http://h/x');
  assert.equal(kind('nntp://h/comp.*'), 'news nntp://h/comp.*');
  assert.equal(
    kind({ url: 'git:/srv/r.git', revision: 'v1', 'base-url': 'https://h/r' }),
    'git git:/srv/r.git',
  );
  assert.equal(parseRootNode({ url: 'git:/r', 'base-url': 'https://h/r' }, 'r').baseUrl, 'https://h/r/');
  const program = parseRootNode('program:/usr/bin/urls', 'r');
  assert.deepEqual([program.hostMax, program.access.includes('https')], [Number.POSITIVE_INFINITY, true]);
});

test('a fault is named with its key and its cure', () => {
  const url = 'http://h/';
  const cases: [unknown, string][] = [
    [7, 'r:'],
    [{}, 'r.url'],
    [{ url: 'x' }, 'r.url'],
    ['http://u:secret@h/', 'r.url'],
    ['javascript:x', 'r.url'],
    [{ url, 'url-max': 0 }, 'r.url-max'],
    [{ url, 'url-max': '250' }, 'r.url-max'],
    [{ url, depht: 3 }, 'r.depht'],
    [{ url, 'url-filter': ['x'] }, 'r.url-filter[0]'],
    [{ url, 'url-filter': [{ allow: 'x' }, { deny: '(' }] }, 'r.url-filter[1]'],
    [{ url, 'host-filter': { allow: 'x' } }, 'r.host-filter'],
    [{ url, access: ['telnet'] }, 'r.access'],
    [{ url, delay: 'soon' }, 'r.delay'],
    [{ url, search: 'random' }, 'r.search'],
    [{ url, 'base-url': 'x' }, 'r.base-url'],
    [{ url, revision: 7 }, 'r.revision'],
    ['feed:ftp://h/', 'r.url'],
    [{ url, enumeration: [] }, 'r.enumeration'],
    [{ url, credentials: 7 }, 'r.credentials'],
  ];
  for (const [value, key] of cases)
    assert.throws(
      () => parseRootNode(value, 'r'),
      (error) => {
        assert.ok(isGarnerError(error) && error.code === 'GATHERER_ROOT_NODE', String(error));
        assert.ok(error.message.startsWith(key), error.message);
        assert.ok(error.hint.length > 10 && !error.message.includes('secret'));
        return true;
      },
    );
});

const ruleOf = (options: object, resolve?: (host: string) => Promise<readonly string[]>) =>
  new ScopeRule(parseRootNode({ url: 'http://example.org/', ...options }, 'r'), resolve ? { resolve } : {});

test('URL filters in order on path and query, the first that matches decides', async () => {
  const rule = ruleOf({
    'url-filter': [{ allow: '^/cgi-bin/help' }, { deny: '^/cgi-bin/' }, { deny: '\\?' }],
  });
  const why = async (path: string) => {
    const { included, rule: name } = await rule.verdict(`http://example.org${path}`);
    return `${included} ${name}`;
  };
  assert.equal(await why('/cgi-bin/help?x'), 'true url-filter 1: allow ^/cgi-bin/help');
  assert.equal(await why('/cgi-bin/x'), 'false url-filter 2: deny ^/cgi-bin/');
  assert.equal(await why('/a?b'), 'false url-filter 3: deny \\?');
  assert.equal(await why('/a'), 'true no url-filter matches');
});

test('hosts by name and port, by address, and a max of hosts', async () => {
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return host === 'near.example.org' ? ['128.196.1.2'] : ['192.0.2.1', '2001:db8::1'];
  };
  const rule = ruleOf(
    {
      'host-max': 2,
      access: ['http', 'ftp'],
      'host-filter': [{ deny: '^secret\\.' }, { allow: '^128\\.196\\.' }, { deny: '' }],
    },
    resolve,
  );
  const verdict = async (url: string) => (await rule.verdict(url)).rule;
  assert.match(await verdict('http://secret.example.org/'), /^host-filter 1: deny/);
  assert.match(await verdict('http://far.example.org/'), /^host-filter 3: deny/);
  assert.equal(await verdict('ftp://near.example.org/x'), 'no url-filter');
  assert.equal(await verdict('http://example.org:8080/'), 'no url-filter');
  assert.match(await verdict('https://example.org/'), /^access: only http, ftp/);
  assert.match(await verdict('http://128.196.9.9/'), /^no url-filter/);
  // By spelling alone, its address may still allow a host; a refused name is refused.
  assert.equal(rule.spelled('http://far.example.org/').included, true);
  assert.equal(rule.spelled('http://secret.example.org/').included, false);
  await verdict('http://near.example.org/again');
  assert.equal(asked.filter((host) => host === 'near.example.org').length, 1);
  const run = ruleOf({ 'host-max': 2, 'url-max': 3, depth: 1 }).begin();
  assert.equal(await run.admit('http://example.org/1', 0), undefined);
  assert.equal(await run.admit('http://b.org/1', 1), undefined);
  assert.deepEqual(await run.admit('http://c.org/1', 1), {
    rule: 'no more than 2 hosts (host-max)',
    limit: true,
  });
  assert.equal((await run.admit('http://b.org/2', 2))?.limit, true);
  assert.equal(await run.admit('http://b.org/2', 1), undefined);
  assert.deepEqual(await run.admit('http://b.org/3', 1), {
    rule: 'no more than 3 URLs (url-max)',
    limit: true,
  });
  assert.match((await ruleOf({}).verdict('http://b.org/')).rule, /^host-max 1: only example\.org/);
});
