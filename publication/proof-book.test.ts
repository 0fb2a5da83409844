import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchResponse } from '../fetch/index.ts';
import { ManualClock } from '../kernel/index.ts';
import { ProofBook } from './proof-book.ts';

const site = 'https://a.example';
const server = { id: 'id', key: 'key' };

/** A book of one site, whose answers the test gives. */
function openBook() {
  const clock = new ManualClock();
  const given = { status: 200, servers: [] as readonly object[] };
  const book = new ProofBook({
    ...{ clock, maxSites: 10 },
    fetch: async () => {
      const { status, servers } = given;
      const body = [Buffer.from(JSON.stringify({ servers }))];
      return { status, body, [Symbol.asyncDispose]: async () => {} } as unknown as FetchResponse;
    },
  });
  const stateAfter = async (status: number, servers: readonly object[] = []) => {
    clock.advance(3_600_000);
    Object.assign(given, { status, servers });
    await book.look(site);
    return book.stateOf(`${site}/docs/`, server);
  };
  return { book, stateAfter };
}

test('a site that is silent for a while keeps its last answer', async () => {
  const { stateAfter } = openBook();
  const states = [
    await stateAfter(503, [server]),
    await stateAfter(200, [server]),
    await stateAfter(503),
    await stateAfter(429),
    await stateAfter(404),
    await stateAfter(503),
  ];
  assert.deepEqual(states, ['unchecked', 'proved', 'proved', 'proved', 'unproved', 'unproved']);
});

test('an address is read once, however many servers its site names', async (t) => {
  const { book, stateAfter } = openBook();
  await stateAfter(
    200,
    Array.from({ length: 64 }, (_, n) => ({ ...server, prefix: `${site}/${n}/` })),
  );
  const parse = t.mock.method(URL, 'parse');
  assert.equal(book.stateOf(`${site}/docs/`, server), 'unproved');
  assert.equal(parse.mock.callCount(), 1);
});
