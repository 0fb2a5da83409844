import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Parser } from 'htmlparser2';
import { readAddress } from './client/address.ts';
import { readBrokerStatus, readSearchAnswer } from './client/answers.ts';
import { contentView } from './client/content-view.ts';
import { element, flatten } from './client/element.ts';
import { html, scriptData } from './html.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '</q></h1><b>',
    '&lt;b&gt;&#60;b&#62;',
    '<!--',
    ']]>',
    'javascript:alert(1)',
    'data:text/html,<script>1</script>',
    ' JaVaScRiPt:alert(1)',
    'http://x" onclick="alert(1)',
    'https://example.org/<b>?"\'=&amp;',
  ),
);

/** Tags with their attribute names, in order, and every link target. */
function shape(text: string): { readonly tags: string[]; readonly links: string[] } {
  const tags: string[] = [];
  const links: string[] = [];
  const parser = new Parser({
    onopentag: (name, attributes) => {
      tags.push([name, ...Object.keys(attributes)].join(' '));
      if (attributes.href !== undefined) links.push(attributes.href);
    },
    oncomment: () => tags.push('<!--'),
    onprocessinginstruction: () => tags.push('<?'),
  });
  parser.end(text);
  return { tags, links };
}

/** Every string of `json` replaced by what `next` gives; keys and shape stay. */
function withStrings(json: unknown, next: () => string): unknown {
  if (typeof json === 'string') return next();
  if (Array.isArray(json)) return json.map((value) => withStrings(value, next));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, withStrings(value, next)]));
}

const answer = {
  query: 'x',
  understood: 'x',
  notes: ['x'],
  total: 40,
  tookMs: 1,
  relaxed: true,
  hits: [
    {
      oid: 'x',
      url: 'x',
      title: 'x',
      snippet: 'x',
      matches: [[0, 1]],
      titleMatches: [[0, 1]],
      attributes: ['x'],
      source: 'x',
      sourceName: 'x',
      type: 'x',
      size: 1,
      updatedAt: 1,
      also: [{ url: 'x', sourceName: 'x' }],
      alsoTotal: 3,
      access: ['table'],
      shown: [{ label: 'x', value: 'x' }],
    },
  ],
  facets: {
    source: [
      { value: 'x', name: 'x', count: 1 },
      { value: 'y', name: 'y', count: 1 },
    ],
    type: [{ value: 'x', count: 1 }],
    more: [{ name: 'x', values: [{ value: 'x', count: 1 }] }],
  },
  sources: [{ id: 'x', name: 'x', state: 'down', error: 'x' }],
  suggestion: 'x',
  corrected: 'x',
};
const status = {
  name: 'x',
  objects: 1,
  sources: [{ id: 'x', name: 'x', url: 'x', state: 'down', objects: 1, lastLearnedAt: 1, error: 'x' }],
  examples: ['x'],
  views: [{ name: 'x', objects: 1 }],
};

const elements = new Set(
  'a bdi button caption code dd details div dl dt h1 h2 li mark nav ol p q section span summary table tbody td th thead time tr ul'.split(
    ' ',
  ),
);
const attributes = new Set(
  'aria-current aria-label class colspan data-check data-go data-kind datetime dir href id lang rel scope start tabindex title type'.split(
    ' ',
  ),
);

test('no string from elsewhere becomes markup or a link that runs', () => {
  fc.assert(
    fc.property(fc.array(hostile, { minLength: 1, maxLength: 30 }), fc.boolean(), (strings, none) => {
      let at = 0;
      const next = () => strings[at++ % strings.length] ?? '';
      const strange = withStrings(answer, next) as typeof answer;
      const model = {
        address: readAddress(
          `?${new URLSearchParams([
            ['q', `${next()}x`],
            ['source', next()],
            ['type', next()],
            ['filter', next()],
            ['grouped', '1'],
          ])}`,
        ),
        answer: readSearchAnswer({
          ...strange,
          sources: strange.sources.map((source) => ({ ...source, state: 'down' })),
          ...(none ? { hits: [], total: 0 } : {}),
        }),
        status: readBrokerStatus(withStrings(status, next)),
        trouble: { what: next(), cure: next(), passing: true },
        now: 2,
      };
      const nothing = { ...model, address: readAddress('') };
      const { tags, links } = shape([model, nothing].flatMap(contentView).map(html).join(''));
      for (const tag of tags) {
        const [name = '', ...names] = tag.split(' ');
        assert.ok(elements.has(name), `unexpected element ${tag}`);
        for (const attribute of names) assert.ok(attributes.has(attribute), `unexpected attribute in ${tag}`);
      }
      for (const link of links) assert.match(link, /^(?:\.\/|objects\/|https?:\/\/|ftp:\/\/)/);
    }),
    { numRuns: 500 },
  );
});

const markup = fc.string({
  unit: fc.constantFrom('<', '>', '&', '"', "'", '/', '#', ';', 'b', '3', ' ', '\n', 'é', '😀'),
});

test('text written as HTML reads back as it was', () => {
  fc.assert(
    fc.property(markup, markup, (text, value) => {
      let read = '';
      let attribute = '';
      const parser = new Parser({
        ontext: (part) => {
          read += part;
        },
        onopentag: (_name, { title }) => {
          attribute = title ?? '';
        },
      });
      parser.end(html(element('p', { title: value }, text)));
      assert.equal(read, text);
      assert.equal(attribute, value);
    }),
  );
});

test('data for a script element cannot end it', () => {
  fc.assert(
    fc.property(fc.oneof(hostile, fc.constant('</script><!--<script>')), (text) => {
      const written = scriptData({ text });
      assert.doesNotMatch(written, /</);
      assert.deepEqual(JSON.parse(written), { text });
    }),
  );
});

test('gaps vanish and texts side by side join, as an HTML parser joins them', () => {
  assert.deepEqual(flatten(['a', undefined, ['b', false, ['', 'c']], element('i'), 'd']), [
    'abc',
    element('i'),
    'd',
  ]);
  assert.equal(
    html(element('input', { value: '"', autofocus: true, hidden: false })),
    '<input value="&quot;" autofocus="">',
  );
});
