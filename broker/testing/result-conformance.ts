import assert from 'node:assert/strict';
import type { Random } from '../../kernel/index.ts';
import type { Oid, SummaryObject } from '../../soif/index.ts';
import { modifiedOf, sizeOf, titleKey, urlKey } from '../engines/documents/facet-attributes.ts';
import {
  type EngineAnswer,
  type EngineHit,
  orders,
  type SearchEngine,
  type SearchRequest,
} from '../engines/model/search-engine.ts';
import type { ReferenceEngine } from '../engines/reference/reference-engine.ts';

/** An engine and its reference. */
export interface ListTrial {
  readonly random: Random;
  readonly reference: ReferenceEngine;
  readonly truth: ReadonlyMap<Oid, SummaryObject>;
}

const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random.next() * values.length)] as Value;

/** Random options that change the list of results. */
function randomPresentation(random: Random): Partial<SearchRequest> {
  const sometimes = <Value>(share: number, value: () => Value) =>
    random.next() < share ? value() : undefined;
  const order = sometimes(0.5, () => ({ by: pick(random, orders), reversed: random.next() < 0.5 }));
  const filters = [
    sometimes(0.2, () => ({ facet: 'year', values: ['1970', pick(random, ['2019', '2020', 'x'])] })),
    sometimes(0.2, () => ({ facet: 'month', values: [pick(random, ['2020-02', '2021-12'])] })),
    sometimes(0.2, () => ({
      facet: 'language',
      values: [pick(random, ['apache', 'de', 'fr-CA', 'proxy', 'the', 'absent'])],
    })),
  ].filter((filter) => filter !== undefined);
  const perSource = sometimes(0.3, () => 1 + Math.floor(random.next() * 4));
  return {
    facets: ['year', 'language', 'month', 'publisher'],
    fold: random.next() < 0.5,
    ...(filters.length > 0 && { filters }),
    ...(order && { order }),
    ...(perSource && { perSource }),
  };
}

/** The sort value of an object, as text. */
function orderValue(object: SummaryObject | undefined, by: (typeof orders)[number]): string {
  if (object === undefined) return 'gone';
  const values = { date: modifiedOf, size: sizeOf, title: titleKey, url: urlKey };
  return String(values[by](object));
}

const maxTries = 50;

/** Every way to request a list gives the same list. */
async function compareWays(engine: SearchEngine, request: SearchRequest, shown: string): Promise<void> {
  const ordered = async () => (await engine.search(request)).hits.map(({ oid }) => oid);
  for (let before = await ordered(), tries = 1; ; tries++) {
    const matched = [...(await engine.matches(request))];
    const whole = await engine.search({ ...request, limit: 0, whole: true });
    const after = await ordered();
    // A merge in the background drops dead postings, and so changes which words are rare: then the lists are
    // of different moments.
    const isMoved = after.some((oid, at) => oid !== before[at]);
    before = isMoved ? after : before;
    if (isMoved && tries < maxTries) continue;
    assert.deepEqual(matched, before, shown);
    assert.deepEqual([...(whole.list ?? [])], matched, shown);
    return;
  }
}

/** Compare lists in every order, folding, grouping, filter and count; without an order, as sets. */
export async function compareLists(
  engine: SearchEngine,
  trial: ListTrial,
  search: Pick<SearchRequest, 'query'>,
): Promise<void> {
  const request = { ...search, ...randomPresentation(trial.random), limit: 100_000, offset: 0 };
  const shown = JSON.stringify(request);
  const [answer, expected] = [await engine.search(request), await trial.reference.search(request)];
  assert.deepEqual(answer.facets, expected.facets, shown);
  assert.equal(answer.total, expected.total, shown);
  assert.equal(answer.entries, answer.hits.length, shown);
  // The object that a folded hit shows, and so its source, follows the order.
  if (request.order !== undefined || !request.fold || request.perSource === undefined)
    assert.equal(answer.entries, expected.entries, shown);
  await compareWays(engine, request, shown);
  const folded = ({ also = [], alsoTotal = 0 }: EngineHit) => Math.max(also.length, alsoTotal);
  const count = (from: EngineAnswer) => from.hits.reduce((sum, hit) => sum + 1 + folded(hit), 0);
  if (request.perSource === undefined) assert.equal(count(answer), answer.total, `folding loses: ${shown}`);
  if (request.order === undefined) return;
  const values = (from: EngineAnswer) =>
    from.hits.map(({ oid }) => orderValue(trial.truth.get(oid), request.order?.by ?? 'date'));
  assert.deepEqual(values(answer), values(expected), shown);
}
