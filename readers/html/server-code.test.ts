import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutServerCode } from './server-code.ts';

const shown = (page: string) => withoutServerCode(page).replaceAll('\ufffe', '*');

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
        assert.ok(withoutServerCode(page).length <= page.length + 1);
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
