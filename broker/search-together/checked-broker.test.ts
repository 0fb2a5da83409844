import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SearchAnswer, SearchParameters } from '../searching/index.ts';
import { checkedBroker } from './checked-broker.ts';

const statistics = {
  objects: 100,
  terms: ['get', 'start'].map((term) => ({ field: 'all', term, objects: 9, occurrences: 20 })),
};

/** The titles that a Broker may report with a score beyond what words give. */
async function isBelieved(q: string, title: string): Promise<boolean> {
  const answer = { total: 1, entries: 1, hits: [{ title, score: 99 }] } as unknown as SearchAnswer;
  const broker = checkedBroker({
    name: 'http://other.example/',
    statistics: async () => statistics,
    search: async () => answer,
  });
  const parameters = {
    q,
    statistics,
    limit: 10,
    offset: 0,
    sources: [],
    types: [],
  } satisfies SearchParameters;
  try {
    return (await broker.search(parameters)) === answer;
  } catch (error) {
    assert.match(String(error), /it reports a score of 99/);
    return false;
  }
}

test('a score by a title that is the query is believed only where the hit has that title', async () => {
  for (const title of ['Getting started', '3. Getting Started | Site', 'Get start', 'GETTING, started!'])
    assert.equal(await isBelieved('getting started', title), true, title);
  for (const title of ['Getting it started', 'Getting', 'http://example.org/', ''])
    assert.equal(await isBelieved('getting started', title), false, title);
  assert.equal(await isBelieved('getting OR started', 'Getting'), false);
});
