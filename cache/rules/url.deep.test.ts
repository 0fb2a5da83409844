import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { effectiveUrl, normalisedUrl } from './url.ts';

test('RFC 9110 4.2.3: scheme and host are lower case, default ports and fragments gone, an empty path is /', () => {
  const written: [string, string][] = [
    ['HTTP://A.Example', 'http://a.example/'],
    ['http://a.example:80/x', 'http://a.example/x'],
    ['http://a.example:/x', 'http://a.example/x'],
    ['http://a.example:0080/x', 'http://a.example/x'],
    ['https://a.example:443/', 'https://a.example/'],
    ['https://a.example:80/', 'https://a.example:80/'],
    ['ftp://a.example:21/f;type=a', 'ftp://a.example/f;type=a'],
    ['gopher://a.example:70/0x', 'gopher://a.example/0x'],
    ['http://a.example?q=1', 'http://a.example/?q=1'],
    ['http://a.example#top', 'http://a.example/'],
    ['http://a.example/x?q#top', 'http://a.example/x?q'],
    ['http://[0:0:0:0:0:0:0:1]:8080/', 'http://[::1]:8080/'],
    ['http://[2001:DB8::A]/', 'http://[2001:db8::a]/'],
  ];
  for (const [text, url] of written) assert.equal(normalisedUrl(text), url, text);
});

test('path and query stay byte for byte', () => {
  const kept = ['/a/../b', '/./', '//x', '/%7e', '/%2E%2e/', '/%zz', '/a|b"<>', "/it's", '/?a=/../?b', '/?'];
  for (const path of kept) assert.equal(normalisedUrl(`http://a.example${path}`), `http://a.example${path}`);
});

test('odd URLs are refused', () => {
  const odd = [
    'http://user@a.example/',
    'http://user:pw@a.example/',
    'http://a.example\\@b.example/',
    'http:///x',
  ];
  const bytes = [
    'http://a.example/a b',
    'http://a.example/\t',
    'http://a.example/\x00',
    'http://a.example/\x7f',
  ];
  const hosts = [
    'http://:80/',
    'http://[::g]/',
    'http://[::1/',
    'http://a%2e/',
    'http://a,b/',
    'http://[::1]x/',
  ];
  const ports = [
    'http://a:0/',
    'http://a:65536/',
    'http://a:8 0/',
    'http://a:-1/',
    'http://a:1:2/',
    'http://a:x/',
  ];
  const schemes = [
    'file:///x',
    'javascript:alert(1)',
    'mailto:a@b',
    '/x',
    '',
    'http:a',
    '*',
    'constructor://a/',
  ];
  for (const text of [...odd, ...bytes, ...hosts, ...ports, ...schemes, 'http://a.example/\xe4']) {
    assert.equal(normalisedUrl(text), undefined, text);
  }
});

test('a URL is at most 8 KiB long', () => {
  const start = 'http://a.example/';
  assert.notEqual(normalisedUrl(start.padEnd(8192, 'x')), undefined);
  assert.equal(normalisedUrl(start.padEnd(8193, 'x')), undefined);
});

test('RFC 9110 7.1: a target is completed by scheme and authority, an absolute one is used as it is', () => {
  assert.equal(effectiveUrl('http', 'A.example:80', '/x?y'), 'http://a.example/x?y');
  assert.equal(effectiveUrl('https', 'a.example:80', '/'), 'https://a.example:80/');
  assert.equal(effectiveUrl('http', 'a.example', 'http://B.example/z'), 'http://b.example/z');
  assert.equal(effectiveUrl('http', 'a.example', '//b.example/z'), 'http://a.example//b.example/z');
});

test('neither a target nor an authority can reach into the other', () => {
  for (const authority of ['', 'a/b', 'a?b', 'a#b', 'x@a', 'a b', 'a\\b', 'a:80:80']) {
    assert.equal(effectiveUrl('http', authority, '/x'), undefined, authority);
  }
  for (const target of ['', '*', 'a.example:443', '@b/x', '.b/x', ':80/x', '\\\\b/']) {
    assert.equal(effectiveUrl('http', 'a.example', target), undefined, target);
  }
});

test('property: a normalised URL is its own normal form, and means what the system reads in it', () => {
  const host = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9-]{0,5}(\.[a-z]{1,3})?$/);
  const scheme = fc.constantFrom('http', 'HTTPS', 'ftp', 'gopher');
  const port = fc.option(fc.nat({ max: 65535 }), { nil: undefined });
  const rest = fc.stringMatching(/^([/?#][!-~]{0,8})?$/);
  fc.assert(
    fc.property(scheme, host, port, rest, (protocol, name, number, path) => {
      const text = `${protocol}://${name}${number === undefined ? '' : `:${number}`}${path}`;
      const url = normalisedUrl(text);
      if (url === undefined) {
        assert.ok(path.includes('\\') || number === 0, text);
        return;
      }
      assert.equal(normalisedUrl(url), url);
      // Of Gopher the system knows neither port nor path.
      if (protocol === 'gopher') return;
      const read = new URL(text);
      read.hash = '';
      assert.equal(new URL(url).href, read.href);
    }),
  );
});

test('property: whatever the text, a URL that is accepted has one host and nothing that hides another', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `http://${text}`),
      ),
      (text) => {
        const url = normalisedUrl(text);
        if (url === undefined) return;
        assert.match(url, /^(https?|ftp|gopher):\/\/[a-z0-9._[\]:-]+\/[!-[\]-~]*$/);
        assert.equal(url.includes('#'), false);
      },
    ),
  );
});
