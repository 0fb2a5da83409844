import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarise } from '../../testing/summary-of.ts';

const page = async (name: string, content: string, contentType?: string) => {
  const summary = await summarise({
    url: `http://h/${name}`,
    name,
    bytes: Buffer.from(content),
    ...(contentType !== undefined && { contentType }),
  });
  return new Map(summary.attributes);
};

test('pages with programs give the page, and programs without a page are source code', async () => {
  for (const [name, content] of [
    ['a.php', '<?php $a = "<h1>no</h1>"; // it\'s ?>\n<html><title>T</title><p>Words <?= $n ?> more'],
    ['a.phtml', '<html><title>T</title><p>Words <?php if ($a > 1): ?>more<?php endif ?>'],
    [
      'a.aspx',
      '<%@ Page Language="C#" %><script runat="server">int a;</script><title>T</title><p>Words <%# Eval("a") %>more',
    ],
    [
      'a.jsp',
      '<%@ page import="a.b" %><jsp:include page="x"/><title>T</title><%-- <p>no --%><p>Words <%! int a; %>more',
    ],
    ['a.jspx', '<?xml version="1.0"?><html><title>T</title><p>Words more</p></html>'],
    ['a', '<%@ Language=VBScript %>\r\n<% Option Explicit %>\r\n<title>T</title><p>Words more'],
    ['a.txt', '<?php include "head.php"; ?><title>T</title><p>Words more'],
  ] as const) {
    const found = await page(name, content);
    assert.deepEqual(
      [found.get('Type'), found.get('Title'), found.get('Full-Text')],
      ['HTML', 'T', 'Words more'],
      name,
    );
  }
  const source = await page('a.php', '<?php\n// Tide\nfunction height() { return "<p>" . 1; }\n');
  assert.equal(source.get('Type'), 'OtherCode');
  assert.equal(source.get('Functions'), 'height');
});

test('an address that a program completes is no reference, and other pages keep their marks', async () => {
  const found = await page(
    'a.php',
    '<title>T</title><a href="b.php">b</a><a href="c.php?id=<?= $id ?>">c</a><a href="<?php echo $u ?>">d</a>',
  );
  assert.equal(found.get('URL-References'), 'http://h/b.php');
  const text = '<title>T</title><p>Write <% code %> there';
  assert.equal((await page('a.html', text)).get('Full-Text'), 'Write <% code %> there');
  assert.equal(
    (await page('a.php', '<title>T</title><p>Write <% there', 'text/html')).get('Full-Text'),
    'Write <% there',
  );
});
