import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextBlocks } from '../text/index.ts';
import { HtmlReader } from './html-reader.ts';

function anchorsOf(html: string): [heading: string, anchor: string | undefined][] {
  const reader = new HtmlReader(html, new TextBlocks({ text: 'none', maxTextBytes: 0 }));
  reader.read();
  return reader.headings.main.map(({ heading, anchor }) => [heading, anchor]);
}

test('a heading has its own identifier, that of what begins with it, or one inside it', () => {
  const html = `<div id=page><nav id=menu><h2 id=m>Menu</h2></nav>
    <h1>Top</h1><p id=p>text</p>
    <h2 id=own class=x>Own</h2>
    <section id=part><span id=label></span><h2>Part</h2><p>text</p>
    <p><a name=old></a></p><h3>Old</h3>
    <h3><a id=inside>Inside</a><a class=headerlink href="#inside">¶</a></h3>
    <p id=far>text</p><h3>None</h3>
    <div hidden id=hid></div><h3>After hidden</h3></section></div>`;
  assert.deepEqual(anchorsOf(html), [
    ['Top', undefined],
    ['Own', 'own'],
    ['Part', 'part'],
    ['Old', 'old'],
    ['Inside', 'inside'],
    ['None', undefined],
    ['After hidden', undefined],
  ]);
});
