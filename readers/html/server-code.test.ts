import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fragmentText, readFragment, withoutMarkup } from './fragment.ts';
import { withoutServerCode } from './server-code.ts';

const shown = (page: string) => withoutServerCode(page).replaceAll('\ufffe ', ' ').replaceAll('\ufffe', '*');

test('programs in a page end where their language ends them', () => {
  for (const [page, text] of [
    ['<%@ page import="a" %><p>x<%= a > b %>y</p>', ' <p>x*y</p>'],
    ['a<%-- <% no %> --%>b', 'a b'],
    ['<? echo "a ?> b"; ?>c', ' c'],
    ["<?php /* ?> */ $a = 'it\\'s ?>'; // end ?>c", ' c'],
    ['<?php # it’s one line ?>c', ' c'],
    ["<?php echo <<<EOT\n it's ?>\nEOT;\n?>c<?= $x ?>d", ' c*d'],
    ["<?php $a = <<<'X'\n  ?>\n  X; ?>c", ' c'],
    ['<?php #[Attribute("?>")] ?>c', ' c'],
    ['a<?php if ($x > 1): ?>b<?php endif ?>c', 'a b c'],
    ['<?xml version="1.0"?><p>a</p>', '<?xml version="1.0"?><p>a</p>'],
    ['a<?php echo 1;', 'a '],
    ['<p>The mark <% begins code</p>', '<p>The mark <% begins code</p>'],
  ] as const)
    assert.equal(shown(page), text, page);
});

test('pages of any marks take linear time', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom('<%', '%>', '<?php ', '?>', "'", '"', '/*', '*/', '//', '\\', '<<<A', '\nA', 'x'),
      ),
      (parts) => {
        const page = parts.join('');
        assert.ok(withoutServerCode(page).length <= page.length + 2);
      },
    ),
  );
  for (const part of [
    '<%',
    '<?php ',
    "<?php '",
    '<?php \\',
    '<?php <<<A\n',
    '<?php //',
    "<?php '\\'",
    '<%--',
  ])
    withoutServerCode(part.repeat(200_000));
});

test('a piece of HTML becomes its text, and other text stays', () => {
  for (const [html, text] of [
    ['<p>All <b>about</b></p><p>tides &amp; winds</p>', 'All about tides & winds'],
    ['A &lt;b&gt; tag', 'A <b> tag'],
    ['1 < 2 & 3 > 2', '1 < 2 & 3 > 2'],
    ['D&rsquo;one<br/>two<script>no()</script><style>no</style>', 'D’one two'],
    ['plain\n text', 'plain text'],
    ['<p>open <a href="x">', 'open'],
    ['<math><mi>E</mi><annotation encoding="application/x-tex">\\textE</annotation></math> m', 'E m'],
    ['', ''],
  ] as const)
    assert.equal(fragmentText(html), text, html);
  for (const value of ['Renders a <div> or <b>', 'a < b > c', 'Vec<p>', 'use </x>'])
    assert.equal(withoutMarkup(value), value);
  assert.equal(withoutMarkup('Renders <b>bold</b> text<br>here'), 'Renders bold text here');
  const { references } = readFragment('<a href="a">b</a><img src="c">', 'http://h/d/').references;
  assert.deepEqual(references, ['http://h/d/a']);
});

test('the title of a page of ASP.NET is in its directive, and elements of programs are no title', () => {
  for (const [page, text] of [
    ['<%@ Page Language="C#" Title="The port" %><p>a</p>', '<title>The port</title><p>a</p>'],
    ['<%@Page Title = \'The port\' Inherits="a"%>b', '<title>The port</title>b'],
    ['<%@ Control Title="x" %>b', ' b'],
    ['<title><fmt:message key="t"/>Port</title><c:if/>', '<title>*Port</title><c:if/>'],
    ['<title><asp:ContentPlaceHolder ID="T" runat="server" /></title>', '<title>*</title>'],
    ['<title>Open <c:out/>', '<title>Open <c:out/>'],
  ] as const)
    assert.equal(shown(page), text, page);
  for (const part of ['<title>', '<%@ Page ', '<title><a:', '<%@ Page Title="a'])
    withoutServerCode(part.repeat(100_000));
});
