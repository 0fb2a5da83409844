import { type Oid, oidFromBytes } from '../../../soif/index.ts';
import type { DocColumns } from '../documents/doc-columns.ts';
import type { DetailRows } from '../documents/doc-details.ts';
import type { DocOids } from '../documents/doc-oids.ts';
import type { FacetValues } from '../documents/facet-values.ts';
import { docnoKey } from '../index-database/index-keys.ts';
import type { PostingRows } from '../index-database/posting-database.ts';
import type { EngineAnswer, EngineHit, MatchRequest, SearchRequest } from '../model/search-engine.ts';
import { type Scoring, scoresOf } from '../scoring/scores.ts';
import { countFacets } from './facet-counts.ts';
import { firstOf, listOf, orderKeys, othersOf, type ResultList } from './result-list.ts';

/** Bytes of an OID. */
const oidLength = 32;

/** OIDs whose bytes are concatenated. */
function* oidsIn(joined: Uint8Array): Iterable<Oid> {
  for (let at = 0; at < joined.length; at += oidLength)
    yield oidFromBytes(joined.subarray(at, at + oidLength));
}

/** The matches of a query at one moment, perhaps with dead docnos. */
export interface FoundObjects {
  readonly matching: Uint32Array;
  readonly columns: DocColumns;
  /** Its ranking. Without one, matches are in the order of their docnos. */
  readonly scoring?: Scoring;
}

export interface ResultParts {
  readonly rows: PostingRows;
  readonly oids: DocOids;
  readonly details: DetailRows;
  readonly values: FacetValues;
}

const maxOthersShown = 10;
const oidsReadAtOnce = 1024;

/** The requested part of the list of results, with counts over the whole list. */
export async function answerOf(
  found: FoundObjects,
  request: SearchRequest,
  parts: ResultParts,
): Promise<EngineAnswer> {
  const { limit, offset } = request;
  const counted = await countFacets(found.matching, found.columns, parts.details, parts.values, request);
  const { docnos, source, type, more } = counted;
  const total = docnos.length;
  const facets = { source, type, more };
  const isPlain = request.fold !== true && request.perSource === undefined && request.whole !== true;
  if (isPlain && (limit <= 0 || offset >= total)) return { hits: [], total, facets, entries: total };
  const list = await resultList(docnos, request, found, parts);
  const entries = list.hits.length;
  const whole = request.whole === true && { list: await wholeList(list, docnos, parts.rows, request.signal) };
  if (limit <= 0 || offset >= entries) return { hits: [], total, facets, entries, ...whole };
  const shown = firstOf(list.hits, list.keys, Math.min(entries, offset + limit)).subarray(offset);
  const hits = await engineHits(shown, docnos, list, request, found, parts);
  return { hits, total, facets, entries, ...whole };
}

/** The whole list in its order: 32 bytes a hit. Rows of one moment leave none out. */
export async function listOfAll(
  found: FoundObjects,
  request: MatchRequest,
  parts: ResultParts,
): Promise<Iterable<Oid>> {
  const { docnos } = await countFacets(found.matching, found.columns, parts.details, parts.values, request);
  return wholeList(await resultList(docnos, request, found, parts), docnos, parts.rows, request.signal);
}

async function wholeList(
  { hits, keys }: ResultList,
  docnos: Uint32Array,
  rows: PostingRows,
  signal: AbortSignal | undefined,
): Promise<Iterable<Oid>> {
  const list = firstOf(hits, keys, hits.length).map((index) => docnos[index] as number);
  const oids = Buffer.allocUnsafe(list.length * oidLength);
  let found = 0;
  for (let at = 0; at < list.length; at += oidsReadAtOnce) {
    signal?.throwIfAborted();
    const part = Array.from(list.subarray(at, at + oidsReadAtOnce), docnoKey);
    for (const oid of await rows.getMany(part)) if (oid !== undefined) oids.set(oid, oidLength * found++);
  }
  return oidsIn(oids.subarray(0, oidLength * found));
}

async function resultList(
  docnos: Uint32Array,
  request: MatchRequest,
  { scoring, columns }: FoundObjects,
  { details }: ResultParts,
): Promise<ResultList> {
  const keys =
    request.order === undefined
      ? await scored(docnos, scoring)
      : await orderKeys(request.order, docnos, details);
  return listOf(docnos, keys, (docno) => columns.source(docno), details, request);
}

const scored = async (docnos: Uint32Array, scoring: Scoring | undefined) =>
  scoring === undefined ? new Float64Array(docnos.length) : scoresOf(docnos, scoring);

/** The hits shown. Those whose data is gone are left out. */
async function engineHits(
  shown: Uint32Array,
  docnos: Uint32Array,
  { keys, bytes }: ResultList,
  { order }: SearchRequest,
  { scoring }: FoundObjects,
  { rows, oids }: ResultParts,
): Promise<EngineHit[]> {
  const docnoAt = (index: number) => docnos[index] as number;
  const found = await oids.of(rows, Array.from(shown, docnoAt));
  const own = Uint32Array.from(shown, docnoAt).sort();
  const scores = order && (await scored(own, scoring));
  const scoreAt = (index: number) =>
    (scores === undefined ? keys[index] : scores[own.indexOf(docnoAt(index))]) as number;
  const others = bytes && othersOf(docnos, shown, bytes);
  const hits: EngineHit[] = [];
  for (const [at, index] of shown.entries()) {
    const oid = found[at];
    if (oid === undefined) continue;
    const hit = { oid, score: scoreAt(index) };
    const same = (bytes && others?.get(bytes(docnoAt(index)))) ?? [];
    if (same.length === 0) {
      hits.push(hit);
      continue;
    }
    const named = await oids.of(rows, same.slice(0, maxOthersShown).map(docnoAt));
    hits.push({ ...hit, also: named.filter((other) => other !== undefined), alsoTotal: same.length });
  }
  return hits;
}
