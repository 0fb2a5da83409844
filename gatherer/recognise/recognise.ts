import { ambiguousLanguage } from '../../readers/code/index.ts';
import type { DocumentInput, RecognisedDocument } from '../../readers/document/index.ts';
import { admits, decodesAsText, isTable } from './admission.ts';
import { type Content, contentOf, sniffedBytes } from './content-signatures.ts';
import {
  type RecognitionRule,
  typesByExtension,
  typesByMediaType,
  typesByName,
  typesByTopLevel,
  typesByUrl,
} from './recognition-tables.ts';
import { typeOfLanguage } from './text-marks.ts';
import { type TypeName, typeMediaTypes } from './type-names.ts';
import { OwnTypes, type TypeTables } from './type-tables.ts';
import { vocabularyOf } from './vocabularies.ts';

/** The type of a document, and how it was recognised. */
export interface Recognition {
  /** Harvest's type name; `Unrecognized` when nothing shows the type. */
  readonly type: TypeName;
  /** Lower case, without parameters. */
  readonly mediaType: string;
  /** The charset in the HTTP header, in lower case. The summariser reads marks inside the document. */
  readonly charset?: string;
  readonly by: 'url' | 'header' | 'name' | 'content';
  /** Types that URL, header or name propose and the bytes refute. */
  readonly refuted: readonly TypeName[];
}

/** A document with its type, and how it was recognised. */
export interface Recognised extends RecognisedDocument {
  readonly by: string;
  readonly refuted: readonly string[];
}

// A URL of the Web may be a megabyte long; patterns read this many characters.
const maxMatched = 4096;

/**
 * Type recognition (Essence, harvest.txt 3.1): by URL, then by name, then by content. A specific HTTP header comes
 * between URL and name, because `/File:Photo.jpg` and `/report.pdf` are often HTML pages and only the server knows.
 * Servers send `text/plain` and `application/octet-stream` when they do not know the type, so these count last. Each of
 * them only proposes a type: the first whose documents may have such bytes is it, else the bytes alone decide.
 */
export function recognise(document: DocumentInput): Recognition {
  const { bytes, name } = document;
  const content = contentOf(bytes);
  const header = parseContentType(document.contentType);
  const charset = header?.charset === undefined ? {} : { charset: header.charset };
  const proposed: Proposal[] = [];
  for (const proposal of proposals(document, header?.mediaType, content)) {
    if (!admits(proposal.type, content, bytes, name)) {
      proposed.push(proposal);
      continue;
    }
    const refuted = typesOf(proposed.filter(({ by }) => by !== proposal.by));
    const type = vocabularyOf(proposal.type, bytes, name) ?? proposal.type;
    if (type !== proposal.type)
      return { type, mediaType: typeMediaTypes[type], ...charset, by: 'content', refuted };
    const exact = content.type === type && proposal.mediaType.endsWith('*') ? content.mediaType : undefined;
    return { ...proposal, mediaType: exact ?? proposal.mediaType, ...charset, refuted };
  }
  const refuted = typesOf(proposed);
  const shown = typeOfBytes(content, document, header?.mediaType, refuted);
  const type = vocabularyOf(shown.type, bytes, name) ?? shown.type;
  const mediaType = type === shown.type ? shown.mediaType : undefined;
  return {
    type,
    mediaType: mediaType ?? typeMediaTypes[type],
    ...charset,
    by: 'content',
    // The history of a file has its name.
    refuted: type === 'SCCS' ? [] : refuted.filter((other) => other !== type),
  };
}

/** Their types; of one source the first. */
const typesOf = (proposals: readonly Proposal[]): readonly TypeName[] => [
  ...new Set([...new Map(proposals.toReversed().map(({ by, type }) => [by, type])).values()].reverse()),
];

type Proposal = Pick<Recognition, 'type' | 'mediaType' | 'by'>;

function* proposals(
  { url, unwrappedUrl = url, name }: DocumentInput,
  mediaType: string | undefined,
  content: Content,
): Generator<Proposal> {
  const byUrl = firstMatch(typesByUrl, unwrappedUrl.slice(0, maxMatched));
  if (byUrl !== undefined) yield { type: byUrl, mediaType: typeMediaTypes[byUrl], by: 'url' };
  const byHeader = mediaType && typeOfMediaType(mediaType);
  if (mediaType && byHeader) yield { type: byHeader, mediaType, by: 'header' };
  for (const byName of typesOfName(name)) {
    const language = ofSeveralLanguages.has(byName) ? ambiguousLanguage(name, content.start) : undefined;
    const type = language === undefined ? byName : typeOfLanguage(language);
    yield { type, mediaType: mediaTypeOfName(type, name), by: 'name' };
  }
}

/** Types whose extensions programs of other languages have too. */
const ofSeveralLanguages: ReadonlySet<TypeName> = new Set(['Perl', 'Tex', 'Troff']);

function typeOfBytes(
  content: Content,
  { bytes }: DocumentInput,
  header: string | undefined,
  refuted: readonly TypeName[],
): { readonly type: TypeName; readonly mediaType?: string } {
  // Programs save tables of text under the name of a workbook.
  if (content.type === 'Text' && refuted.includes('MSExcel') && isTable(bytes)) return { type: 'Data' };
  if (content.type !== undefined)
    return { type: content.type, ...(content.mediaType && { mediaType: content.mediaType }) };
  if (bytes.length === 0 && header?.startsWith('text/')) return { type: 'Text', mediaType: header };
  return { type: 'Unrecognized' };
}

const proposers: ReadonlySet<string> = new Set(['url', 'header', 'name', 'content']);

/** Type recognition with an operator's own tables before Garner's, each in its place. */
export class Recogniser {
  readonly #own: OwnTypes;

  /** Throws RULE_PATTERN. */
  constructor(tables: TypeTables) {
    this.#own = new OwnTypes(tables);
  }

  /** The document with its type; `known` when it is given beforehand. */
  recognise(document: DocumentInput, known?: string): Recognised {
    const own = known ?? this.#ownType(document);
    if (own === undefined) return { ...document, ...recognise(document) };
    const charset = parseContentType(document.contentType)?.charset;
    const mediaType = mediaTypeOf(own);
    const by = known === undefined ? 'your own rule' : 'its wrapper';
    return {
      ...document,
      type: own,
      mediaType,
      by,
      refuted: [],
      ...(charset === undefined ? {} : { charset }),
    };
  }

  /**
   * The document under the further types that its reader can try when that of its type refuses it: by its bytes alone,
   * as markup, as text. None for types of an operator's own rule.
   */
  others(document: Recognised): readonly Recognised[] {
    if (!proposers.has(document.by)) return [];
    const { bytes } = document;
    const { type, mediaType } = recognise({ url: '', name: '', bytes });
    const { start, certain } = contentOf(bytes);
    const text = decodesAsText(bytes, document.type as TypeName);
    const others = new Map<TypeName, string>();
    if (text || certain) others.set(type, mediaType);
    if (text && start.startsWith('<') && type !== 'HTML') others.set('HTML', typeMediaTypes.HTML);
    if (text) others.set('Text', typeMediaTypes.Text);
    return [...others]
      .filter(([other]) => other !== document.type)
      .map(([other, media]) => ({
        ...document,
        type: other,
        mediaType: media,
        refuted: [...document.refuted, document.type],
      }));
  }

  /** Whether the bytes of a document alone show its type. */
  isShown({ type, bytes }: Recognised): boolean {
    return contentOf(bytes).type === type;
  }

  /** The type by the name alone, or undefined. */
  typeOfName(name: string): string | undefined {
    return this.#own.ofName(name) ?? typesOfName(name)[0];
  }

  #ownType({ url, unwrappedUrl, name, bytes }: DocumentInput): string | undefined {
    const start = () => Buffer.from(bytes.subarray(0, sniffedBytes)).toString('latin1');
    return (
      this.#own.ofUrl((unwrappedUrl ?? url).slice(0, maxMatched)) ??
      this.#own.ofName(name.slice(0, maxMatched)) ??
      this.#own.ofContent(start)
    );
  }
}

function mediaTypeOf(type: string): string {
  return Object.hasOwn(typeMediaTypes, type) ? typeMediaTypes[type as TypeName] : typeMediaTypes.Unrecognized;
}

/** The parts of a `content-type` header, or undefined when it is none. Bad parameters are ignored. */
export function parseContentType(
  header: string | undefined,
): { readonly mediaType: string; readonly charset?: string } | undefined {
  if (header === undefined) return undefined;
  const [first = '', ...parameters] = header.slice(0, maxMatched).split(';', 8);
  const mediaType = first.trim().toLowerCase();
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(mediaType)) return undefined;
  for (const parameter of parameters) {
    const charset = /^\s*charset\s*=\s*["']?([\w.:+-]{1,40})/i.exec(parameter)?.[1];
    if (charset !== undefined) return { mediaType, charset: charset.toLowerCase() };
  }
  return { mediaType };
}

function firstMatch(rules: readonly RecognitionRule[], text: string): TypeName | undefined {
  return rules.find(([pattern]) => pattern.test(text))?.[1];
}

function typeOfMediaType(mediaType: string): TypeName | undefined {
  const known = typesByMediaType.get(mediaType);
  if (known !== undefined) return known;
  const topLevel = typesByTopLevel.get(mediaType.slice(0, mediaType.indexOf('/')));
  if (topLevel !== undefined) return topLevel;
  if (mediaType.endsWith('+xml')) return 'XML';
  if (mediaType.endsWith('+json')) return 'JSON';
  return undefined;
}

/** By the whole name, then by the extension. */
function typesOfName(name: string): readonly TypeName[] {
  const matched = name.slice(0, maxMatched);
  const types = [firstMatch(typesByName, matched), typesByExtension.get(extensionOf(matched))];
  return types.filter((type) => type !== undefined);
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

// XHTML files are parsed by other rules (self-closing tags close), so they have a media type of their own.
function mediaTypeOfName(type: TypeName, name: string): string {
  return type === 'HTML' && /\.xht(?:ml)?$/i.test(name) ? 'application/xhtml+xml' : typeMediaTypes[type];
}
