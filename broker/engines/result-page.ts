import { type Oid, oidFromBytes } from '../../soif/index.ts';
import type { EngineAnswer, EngineHit, MatchRequest, SearchRequest } from '../search-engine.ts';
import type { DocDetails } from './doc-details.ts';
import type { Evaluation } from './evaluation.ts';
import { countFacets } from './facet-counts.ts';
import type { FacetValues } from './facet-values.ts';
import { docnoKey } from './index-keys.ts';
import type { PostingDatabase } from './posting-database.ts';
import { firstOf, listOf, orderKeys, othersOf, type ResultList } from './result-list.ts';
import { scoresOf } from './scores.ts';

/** What results are made from, besides. */
export interface ResultParts {
  readonly database: PostingDatabase;
  readonly details: DocDetails;
  readonly values: FacetValues;
}

const maxOthersShown = 10;

/** The part of the list of results that was asked for, with what was counted over all of it. */
export async function answerOf(
  found: Evaluation,
  request: SearchRequest,
  parts: ResultParts,
): Promise<EngineAnswer> {
  const { limit, offset } = request;
  const { columns } = found.snapshot;
  const counted = await countFacets(found.matching, columns, parts.details, parts.values, request);
  const { docnos, source, type, more } = counted;
  const total = docnos.length;
  const facets = { source, type, more };
  const isWhole = request.fold !== true && request.perSource === undefined;
  if (isWhole && (limit <= 0 || offset >= total)) return { hits: [], total, facets, entries: total };
  const list = await resultList(docnos, request, found, parts);
  const entries = list.hits.length;
  if (limit <= 0 || offset >= entries) return { hits: [], total, facets, entries };
  const shown = firstOf(list.hits, list.keys, Math.min(entries, offset + limit)).subarray(offset);
  return { hits: await engineHits(shown, docnos, list, request, found, parts), total, facets, entries };
}

/** The docnos of the whole list, in its order. */
export async function listedDocnos(
  found: Evaluation,
  request: MatchRequest,
  parts: ResultParts,
): Promise<Uint32Array> {
  const { columns } = found.snapshot;
  const { docnos } = await countFacets(found.matching, columns, parts.details, parts.values, request);
  const { hits, keys } = await resultList(docnos, request, found, parts);
  return firstOf(hits, keys, hits.length).map((index) => docnos[index] as number);
}

async function resultList(
  docnos: Uint32Array,
  request: MatchRequest,
  { scoring, snapshot }: Evaluation,
  { details }: ResultParts,
): Promise<ResultList> {
  const keys =
    request.order === undefined
      ? await scoresOf(docnos, scoring)
      : await orderKeys(request.order, docnos, details);
  return listOf(docnos, keys, (docno) => snapshot.columns.source(docno), details, request);
}

/** What is known of the hits that are shown; those gone since the search began are left out. */
async function engineHits(
  shown: Uint32Array,
  docnos: Uint32Array,
  { keys, bytes }: ResultList,
  { order }: SearchRequest,
  { scoring }: Evaluation,
  { database }: ResultParts,
): Promise<EngineHit[]> {
  const docnoAt = (index: number) => docnos[index] as number;
  const oids = await oidsOf(database, Array.from(shown, docnoAt));
  const own = Uint32Array.from(shown, docnoAt).sort();
  const scores = order && (await scoresOf(own, scoring));
  const scoreAt = (index: number) =>
    (scores === undefined ? keys[index] : scores[own.indexOf(docnoAt(index))]) as number;
  const others = bytes && othersOf(docnos, shown, bytes);
  const hits: EngineHit[] = [];
  for (const [at, index] of shown.entries()) {
    const oid = oids[at];
    if (oid === undefined) continue;
    const hit = { oid, score: scoreAt(index) };
    const same = (bytes && others?.get(bytes(docnoAt(index)))) ?? [];
    if (same.length === 0) {
      hits.push(hit);
      continue;
    }
    const named = await oidsOf(database, same.slice(0, maxOthersShown).map(docnoAt));
    hits.push({ ...hit, also: named.filter((other) => other !== undefined), alsoTotal: same.length });
  }
  return hits;
}

async function oidsOf(database: PostingDatabase, docnos: readonly number[]): Promise<(Oid | undefined)[]> {
  const values = await database.getMany(docnos.map(docnoKey));
  return values.map((bytes) => (bytes === undefined ? undefined : oidFromBytes(bytes)));
}
