import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { openDatabase, within } from '../../store/index.ts';
import { sourceAddress } from '../collecting/source-address.ts';
import { SourceBook } from '../collecting/source-book.ts';
import { brokerFault } from '../events.ts';
import { brokerSettings } from '../settings.ts';
import { scratch } from '../testing/topic.ts';
import { LiveSettings } from './live-settings.ts';

const row = (key: string, value: string) => ({
  ...{ type: 'put' as const, key: Buffer.from(key), value: Buffer.from(value) },
});

test('orders that are no longer possible are reported and left out; the others apply', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'db'));
  const [interval, grace] = ['broker.interval', 'broker.grace'].map((key) =>
    brokerSettings.find((setting) => setting.key === key),
  );
  assert.ok(interval !== undefined && grace !== undefined);
  await within(database, 'live-setting').batch([
    row('broker.interval', '"soon"'),
    row('broker.grace', '77'),
    row('broker.gone', '1'),
  ]);
  const order = { url: 'ws://a.example/', isPaused: true, by: 'jo', at: 1 };
  await within(database, 'source-order').batch([
    row(order.url, JSON.stringify(order)),
    row('ws://b.example/', '{"url":'),
    row('ws://c.example/', JSON.stringify({ ...order, url: 'ws://c.example/', added: 'nonsense://' })),
    row('ws://d.example/', 'null'),
  ]);
  const faults: string[] = [];
  const stop = brokerFault.subscribe(({ where }) => faults.push(where));
  const base = [
    { setting: interval, value: 600, from: 'default' },
    { setting: grace, value: 0, from: 'default' },
  ];
  const settings = await LiveSettings.open(database, base);
  const book = await SourceBook.open(database);
  stop();
  assert.deepEqual([settings.seconds('broker.interval'), settings.seconds('broker.grace')], [600, 77]);
  assert.deepEqual(book.order(order.url), order);
  assert.deepEqual(
    ['b', 'c', 'd'].map((name) => book.order(`ws://${name}.example/`)),
    [undefined, undefined, undefined],
  );
  assert.equal(faults.length, 4);
});

test('a password in an address is refused, and not shown', () => {
  for (const text of [
    'ws://jo:s3cret@host:8500',
    'wss://s3cret@host',
    'jo:s3cret@host',
    'http://jo:s3cret@host',
  ])
    assert.throws(
      () => sourceAddress(text),
      (error) => isGarnerError(error) && !error.message.includes('s3cret') && error.status === 400,
      text,
    );
  assert.equal(sourceAddress('host:8500'), 'ws://host:8500/');
});
