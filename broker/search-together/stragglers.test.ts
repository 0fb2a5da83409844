import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { searchFederated } from './federated-search.ts';
import { type Answers, emptyAnswer, fetchOf } from './testing/brokers-in-memory.ts';

/** Wait until nothing more happens at this time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Search Brokers that answer after these delays in ms. Resolves with the ms that it took by the clock. */
async function searchDelayed(
  delays: readonly (readonly [counts: number, hits: number])[],
  { deadlineMs = 2000, isStubborn = false } = {},
) {
  const clock = new ManualClock();
  const started = clock.now();
  let requests = 0;
  const delayed =
    ([counts, hits]: readonly [number, number]): Answers =>
    async (path, signal) => {
      requests++;
      const isCounting = path.startsWith('/statistics');
      // A stubborn one does not react to the end of a request.
      await clock.sleep(isCounting ? counts : hits, isStubborn ? undefined : signal);
      return isCounting ? { text: '[7,["all","tide",3,4]]' } : { ...emptyAnswer, total: 1 };
    };
  const brokers = Object.fromEntries(delays.map((one, n) => [`http://broker${n}.example/`, delayed(one)]));
  const fetch = fetchOf(brokers);
  let took: number | undefined;
  const searching = searchFederated(
    {
      brokers: () => Object.keys(brokers).map((url) => ({ url, name: url, objects: 7 })),
      ...{ fetch, clock, deadlineMs: 2000 },
    },
    {
      parameters: { q: 'tide', limit: 10, offset: 0, sources: [], types: [] },
      ...{ max: 16, deadlineMs, signal: new AbortController().signal },
    },
  ).then((answer) => {
    took = clock.now() - started;
    return answer;
  });
  while (took === undefined) {
    await settled();
    if (took === undefined) clock.advance(1);
  }
  return { answer: await searching, took, requests };
}

test('a federated search takes as long as the slowest Broker of each of its two rounds, and no longer', async () => {
  const random = seededRandom(7);
  const delay = () => 5 + Math.floor(random.next() * 76);
  for (let search = 0; search < 20; search++) {
    const delays = Array.from({ length: 5 }, () => [delay(), delay()] as const);
    const { answer, took, requests } = await searchDelayed(delays);
    const slowest =
      Math.max(...delays.map(([counts]) => counts)) + Math.max(...delays.map(([, hits]) => hits));
    assert.equal(took, slowest);
    assert.equal(requests, 10);
    assert.deepEqual(answer.coverage, { answered: 5, asked: 5 });
  }
});

test('at its deadline a federated search answers with the Brokers that have answered, even beside stubborn ones', async () => {
  for (const isStubborn of [false, true]) {
    const delays = [[5, 5] as const, [5, 60_000] as const, [60_000, 5] as const];
    const { answer, took } = await searchDelayed(delays, { deadlineMs: 1500, isStubborn });
    assert.equal(took, 1500);
    assert.deepEqual(answer.coverage, { answered: 1, asked: 3 });
    assert.equal(answer.total, 1);
    const [honest, late, silent] = answer.brokers.map(({ error }) => error);
    assert.equal(honest, null);
    assert.match(late ?? '', /not answered in 1.5 s/);
    assert.match(silent ?? '', /longer than 0.6 seconds/);
  }
});
