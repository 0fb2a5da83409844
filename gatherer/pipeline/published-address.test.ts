import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { UrlRewriter } from '../customise/url-rewrite.ts';
import { defaultPlan, type PipelinePlan } from './pipeline-plan.ts';
import { tryDocument } from './try-document.ts';

const inside = 'http://inside.example/';
const outside = 'https://www.example.org/';
const rewrite = [{ from: '^http://inside\\.example/(.*)$', to: `${outside}$1` }];
const plan: PipelinePlan = {
  ...defaultPlan,
  rewrite,
  customise: {
    ...defaultPlan.customise,
    access: [
      { name: 'q', title: 'Query', url: 'https://q.example/?u={url}', condition: 'URL ~ /inside/' },
      { name: 'no', title: 'Never', url: 'https://q.example/', condition: 'URL ~ /www/' },
    ],
  },
};

test('references, access methods and the printed URL are the published ones', async () => {
  const links = ['b.html', 'b.html#two', 'http://other.example/x y'].map((href) => `<a href="${href}">a</a>`);
  const bytes = Buffer.from(`<title>A</title>${links.join('')}`);
  const report = await tryDocument({ url: `${inside}a.html`, name: 'a.html', bytes }, plan);
  const [object] = report.objects;
  assert.equal(object?.url, `${outside}a.html`);
  const references = object.attributes['URL-References']?.split('\n') ?? [];
  assert.ok(references.includes(`${outside}b.html`) && references.includes('http://other.example/x%20y'));
  assert.ok(references.every((reference) => !reference.includes('inside')));
  assert.equal(
    object.attributes['Access-Method'],
    `q https://q.example/?u=${encodeURIComponent(`${outside}a.html`)} Query`,
  );
});

test('a record of a file is opened where it is published', async () => {
  const bytes = Buffer.from('@book{one, title = {One}}\n@book{two, title = {Two}}\n');
  const report = await tryDocument({ url: `${inside}a.bib`, name: 'a.bib', bytes }, plan);
  assert.equal(report.objects.length, 2);
  for (const { url, attributes } of report.objects) {
    assert.ok(url.startsWith(`${outside}a.bib#`), url);
    assert.ok(attributes['Access-Method']?.includes(encodeURIComponent(url)), attributes['Access-Method']);
  }
});

test('URLs that no rule matches are unchanged', () => {
  const rewriter = new UrlRewriter(rewrite);
  fc.assert(
    fc.property(fc.string(), (text) => {
      const lines = `x${text}`;
      assert.equal(rewriter.references(lines), lines);
    }),
  );
});
