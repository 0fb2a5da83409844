import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { parseQuery } from '../../query/index.ts';
import { summaryObject } from '../../soif/index.ts';
import { bestSections } from './best-sections.ts';

const headings = ['Settings', 'Listening', 'exchange.delete-guard', 'Listening', 'See also'];
const page = (type = 'HTML', anchors = 'top\nlisten\nguard\nlisten-2\n', url = 'https://x.example/config') =>
  summaryObject(url, [
    ['Type', type],
    ['Title', 'Settings'],
    ['Headings', headings.join('\n')],
    ['Heading-Anchors', anchors],
    [
      'Full-Text',
      [
        ...headings,
        'An introduction that follows the table of contents, with the ferry.',
        'Settings\nAll of them.',
        'Listening\nThe port of the harbour.',
        'exchange.delete-guard\nStops a round that would remove too much at low tide.',
        'Listening\nThe second one, with a lighthouse.',
        'See also\nThe pilot.',
      ].join('\n'),
    ],
  ]);
const found = (q: string, object = page()) => bestSections(object, parseQuery(q).query, 'en');
const places = ({ section, sections = [] }: ReturnType<typeof found>) => [
  section?.anchor,
  ...sections.map(({ anchor }) => anchor),
];

test('a page opens at the heading that is the query, else at the one above the text that has it', () => {
  assert.deepEqual(found('delete guard').section, {
    heading: 'exchange.delete-guard',
    anchor: 'guard',
    url: 'https://x.example/config#guard',
  });
  assert.equal(found('low tide').section?.anchor, 'guard');
  assert.equal(found('harbour').section?.anchor, 'listen');
  assert.equal(found('lighthouse').section?.anchor, 'listen-2', 'of equal headings the one above the text');
});

test('a table of contents is not taken for the sections it names', () => {
  const above = found('pilot').section;
  assert.deepEqual(above, {
    heading: 'See also',
    anchor: null,
    url: 'https://x.example/config#:~:text=See%20also',
  });
  assert.deepEqual(found('ferry'), {}, 'what is above the first heading is the page itself');
});

test('the title answers better than a part that has no more of the query', () => {
  assert.deepEqual(found('settings'), {});
  assert.equal(found('settings harbour').section?.anchor, 'listen');
});

test('at most three other parts that answer as well fold under a page', () => {
  assert.deepEqual(places(found('listening')), ['listen', 'listen-2']);
  const object = summaryObject('https://x.example/many', [
    ['Type', 'HTML'],
    ['Headings', Array.from({ length: 9 }, (_, at) => `Tide ${at}`).join('\n')],
    ['Heading-Anchors', Array.from({ length: 9 }, (_, at) => `t${at}`).join('\n')],
  ]);
  assert.deepEqual(places(found('tide', object)), ['t0', 't1', 't2', 't3']);
});

test('only a page that a browser shows has text fragments, and a part of a file none', () => {
  assert.equal(found('delete guard', page('PDF', '')).section, undefined);
  assert.equal(
    found('delete guard', page('Markdown', '')).section?.url,
    'https://x.example/config#:~:text=exchange.delete%2Dguard',
  );
  assert.deepEqual(found('delete guard', page('HTML', 'a', 'https://x.example/a.zip#b.html')), {});
  assert.deepEqual(found('delete guard', page('HTML', 'a', 'javascript:alert(1)//')), {});
});

test('an identifier cannot end the fragment or begin a directive', () => {
  const { section } = found('delete guard', page('HTML', '\n\n:~:text="<b>\n'));
  assert.equal(section?.url, 'https://x.example/config#%3A~%3Atext%3D%22%3Cb%3E');
});

test('a page with thousands of equal headings costs bounded time', async () => {
  const equal = Array.from({ length: 5000 }, () => 'Example');
  const object = summaryObject('https://x.example/many', [
    ['Type', 'HTML'],
    ['Headings', equal.join('\n')],
    ['Full-Text', equal.map((heading) => `${heading}\nmore of the tide`).join('\n')],
  ]);
  await assertCpuMs(3_000, () => found('tide example', object));
});
