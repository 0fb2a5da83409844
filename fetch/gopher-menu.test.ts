import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../kernel/index.ts';
import { parseMenu, unstuffText } from './gopher-menu.ts';
import { gopherPlace, gopherUrl } from './gopher-urls.ts';

test('a menu as RFC 1436 shows it', () => {
  const text =
    '0About internet Gopher\tStuff:About us\trawBits.micro.umn.edu\t70\r\n' +
    '1Around University of Minnesota\tZ,5692,AUM\tunderdog.micro.umn.edu\t70\r\n' +
    '.\r\n';
  assert.deepEqual(parseMenu(Buffer.from(text)), {
    items: [
      ...[
        {
          type: '0',
          label: 'About internet Gopher',
          selector: 'Stuff:About us',
          hostname: 'rawbits.micro.umn.edu',
          port: 70,
        },
      ],
      ...[
        {
          type: '1',
          label: 'Around University of Minnesota',
          selector: 'Z,5692,AUM',
          hostname: 'underdog.micro.umn.edu',
          port: 70,
        },
      ],
    ],
    broken: 0,
    cut: false,
    ended: true,
  });
});

test('any bytes make a menu of bounded items, and any place survives its URL', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => {
      const { items } = parseMenu(bytes);
      for (const item of items) {
        assert.ok(item.port >= 0 && item.port <= 65_535);
        const url = gopherUrl(item);
        if (
          url !== undefined &&
          item.hostname !== '' &&
          /^[a-z0-9.]+$/.test(item.hostname) &&
          item.port > 0 &&
          item.type
        ) {
          const place = gopherPlace(url);
          assert.deepEqual([place.type, place.selector], [item.type, item.selector]);
        }
      }
      unstuffText(bytes);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const selector = Buffer.from(bytes).toString('latin1');
      fc.pre(!/[\0\t\r\n]/.test(selector));
      const place = { hostname: 'h.org', port: 7070, type: '0', selector };
      assert.deepEqual(gopherPlace(gopherUrl(place) ?? ''), place);
    }),
  );
  for (const bad of [
    'gopher://h/0a%0d%0ab',
    'gopher://h/0a%09b',
    'http://h/',
    `gopher://h/0${'x'.repeat(2000)}`,
  ])
    assert.throws(
      () => gopherPlace(bad),
      (error) => isGarnerError(error) && error.code === 'FETCH_BAD_URL',
    );
});

test('the dots of a text are undone where its end is marked', () => {
  const plain = (text: string) => Buffer.from(unstuffText(Buffer.from(text))).toString();
  assert.equal(plain('a\r\n..b\r\n.\r\n'), 'a\r\n.b\r\n');
  assert.equal(plain('.\r\n'), '');
  assert.equal(plain('a\r\n..b\r\n'), 'a\r\n..b\r\n');
  assert.equal(plain('end.'), 'end.');
  assert.equal(plain('a...\n'), 'a...\n');
});
