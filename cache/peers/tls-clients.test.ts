import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import { openPeers } from './open-peers.ts';

test('requests over TLS bypass peers, which cannot distinguish them', async () => {
  const routesWith = async (neverDirect: boolean, isApart: boolean) => {
    await using peers = await openPeers({
      peers: [
        { role: 'parent', host: 'bound.example', port: 3128, domains: ['.bound'] },
        { role: 'parent', host: 'parent.example', port: 3128 },
      ] as never,
      ...{ neverDirect, clock: new ManualClock(), lookup: { has: () => false, isFresh: () => false } },
      ...{ clear: () => false, resolve: async () => ['192.0.2.1'] },
    });
    const signal = new AbortController().signal;
    const question = { method: 'GET', fields: [], fromCache: false, signal, isApart };
    const routes = await peers.router.routes({ ...question, url: 'http://a.example/' });
    return routes.map(({ to }) => to);
  };
  assert.deepEqual((await routesWith(false, false))[0], 'parent');
  assert.deepEqual(await routesWith(false, true), ['origin']);
  // Where nothing else can be reached there is no choice.
  assert.deepEqual(new Set(await routesWith(true, true)), new Set(['parent']));
});
