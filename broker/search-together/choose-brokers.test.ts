import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressGuard, type Fetch } from '../../fetch/index.ts';
import { systemClock } from '../../kernel/index.ts';
import { askable, firstBrokers, type ListedBroker } from './choose-brokers.ts';
import { federatedSearch, SearchSlots } from './federated-route.ts';
import { searchFederated } from './federated-search.ts';

const broker = (url: string, state: 'live' | 'late' = 'live'): ListedBroker => ({ url, name: url, state });

test('of the listed Brokers the live and longest registered are chosen, few of a host, each address once', async () => {
  const squatted = Array.from({ length: 6 }, (_, n) => broker(`http://many.example:${9000 + n}/`));
  const here = Array.from({ length: 6 }, (_, n) => broker(`http://127.0.0.1:${8500 + n}/`));
  const listed = [
    broker('http://late.example/', 'late'),
    broker('http://old.example/topic'),
    broker('http://old.example/topic/'),
    ...squatted,
    ...[broker('http://169.254.169.254/'), broker('not a URL')],
    ...here,
    broker('http://young.example/'),
  ];
  const guard = new AddressGuard(here.map(({ url }) => url));
  const { chosen, omitted } = askable(listed, (url) => guard.check(url));
  assert.deepEqual(
    chosen.map(({ url }) => url),
    [
      'http://old.example/topic',
      ...squatted.slice(0, 4).map(({ url }) => url),
      ...here.map(({ url }) => url),
      ...['http://young.example/', 'http://late.example/'],
    ],
  );
  const why = Object.fromEntries(omitted.map(({ broker: { url }, why }) => [url, why]));
  assert.equal(omitted.length, 5);
  assert.match(why['http://old.example/topic/'] ?? '', /same address/);
  assert.match(why['http://many.example:9005/'] ?? '', /4 other Brokers at many.example/);
  assert.match(why['http://169.254.169.254/'] ?? '', /private address/);
  const first = await firstBrokers('tide', chosen, 2);
  assert.equal(first.chosen.length, 2);
  assert.equal(first.omitted.length, chosen.length - 2);
  assert.match(first.omitted[0]?.why ?? '', /at most 2 Brokers/);
});

test('few federated searches run at once, for each client and for all', () => {
  const slots = new SearchSlots();
  const busy = { code: 'BROKER_FEDERATED_BUSY', status: 503 };
  const own = Array.from({ length: 8 }, () => slots.enter('192.0.2.1'));
  assert.throws(() => slots.enter('192.0.2.1'), busy);
  const others = Array.from({ length: 8 }, (_, n) => slots.enter(`192.0.2.${n + 2}`));
  assert.throws(() => slots.enter('198.51.100.1'), busy);
  for (const place of [...own, ...others]) place[Symbol.dispose]();
  for (let n = 0; n < 8; n++) slots.enter('192.0.2.1');
  assert.throws(() => slots.enter('192.0.2.1'), busy);
});

test('a search where all Brokers are unsigned says how many there are and that they are not asked', async () => {
  const request = {
    ...({ method: 'GET' } as const),
    ...{ url: '/', path: '/', params: {}, headers: {}, body: new Uint8Array() },
    ...{ query: { q: 'x' }, queries: {}, signal: new AbortController().signal },
  };
  const fetch: Fetch = () => Promise.reject(new Error('nothing is asked'));
  const options = { brokers: () => [], fetch, clock: systemClock, deadlineMs: 2000 };
  const search = federatedSearch(request, 2000);
  await assert.rejects(searchFederated({ ...options, unsigned: () => 2 }, search), {
    message: /2 Brokers are listed, but unsigned, and unsigned ones are not asked/,
  });
  await assert.rejects(searchFederated(options, search), { message: /no Broker is registered here/ });
});
