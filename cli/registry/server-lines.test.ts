import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DescribedServer, ServerEntry } from '../../registry/index.ts';
import { applicationLines, describedServer, serverLines } from './server-lines.ts';

test('the list of a Registry sends no codes to the terminal, whatever attribute has them', () => {
  const server = {
    ...{ type: 'BROKER', name: 'Harbour', url: 'https://e.example/', software: '', topic: '', state: 'live' },
    ...{ age: 1, backlog: 0, links: { live: 0, late: 0, broken: 0 }, proof: 'proved', id: 'x-_1' },
  };
  assert.match(
    serverLines([server as unknown as ServerEntry]),
    /^ {2}broker +Harbour {2}https:\S+ {2}id x-_1 {2}live.*proved$/,
  );
  for (const field of ['type', 'name', 'url', 'software', 'topic', 'state', 'age', 'proof', 'id']) {
    const hostile = { ...server, [field]: '\u001b[31m' } as unknown as ServerEntry;
    assert.ok(!serverLines([hostile]).includes('\u001b'), field);
  }
});

test('an empty list says whether filters are the reason', () => {
  assert.equal(serverLines([]), 'no server is registered');
  assert.equal(serverLines([], true), 'no server matches the filters');
});

test('ages, durations, times and sizes of servers have units, in one style', () => {
  const ages = [1, 59, 60, 3599, 7200, 86_400, 200_000].map((age) => {
    const server = { state: 'late', age, links: { broken: 0 }, type: 'BROKER', software: '', topic: '' };
    return /renewed (.*)$/.exec(serverLines([server as unknown as ServerEntry]))?.[1];
  });
  const words = ['1 s ago', '59 s ago', '1 min ago', '59 min ago', '2 h ago', '1 day ago', '2 days ago'];
  assert.deepEqual(ages, words);
  const attributes = Object.entries({
    'Last-Modification-Time': '1795782831',
    'Size-in-Bytes': '18461\n',
    'Time-to-Live': '300',
    Objects: '12345',
    Topic: '1795782831',
    'Update-Time': '9'.repeat(15),
  }).map(([name, value]) => ({ name, value }));
  const text = describedServer({
    ...{ type: 'BROKER', url: 'https://e.example/', state: 'live', age: 90, alike: [], attributes },
    ...{ refreshSeconds: 60, ttlSeconds: 300, serverId: 's', id: 'i' },
  } as unknown as DescribedServer);
  for (const line of [
    /^ +state +live, renewed 1 min ago$/m,
    /^ +lease +renewed every 1m, removed after 5m without$/m,
    /^ +Last-Modification-Time +2026-11-27T12:33:51Z$/m,
    /^ +Size-in-Bytes +18 kB$/m,
    /^ +Time-to-Live +5m$/m,
    /^ +Objects +12,345$/m,
    /^ +Topic +1795782831$/m,
    /^ +Update-Time +9{15}$/m,
  ])
    assert.match(text, line);
  const application = { id: 'a', type: 'BROKER', name: 'b', url: 'https://b.example/', at: 0, client: '::1' };
  const texts = { description: '', administrator: '', location: '', topics: '' };
  assert.match(applicationLines([{ ...application, ...texts } as never], 7200), / 2 h ago from ::1$/);
});
