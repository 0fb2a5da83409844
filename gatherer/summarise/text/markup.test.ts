import assert from 'node:assert/strict';
import { test } from 'node:test';
import { debianFile, extractOf } from '../../testing/extract-reading.ts';
import { summariseAsciidoc } from './asciidoc.ts';
import { summariseRestructuredText } from './restructured-text.ts';

test('reStructuredText: title, fields, directives, roles, links', async () => {
  const rst = await extractOf(
    summariseRestructuredText,
    'hive.rst',
    `.. a comment
   of two lines

.. _top:

====================
 :mod:\`hive\` --- Bees
====================

:Author: Maja Bee
:Version: 1.2
:Abstract: How bees live.

.. meta::
   :keywords: bees, honey

.. index:: single: wax; comb
.. |x| replace:: substituted

A *good* \`\`code*\`\` and \`a link <http://hive.example/a>\`_ to \`wax\`_, |x|; :func:\`~os.path.join\`\\ s [1]_.

.. _wax: http://wax.example/

Code::

   kept   as is

.. code-block:: python

   print("bee")

.. function:: fly(height)
              fly_low()

   Goes up.

   .. note:: Careful.

.. math:: x^2

Section
-------

- one
- two
  more

+-----+-----+
| a   | b   |
+=====+=====+
| c   | d   |
+-----+-----+

===  ===
e    f
===  ===
g    h
===  ===

.. toctree::
   :maxdepth: 2

   comb
   The Queen <queen>

.. [1] A footnote.
`,
  );
  assert.equal(rst.title, 'hive --- Bees');
  assert.deepEqual(Object.fromEntries(rst.fields), {
    Description: 'How bees live.',
    Author: 'Maja Bee',
    Version: '1.2',
    Keywords: 'bees, honey, wax, comb',
    Definitions: 'fly(height)\nfly_low()',
    Headings: 'hive --- Bees\nSection',
  });
  assert.deepEqual(rst.references, [
    'http://hive.example/a',
    'http://wax.example/',
    'http://site.example/docs/comb.rst',
    'http://site.example/docs/queen.rst',
  ]);
  assert.equal(
    rst.body,
    `hive --- Bees
A good code* and a link to wax, substituted; joins .
Code:
kept as is
print("bee")
fly(height)
fly_low()
Goes up.
Careful.
Section
one
two more
a b
c d
e f
g h
A footnote.`,
  );
});

test('sources of Python’s documentation', async (t) => {
  const folder = '/html/_sources/library/zipfile.rst.txt';
  const versions = ['3', '3.11', '3.12', '3.13'].map((version) => `/usr/share/doc/python${version}${folder}`);
  const bytes = debianFile(t, 'python3-doc', ...versions);
  if (bytes === undefined) return;
  const rst = await extractOf(summariseRestructuredText, 'zipfile.rst.txt', bytes);
  assert.match(rst.title ?? '', /^zipfile --- Work with ZIP archives$/);
  assert.match(rst.value('Definitions') ?? '', /^is_zipfile\(filename\)$/m);
  assert.match(rst.value('Headings') ?? '', /^ZipFile Objects$/m);
});

test('AsciiDoc: header, attributes, blocks, links', async () => {
  const adoc = await extractOf(
    summariseAsciidoc,
    'hive.adoc',
    `= The Hive
Maja Bee <maja@hive.example>; Willi Drone
v1.2, 1996-05-04: second edition
:keywords: bees, honey
:description: How bees live
:home: http://hive.example

// a comment
[abstract]
Bees live together.

== First _Part_

See {home}/a[the *site*], link:b.html[B], <<x,there>> and linkbee:queen[1]. Use \`code_here\` and 2*3*4.

.A title
[source,sh]
----
make   all
= not a title
----

////
never seen
////

-q, --quiet:: No noise
* one
. two

|===
|a |b
|===

NOTE: Careful.

include::more.adoc[]

Old Title
---------
end
`,
  );
  assert.equal(adoc.title, 'The Hive');
  assert.deepEqual(Object.fromEntries(adoc.fields), {
    Description: 'How bees live',
    Abstract: 'Bees live together.',
    'Author-1': 'Maja Bee <maja@hive.example>',
    'Author-2': 'Willi Drone',
    Date: '1996-05-04',
    Version: '1.2',
    Keywords: 'bees, honey',
    Options: '-q, --quiet',
    'See-Also': 'queen(1)',
    Headings: 'The Hive\nFirst Part\nOld Title',
  });
  assert.deepEqual(adoc.references, [
    'http://hive.example/a',
    'http://site.example/docs/b.html',
    'http://site.example/docs/more.adoc',
  ]);
  assert.match(adoc.body, /^See the site, B, there and queen\(1\)\. Use code_here and 2\*3\*4\.$/m);
  assert.match(adoc.body, /^make all\n= not a title$/m);
  assert.match(adoc.body, /^-q, --quiet\nNo noise\none\ntwo\na b\nNOTE: Careful\.$/m);
  assert.doesNotMatch(adoc.body, /never seen|a comment/);
});

test('git’s own documentation', async (t) => {
  const bytes = debianFile(
    t,
    'git-doc',
    '/usr/share/doc/git/html/git-am.txt',
    '/usr/share/doc/git-doc/git-am.txt',
  );
  if (bytes === undefined) return;
  const adoc = await extractOf(summariseAsciidoc, 'git-am.txt', bytes);
  assert.equal(adoc.title, 'git-am(1)');
  assert.equal(adoc.value('Description'), 'Apply a series of patches from a mailbox');
  assert.ok((adoc.value('Options') ?? '').split('\n').includes('--signoff'));
  assert.match(adoc.value('See-Also') ?? '', /git-apply\(1\)/);
});
