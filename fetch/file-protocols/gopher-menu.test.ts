import assert from 'node:assert/strict';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../kernel/index.ts';
import { GopherClient } from './gopher-client.ts';
import { parseMenu, unstuffText } from './gopher-menu.ts';
import { gopherPlace, gopherUrl } from './gopher-urls.ts';

test('RFC 4266 2.2: a search follows a tab, at a place of type 7 alone', () => {
  const url = 'gopher://g.example/7/s%3Fa%09one%20w%C3%B6rd';
  const place = gopherPlace(url);
  assert.deepEqual([place.selector, place.search], ['/s?a', 'one w\xc3\xb6rd']);
  assert.equal(gopherUrl(place), url);
  assert.equal(gopherPlace('gopher://g.example/7/s').search, undefined);
  assert.equal(gopherPlace('gopher://g.example/7/s%09').search, '');
  for (const bad of ['1/s%09a', '0/s%09a', '7/s%09a%09b', '7/s%09a%0D%0Ab', `7/s%09${'a'.repeat(1023)}`])
    assert.throws(() => gopherPlace(`gopher://g.example/${bad}`), { code: 'FETCH_BAD_URL' }, bad);
  for (const bad of [{ type: '1' }, { search: 'a\tb' }, { search: 'a\nb' }, { search: 'a'.repeat(1024) }])
    assert.equal(gopherUrl({ ...place, ...bad }), undefined);
});

test('RFC 1436 3.7: a search is sent with its words behind a tab', async () => {
  const server = createServer((socket) => {
    socket.once('data', (line) =>
      socket.end(`i${line.toString('latin1').replace('\t', '<tab>').trim()}\r\n.\r\n`),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new GopherClient({ allowHosts: [at] });
  const { items } = await client.menu(`gopher://${at}/7/s%09two%20words`);
  assert.equal(items[0]?.label, '/s<tab>two words');
  await new Promise((resolve) => server.close(resolve));
});

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
