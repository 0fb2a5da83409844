import { cutAtWord, failure } from '../../kernel/index.ts';
import { Attributes, attributeText, decodeObject, isOid, type Oid } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';
import type { Broker } from '../service/index.ts';

export interface DeletionOrder {
  /** Delete every object that matches; without a query, the objects with these ids. */
  readonly query?: string;
  readonly oids?: readonly string[];
  readonly reason: string;
  /** Whether changed versions are blocked too. */
  readonly isForGood: boolean;
  /** Only report the objects that would be deleted. */
  readonly isDryRun: boolean;
  /** Delete nothing when more objects than this match. */
  readonly atMost?: number;
  readonly by: string;
  readonly signal: AbortSignal;
}

export interface DeletionReport {
  readonly dryRun: boolean;
  /** The query as it was understood; null for ids. */
  readonly understood: string | null;
  /** Number of objects found. */
  readonly found: number;
  /** Number of objects deleted. */
  readonly deleted: number;
  /** Ids without an object here, at most twenty. */
  readonly missing: readonly string[];
  /** The first objects found, at most twenty. */
  readonly sample: readonly { readonly oid: Oid; readonly url: string; readonly title: string }[];
}

const sampleSize = 20;

const stepSize = 256;

/**
 * Delete objects by query or by id, and block each so that it is not collected again (harvest.txt 3.2). A
 * dry run only reports them. Throws BROKER_DELETE_QUERY, BROKER_DELETE_MORE, and the signal's reason
 * between steps.
 */
export async function deleteObjects(broker: Broker, order: DeletionOrder): Promise<DeletionReport> {
  const { store } = broker.folder;
  const { understood, oids } = await wanted(broker, order);
  const sample: DeletionReport['sample'][number][] = [];
  const missing: string[] = [];
  const present: Oid[] = [];
  for (const oid of oids) {
    const described = await store.describe(oid);
    if (described === undefined) {
      if (missing.length < sampleSize) missing.push(oid);
      continue;
    }
    present.push(oid);
    if (sample.length < sampleSize) sample.push(await shown(broker, oid, described.url));
    order.signal.throwIfAborted();
  }
  const report = { dryRun: order.isDryRun, understood, found: present.length, missing, sample };
  if (order.isDryRun) return { ...report, deleted: 0 };
  if (order.atMost !== undefined && present.length > order.atMost)
    throw failure(brokerErrors.BROKER_DELETE_MORE, { found: present.length, max: order.atMost });
  return { ...report, deleted: await remove(broker, present, order) };
}

async function wanted(
  broker: Broker,
  { query, oids = [], signal }: DeletionOrder,
): Promise<{ readonly understood: string | null; readonly oids: Iterable<Oid> }> {
  const bad = (problem: string) => failure(brokerErrors.BROKER_DELETE_QUERY, { problem });
  if (query === undefined) {
    const odd = oids.find((oid) => !isOid(oid));
    if (odd !== undefined) throw bad(`${odd.slice(0, 64)} is not an object id`);
    return { understood: null, oids: new Set(oids.filter(isOid)) };
  }
  if (query.trim() === '') throw bad('the query is empty');
  // A search ignores parts of a query that it cannot use; a deletion refuses such a query.
  const [note] = broker.queries.notesOn(query);
  if (note !== undefined) throw bad(note);
  await broker.indexer.reached(broker.folder.store.lsn);
  return { understood: broker.queries.understood(query), oids: await broker.queries.matches(query, signal) };
}

async function shown(broker: Broker, oid: Oid, url: string): Promise<DeletionReport['sample'][number]> {
  const stored = await broker.folder.store.get(oid);
  const title = stored === undefined ? '' : attributeText(decodeObject(stored.body), Attributes.title);
  return { oid, url, title: cutAtWord(title?.trim() ?? '', 200) };
}

async function remove(broker: Broker, oids: readonly Oid[], order: DeletionOrder): Promise<number> {
  const { store } = broker.folder;
  const { reason, by, isForGood } = order;
  const at = Math.floor(broker.clock.now() / 1000);
  let deleted = 0;
  for (let from = 0; from < oids.length; from += stepSize) {
    order.signal.throwIfAborted();
    const found = await Promise.all(oids.slice(from, from + stepSize).map((oid) => store.describe(oid)));
    const blocks = found
      .filter((object) => object !== undefined)
      .map(({ oid, url, digest }) => ({ oid, url, digest, isForGood, reason, by, at }));
    await broker.delete(blocks);
    deleted += blocks.length;
  }
  return deleted;
}
