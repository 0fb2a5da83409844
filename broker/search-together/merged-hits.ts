import { type ResultOrder, titleOrder, urlOrder } from '../engines/index.ts';
import type { SearchHit, SearchParameters } from '../searching/index.ts';
import type { RemoteList } from './remote-list.ts';

/** A hit and the name of the Broker that returned it. */
export type MergedHit = SearchHit & { readonly broker: string };

/** Negative where `a` comes first. Hits without a date or size come last either way. */
type HitOrder = (a: SearchHit, b: SearchHit) => number;

function byNumber(of: (hit: SearchHit) => number | null, sign: number): HitOrder {
  const key = (hit: SearchHit) => {
    const number = of(hit);
    return number === null ? Number.NEGATIVE_INFINITY : sign * number;
  };
  return (a, b) => (key(a) === key(b) ? 0 : key(a) > key(b) ? -1 : 1);
}

function byText(of: (hit: SearchHit) => string, sign: number): HitOrder {
  return (a, b) => {
    const [first, second] = [of(a), of(b)];
    return first === second ? 0 : first < second ? -sign : sign;
  };
}

function hitOrder(order: ResultOrder | undefined): HitOrder {
  const sign = order?.reversed === true ? -1 : 1;
  switch (order?.by) {
    case undefined:
      return byNumber(({ score }) => score, 1);
    case 'date':
      return byNumber(({ modifiedAt }) => modifiedAt, sign);
    case 'size':
      return byNumber(({ size }) => size, sign);
    case 'title':
      return byText(({ title }) => titleOrder(title), sign);
    case 'url':
      return byText(({ url }) => urlOrder(url), sign);
  }
}

/**
 * Merge ordered lists into one, each object once. Equal hits come in the order of the lists. With folding, an
 * object already listed by an earlier hit is left out. A limit per source applies to the merged list.
 */
export async function* mergedHits(
  lists: readonly RemoteList[],
  {
    order,
    fold = false,
    perSource = Number.POSITIVE_INFINITY,
  }: Pick<SearchParameters, 'order' | 'fold' | 'perSource'>,
): AsyncGenerator<MergedHit> {
  const compare = hitOrder(order);
  const seen = new Set<string>();
  const ofSource = new Map<string, number>();
  for (;;) {
    let [first, best]: [SearchHit?, RemoteList?] = [];
    for (const list of lists) {
      const head = await list.head();
      if (head !== undefined && (first === undefined || compare(head, first) < 0))
        [first, best] = [head, list];
    }
    if (first === undefined || best === undefined) return;
    best.pass();
    if (seen.has(first.oid)) continue;
    seen.add(first.oid);
    if (fold) for (const { oid } of first.also) seen.add(oid);
    const others = ofSource.get(first.source) ?? 0;
    if (others >= perSource) continue;
    ofSource.set(first.source, others + 1);
    yield { ...first, broker: best.broker.name };
  }
}
