import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fetchErrors } from '../../../fetch/index.ts';
import { failure, type GarnerError, isGarnerError } from '../../../kernel/index.ts';
import { gathererErrors } from '../../errors.ts';
import type { Enumerated, EnumerationMemory, Enumerator } from '../enumerator.ts';
import { isProviderFault } from '../web/site-failure.ts';
import { everyRoot, rootedAt } from './every-root.ts';

const unreadable = failure(gathererErrors.GATHERER_UNREADABLE, { path: '/x', reason: 'EIO' });

/** The items of a root, as `kind path` or `skipped path rule`; a limit ends in `!`. */
function root(name: string, lines: readonly string[], prefix = '/', error?: GarnerError): Enumerator {
  const items = lines.map((line): Enumerated => {
    const [kind = '', url = '', ...rule] = line.split(' ');
    const limit = line.endsWith('!') ? { limit: true as const } : {};
    if (kind === 'skipped') return { url, depth: 1, kind, rule: rule.join(' '), ...limit };
    if (kind === 'failed') return { url, depth: 0, kind, error: unreadable, whole: true };
    return { url, depth: 1, kind: 'unchanged', remember: {} };
  });
  return rootedAt(name, {
    async *enumerate() {
      yield* items;
      if (error !== undefined) throw error;
    },
    decide: () => assert.fail('nothing is read to decide about what is left out'),
    covers: (url) => url.startsWith(prefix),
  });
}

async function reported(...roots: readonly Enumerator[]): Promise<string[]> {
  const lines: string[] = [];
  for await (const item of everyRoot(roots, { recall: async () => undefined }))
    lines.push(`${item.kind} ${item.url}${item.kind === 'skipped' ? ` ${item.rule}` : ''}`);
  return lines;
}

test('a URL that one root leaves out and another yields is not left out, in either order', async () => {
  const strict = root('strict', ['unchanged /a', 'skipped /b filter']);
  const other = root('other', ['unchanged /b', 'skipped /a filter']);
  assert.deepEqual(await reported(strict, other), ['unchanged /a', 'unchanged /b']);
  assert.deepEqual(await reported(other, strict), ['unchanged /b', 'unchanged /a']);
});

test('a URL that no root yields is left out, reported once by the rule with priority', async () => {
  const strict = root('strict', ['skipped /a filter', 'skipped /b filter', 'skipped /c filter']);
  const limited = root('limited', ['skipped /b most!', 'skipped /c other', 'unchanged /d']);
  assert.deepEqual(await reported(strict, limited), [
    'unchanged /d',
    'skipped /a filter',
    'skipped /b most!',
    'skipped /c filter',
  ]);
});

test('a URL that no other root covers is left out at once, and so is every URL of a single root', async () => {
  const one = root('one', ['skipped /one/a filter', 'unchanged /one/b'], '/one/');
  const two = root('two', ['skipped /two/a filter'], '/two/');
  assert.deepEqual(await reported(one, two), [
    'skipped /one/a filter',
    'unchanged /one/b',
    'skipped /two/a filter',
  ]);
  assert.deepEqual(await reported(one), ['skipped /one/a filter', 'unchanged /one/b']);
});

test('nothing is deleted that an unreadable root may hold', async () => {
  const strict = root('strict', ['skipped /a filter', 'skipped /lost/b filter']);
  for (const lost of [root('lost', [], '/lost/', unreadable), root('lost', ['failed /lost/'], '/lost/')])
    assert.deepEqual(
      (await reported(strict, lost)).filter((line) => line.startsWith('skipped')),
      ['skipped /a filter'],
    );
});

test('when no root can be read each is named with its reason, and the first decides the exit code', async () => {
  const refused = failure(fetchErrors.FETCH_REFUSED, { address: '127.0.0.1:1\nb' });
  const lost = [
    root('ftp://h:1/pub/', [], '/', refused),
    root(
      'file:///nope',
      [],
      '/',
      failure(gathererErrors.GATHERER_UNREADABLE, { path: '/nope', reason: 'ENOENT' }),
    ),
  ];
  await assert.rejects(reported(...lost), (error) => {
    assert.ok(isGarnerError(error, gathererErrors.GATHERER_ROOTS) && isProviderFault(error));
    assert.deepEqual([error.exit, error.cause], [refused.exit, refused]);
    assert.deepEqual(error.message.split('\n'), [
      'none of the 2 roots could be read:',
      'ftp://h:1/pub/: No server listens at 127.0.0.1:1 b.',
      'file:///nope: ENOENT',
    ]);
    return true;
  });
  await assert.rejects(reported(...[...lost].reverse()), { exit: 3 });
  const [one] = lost;
  await assert.rejects(reported(...(one === undefined ? [] : [one])), refused);
  const many = Array.from({ length: 30 }, (_, n) => root(`http://u:p@h${n}/`, [], '/', refused));
  await assert.rejects(reported(...many), (error) => {
    const lines = (error as Error).message.split('\n');
    return (
      lines.length === 22 && lines.at(-1) === 'and 10 more' && lines[1]?.startsWith('http://h0/: ') === true
    );
  });
});

test('URLs beyond the memory limit are counted, and none of them is deleted', async () => {
  const many = Array.from({ length: 100_003 }, (_, n) => `skipped /${n} filter`);
  const lines = await reported(root('strict', many), root('other', ['unchanged /100001']));
  assert.equal(lines.length, 100_002);
  assert.equal(lines.at(-1), 'skipped strict#left-out 3 more URLs that one of several roots leaves out');
});

/** A root that keeps URLs without yielding them where possible. */
function keeping(name: string, prefix: string, paths: readonly string[]): Enumerator {
  return rootedAt(name, {
    async *enumerate(memory) {
      await using ordered = memory.inOrder?.(prefix);
      for (const url of paths)
        if (ordered?.keep(url, {}) !== true) yield { url, depth: 1, kind: 'unchanged', remember: {} };
    },
    decide: () => assert.fail('nothing is read to decide about what is left out'),
    covers: (url) => url.startsWith(prefix),
    urlPrefix: prefix,
  });
}

test('a URL that a root keeps without yielding it is not left out by another, in either order', async () => {
  const kept: string[] = [];
  const memory: EnumerationMemory = {
    recall: async () => undefined,
    inOrder: () => ({
      recall: () => undefined,
      keep: (url) => {
        if (url.endsWith('/known')) return false;
        kept.push(url);
        return true;
      },
      leaveOut: () => undefined,
      [Symbol.asyncDispose]: async () => {},
    }),
  };
  const strict = root('strict', ['skipped /in/a filter', 'skipped /in/b filter', 'skipped /in/known filter']);
  const inner = keeping('inner', '/in/', ['/in/a', '/in/known']);
  const beside = keeping('beside', '/beside/', ['/beside/a']);
  for (const roots of [
    [strict, inner, beside],
    [beside, inner, strict],
  ]) {
    kept.length = 0;
    const lines: string[] = [];
    for await (const item of everyRoot(roots, memory)) lines.push(`${item.kind} ${item.url}`);
    assert.deepEqual(lines, ['unchanged /in/known', 'skipped /in/b']);
    assert.deepEqual(kept.sort(), ['/beside/a', '/in/a']);
  }
});

test('roots with a URL prefix give the same items as roots with only covers', async () => {
  const path = fc
    .array(fc.constantFrom('a', 'b', '/'), { minLength: 1, maxLength: 5 })
    .map((all) => `http://h/${all.join('')}`);
  const lines = fc.array(fc.tuple(fc.constantFrom('unchanged', 'skipped'), path));
  const roots = fc.array(fc.tuple(path, lines), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(roots, async (all) => {
      const asked = all.map(([at, paths]) => {
        const prefix = at.endsWith('/') ? at : `${at}/`;
        const own = new Map(paths.map(([kind, url]) => [url.replace('http://h/', prefix), kind]));
        const reported = [...own].map(([url, kind]) =>
          kind === 'skipped' ? `skipped ${url} filter` : `${kind} ${url}`,
        );
        return { prefix, enumerator: root(prefix, reported, prefix) };
      });
      const known = asked.map(({ prefix, enumerator }) => ({ ...enumerator, urlPrefix: prefix }));
      assert.deepEqual(
        await reported(...known),
        await reported(...asked.map(({ enumerator }) => enumerator)),
      );
    }),
  );
});
