import { cutAtWord } from '../../kernel/index.ts';
import { type Language, languageOfObject, matchedLines, type QueryNode } from '../../query/index.ts';
import { Attributes, attributeNumber, attributeText, type Oid } from '../../soif/index.ts';
import type { EngineHit } from '../engines/index.ts';
import { bestSections, snippet, titleMatches } from '../snippets/index.ts';
import { tableFormat } from '../table-access/index.ts';
import type { HitObjectCache } from './hit-object-cache.ts';
import type { ResultTemplates } from './result-templates.ts';
import type { Copy, SearchHit } from './search-answer.ts';

export interface HitContext {
  readonly objects: HitObjectCache;
  /** The source's id for the partitions that hold an object. */
  readonly sourceOf: (partitions: readonly number[]) => string;
  /** UTF-16 units. */
  readonly snippetLength: number;
  readonly query: QueryNode;
  /** The language of objects that do not name theirs. */
  readonly fallback: Language;
  readonly lines: number;
  readonly showsTables?: boolean;
  readonly templates?: ResultTemplates;
  readonly nameOf: (source: string) => string;
}

/** UTF-16 units. */
const maxTitleLength = 300;

const languageTag = /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i;

/** The short description of a hit (harvest.txt 3.2); undefined when its object was deleted. */
export async function describeHit(
  { oid, score, also = [], alsoTotal = also.length }: EngineHit,
  { objects, sourceOf, snippetLength, query, fallback, lines, nameOf, templates, showsTables }: HitContext,
): Promise<SearchHit | undefined> {
  const read = await objects.read(oid);
  if (read === undefined) return undefined;
  const { object, described } = read;
  const language = languageOfObject(object, fallback);
  const { text, matches, matched } = snippet(object, query, { maxLength: snippetLength, language });
  const title = cutAtWord(attributeText(object, Attributes.title)?.trim() || object.url, maxTitleLength);
  const named = attributeText(object, Attributes.language)?.trim() ?? '';
  const source = sourceOf(described.partitions);
  const md5 = attributeText(object, Attributes.md5)?.trim().toLowerCase() ?? '';
  return {
    oid,
    url: object.url,
    title,
    titleMatches: titleMatches(title, query, language),
    snippet: text,
    matches,
    attributes: matched,
    lines: lines === 0 ? [] : matchedLines(object, query, lines, language),
    score: Math.round(score * 1000) / 1000,
    source,
    sourceName: nameOf(source),
    type: attributeText(object, Attributes.type) ?? 'Unrecognized',
    ...(/^[0-9a-f]{32}$/.test(md5) && { md5 }),
    ...(languageTag.test(named) && { language: named }),
    size: attributeNumber(object, Attributes.fileSize) ?? null,
    updatedAt: described.updatedAt,
    modifiedAt: attributeNumber(object, Attributes.lastModificationTime) ?? null,
    also: (await Promise.all(also.map((copy) => describeCopy(copy, { objects, sourceOf, nameOf })))).filter(
      (copy) => copy !== undefined,
    ),
    alsoTotal,
    access: showsTables && tableFormat(object) !== undefined ? ['table'] : [],
    shown: templates?.of(object) ?? [],
    ...bestSections(object, query, language),
  };
}

async function describeCopy(
  oid: Oid,
  { objects, sourceOf, nameOf }: Pick<HitContext, 'objects' | 'sourceOf' | 'nameOf'>,
): Promise<Copy | undefined> {
  const read = await objects.read(oid);
  if (read === undefined) return undefined;
  const source = sourceOf(read.described.partitions);
  return { oid, url: read.object.url, source, sourceName: nameOf(source) };
}

const encoder = new TextEncoder();

/** Hits as JSON lines (one object a line, UTF-8), made only as fast as they are read; `select` chooses their fields. */
export async function* hitLines(
  hits: AsyncIterable<SearchHit>,
  select: (hit: SearchHit) => Partial<SearchHit> = (hit) => hit,
): AsyncGenerator<Uint8Array> {
  for await (const hit of hits) yield encoder.encode(`${JSON.stringify(select(hit))}\n`);
}
