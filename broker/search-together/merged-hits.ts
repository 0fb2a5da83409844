import type { Oid } from '../../soif/index.ts';
import { type ResultOrder, titleOrder, urlOrder } from '../engines/index.ts';
import type { SearchHit, SearchParameters } from '../searching/index.ts';
import type { RemoteList } from './remote-list.ts';

/** A hit of one more Broker, folded into another one. */
interface AlsoAt {
  readonly broker: string;
  readonly oid: Oid;
  readonly url: string;
}

/** A hit, the name of the Broker that returned it, and the other Brokers that have the same. */
export type MergedHit = SearchHit & { readonly broker: string; readonly alsoAt: readonly AlsoAt[] };

type Merged = SearchHit & { readonly broker: string; readonly alsoAt: AlsoAt[] };

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

export interface MergeOptions extends Pick<SearchParameters, 'order' | 'fold' | 'perSource'> {
  /** The part of the merged list to return: from `offset` to before `end`. */
  readonly offset: number;
  readonly end: number;
}

/**
 * Merge ordered lists into one, each object once, and return a part of it. Equal hits come in the order of the lists. An
 * object of several Brokers names them all as far as their hits have arrived. With folding, so does a document with equal
 * bytes, and an object already listed by an earlier hit is left out. A limit per source applies to the merged list.
 */
export async function mergedHits(
  lists: readonly RemoteList[],
  { order, fold = false, perSource = Number.POSITIVE_INFINITY, offset, end }: MergeOptions,
): Promise<readonly MergedHit[]> {
  const compare = hitOrder(order);
  const hits: Merged[] = [];
  /** The hit of each key; undefined for hits that are not returned. */
  const seen = new Map<string, Merged | undefined>();
  const ofSource = new Map<string, number>();
  const keysOf = ({ oid, md5 }: SearchHit) => (fold && md5 !== undefined ? [oid, `md5 ${md5}`] : [oid]);
  /** Whether it is a copy of an earlier hit, which then names its Broker too. */
  const isCopy = (hit: SearchHit, broker: string): boolean => {
    const key = keysOf(hit).find((one) => seen.has(one));
    if (key === undefined) return false;
    const first = seen.get(key);
    for (const other of keysOf(hit)) seen.set(other, first);
    if (first !== undefined && [first, ...first.alsoAt].every((at) => at.broker !== broker))
      first.alsoAt.push({ broker, oid: hit.oid, url: hit.url });
    return true;
  };
  for (let at = 0; at < end; ) {
    let [hit, list]: [SearchHit?, RemoteList?] = [];
    for (const one of lists) {
      const head = await one.head();
      if (head !== undefined && (hit === undefined || compare(head, hit) < 0)) [hit, list] = [head, one];
    }
    if (hit === undefined || list === undefined) return hits;
    list.pass();
    const { name: broker } = list.broker;
    if (isCopy(hit, broker)) continue;
    const others = ofSource.get(hit.source) ?? 0;
    const merged = others < perSource && at >= offset ? { ...hit, broker, alsoAt: [] } : undefined;
    for (const key of [...keysOf(hit), ...(fold ? hit.also.map(({ oid }) => oid) : [])])
      seen.set(key, merged);
    if (others >= perSource) continue;
    ofSource.set(hit.source, others + 1);
    if (merged !== undefined) hits.push(merged);
    at++;
  }
  for (const { broker, arrived } of lists) for (const hit of arrived) isCopy(hit, broker.name);
  return hits;
}
