import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuMs } from '../../../kernel/testing/cpu-time.ts';
import { pageListsOf } from './page-list-signs.ts';

const listsOf = (page: string, html: string, contentType: string | undefined = 'text/html; charset=utf-8') =>
  pageListsOf({ url: `http://h${page}`, name: '', bytes: Buffer.from(html), contentType });

test('Sphinx is recognised by its scripts, for any version, depth of the page and other content', () => {
  const list = ['http://h/docs/searchindex.js'];
  for (const [page, html] of [
    [
      '/docs/',
      '<script data-url_root="./" id="documentation_options" src="_static/documentation_options.js"></script>',
    ],
    ['/docs/a/b.html', '<script src="../_static/documentation_options.js?v=1ed6394b"></script>'],
    ['/docs/a/', "<SCRIPT type='text/javascript'\n src='/docs/_static/doctools.js'></SCRIPT>"],
    ['/docs/search.html', '<script src=_static/searchtools.js></script>'],
    [
      '/docs/',
      `${'documentation_options.js '.repeat(5)}<script src="_static/documentation_options.js"></script>`,
    ],
    ['/docs/', '<script src="x.js"></script><script src="_static/documentation_options.js"></script>'],
  ] as const)
    assert.deepEqual(listsOf(page, html), list, html);
});

test('MkDocs is recognised by its themes', () => {
  const list = ['http://h/docs/search/search_index.json'];
  const material = '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.5.0">';
  const config = (base: string) =>
    `<script id="__config" type="application/json">{"base": "${base}", "x": 1}</script>`;
  const plain =
    '<script>var base_url = "..",\n shortcuts = {};</script><script src="../search/main.js"></script>';
  assert.deepEqual(listsOf('/docs/', material + config('.')), list);
  assert.deepEqual(listsOf('/docs/a/b/', material + config('../..')), list);
  assert.deepEqual(listsOf('/docs/a/b.html', material + config('..')), list);
  assert.deepEqual(listsOf('/docs/a/', plain), list);
});

test('other pages have none: texts about it, other types, and hostile pages', async () => {
  for (const html of [
    '',
    '<p>_static/documentation_options.js</p>',
    '<pre>&lt;script src="_static/documentation_options.js"&gt;</pre>',
    '<script src="documentation_options.js"></script>',
    '<script>"_static/documentation_options.js"</script>',
    '<script src="http://["></script>_static/doctools.js',
    '<script src="search/main.js"></script>',
    '<script>{"base": "."}</script>',
    '<meta name="generator" content="mkdocs-1"><script>{"base": "\\u002e"}</script>',
  ])
    assert.deepEqual(listsOf('/', html), [], html);
  assert.deepEqual(listsOf('/', '<script src="_static/doctools.js"></script>', 'text/plain'), []);
  await assertCpuMs(5000, () => {
    for (const part of [
      '<script src=',
      'doctools.js',
      '<script src="_static/doctools.js',
      '"base":',
      ' src =',
    ])
      listsOf('/', part.repeat(200_000));
  });
});
