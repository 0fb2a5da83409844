import type { DocumentInput, RecognisedDocument } from '../../readers/document/index.ts';
import { sniffedBytes, typeOfContent } from './content-signatures.ts';
import {
  type RecognitionRule,
  typesByExtension,
  typesByMediaType,
  typesByName,
  typesByTopLevel,
  typesByUrl,
} from './recognition-tables.ts';
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
}

// A URL of the Web may be a megabyte long; patterns read this many characters.
const maxMatched = 4096;

/**
 * Type recognition (Essence, harvest.txt 3.1): by URL, then by name, then by content. A specific HTTP header comes
 * between URL and name, because `/File:Photo.jpg` and `/report.pdf` are often HTML pages and only the server knows.
 * Servers send `text/plain` and `application/octet-stream` when they do not know the type, so these count last.
 */
export function recognise(document: DocumentInput): Recognition {
  const found = recogniseWidely(document);
  const type = vocabularyOf(found.type, document.bytes, document.name);
  if (type === undefined || type === found.type) return found;
  const { charset } = found;
  return { type, mediaType: typeMediaTypes[type], ...(charset && { charset }), by: 'content' };
}

function recogniseWidely(document: DocumentInput): Recognition {
  const header = parseContentType(document.contentType);
  const charset = header?.charset === undefined ? {} : { charset: header.charset };

  const { url, unwrappedUrl = url } = document;
  const byUrl = firstMatch(typesByUrl, unwrappedUrl.slice(0, maxMatched));
  if (byUrl !== undefined) return { type: byUrl, mediaType: typeMediaTypes[byUrl], ...charset, by: 'url' };

  const byHeader = header && typeOfMediaType(header.mediaType);
  if (header !== undefined && byHeader !== undefined)
    return { type: byHeader, mediaType: header.mediaType, ...charset, by: 'header' };

  const byName = typeOfName(document.name);
  if (byName !== undefined && !(byName === 'MSWord' && isPlainly(document.bytes)))
    return { type: byName, mediaType: mediaTypeOfName(byName, document.name), ...charset, by: 'name' };

  const content = typeOfContent(document.bytes);
  if (content !== undefined)
    return {
      type: content.type,
      mediaType: content.mediaType ?? typeMediaTypes[content.type],
      ...charset,
      by: 'content',
    };

  if (header?.mediaType.startsWith('text/') && document.bytes.length === 0)
    return { type: 'Text', mediaType: header.mediaType, ...charset, by: 'header' };
  return { type: 'Unrecognized', mediaType: typeMediaTypes.Unrecognized, ...charset, by: 'content' };
}

/** Type recognition with an operator's own tables before Garner's, each in its place. */
export class Recogniser {
  readonly #own: OwnTypes;

  /** Throws RULE_PATTERN. */
  constructor(tables: TypeTables) {
    this.#own = new OwnTypes(tables);
  }

  /** The document with its type; `known` when it is given beforehand. */
  recognise(document: DocumentInput, known?: string): RecognisedDocument & { readonly by: string } {
    const own = known ?? this.#ownType(document);
    if (own === undefined) return { ...document, ...recognise(document) };
    const charset = parseContentType(document.contentType)?.charset;
    const mediaType = mediaTypeOf(own);
    const by = known === undefined ? 'your own rule' : 'its wrapper';
    return { ...document, type: own, mediaType, by, ...(charset === undefined ? {} : { charset }) };
  }

  /** The type by the name alone, or undefined. */
  typeOfName(name: string): string | undefined {
    return this.#own.ofName(name) ?? typeOfName(name);
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

/** Before word processors, `.doc` was the ending of plain documentation; many such files still exist. */
function isPlainly(bytes: Uint8Array): boolean {
  const type = typeOfContent(bytes)?.type;
  return type === 'Text' || type === 'RTF' || type === 'HTML';
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

function typeOfName(name: string): TypeName | undefined {
  const matched = name.slice(0, maxMatched);
  return firstMatch(typesByName, matched) ?? typesByExtension.get(extensionOf(matched));
}

function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? '' : name.slice(dot + 1).toLowerCase();
}

// XHTML files are parsed by other rules (self-closing tags close), so they have a media type of their own.
function mediaTypeOfName(type: TypeName, name: string): string {
  return type === 'HTML' && /\.xht(?:ml)?$/i.test(name) ? 'application/xhtml+xml' : typeMediaTypes[type];
}
