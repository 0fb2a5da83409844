import { Parser } from 'htmlparser2';
import type { PdfFile } from '../file/file.ts';
import { dateOfString, textOfString } from '../file/strings.ts';
import { PdfStream } from '../file/values.ts';

const maxPacket = 1024 * 1024;
const maxValues = 200;

/** The metadata of a PDF; absent fields are not set in it. */
export interface PdfMetadata {
  readonly title?: string;
  readonly authors: readonly string[];
  readonly subject?: string;
  readonly keywords: readonly string[];
  readonly creator?: string;
  readonly producer?: string;
  /** ISO 8601. */
  readonly created?: string;
  readonly modified?: string;
  readonly language?: string;
  readonly rights?: string;
}

// Generated titles.
const meaningless =
  /^(?:untitled|unknown|none|no title|title|print|document\d*|microsoft word - .*|.*\.(?:dvi|tex|docx?|pdf|ps|rtf|odt|indd|qxd|fm|pptx?|xlsx?))$/i;

/** Read the Info dictionary (ISO 32000 section 14.3.3) and the XMP packet; the dictionary has precedence. */
export function readMetadata(file: PdfFile): PdfMetadata {
  const info = file.dictionary(file.trailer.get('Info')) ?? new Map();
  const text = (key: string): string | undefined => {
    const value = file.resolve(info.get(key));
    const found = typeof value === 'string' ? textOfString(value).trim() : '';
    return found === '' ? undefined : found;
  };
  const packet = readPacket(file);
  const one = (name: string) => packet.get(name)?.[0];
  const title = [text('Title'), one('dc:title')].find(
    (found) => found !== undefined && !meaningless.test(found),
  );
  const author = text('Author');
  const keywords = text('Keywords') ?? one('pdf:Keywords');
  const language = file.resolve(file.catalog.get('Lang'));
  const date = (key: string, other: string) => dateOfString(text(key) ?? '') ?? one(other);
  return given({
    title,
    authors: packet.get('dc:creator') ?? (author === undefined ? [] : [author]),
    subject: text('Subject') ?? one('dc:description'),
    keywords: keywords === undefined ? (packet.get('dc:subject') ?? []) : keywords.split(/[,;]/),
    creator: text('Creator') ?? one('xmp:CreatorTool'),
    producer: text('Producer') ?? one('pdf:Producer'),
    created: date('CreationDate', 'xmp:CreateDate'),
    modified: date('ModDate', 'xmp:ModifyDate'),
    language: typeof language === 'string' && language !== '' ? textOfString(language) : one('dc:language'),
    rights: one('dc:rights'),
  });
}

function given(metadata: { [Key in keyof PdfMetadata]: PdfMetadata[Key] | undefined }): PdfMetadata {
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => value !== undefined),
  ) as unknown as PdfMetadata;
}

/** The XMP packet's properties by prefixed name: plain values, attributes and the members of lists. */
function readPacket(file: PdfFile): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  const stream = file.resolve(file.catalog.get('Metadata'));
  const bytes = stream instanceof PdfStream ? dataOf(file, stream) : undefined;
  if (bytes === undefined || bytes.length > maxPacket) return found;
  const add = (name: string, value: string) => {
    const trimmed = value.trim();
    const list = found.get(name) ?? [];
    if (trimmed === '' || list.length >= maxValues || found.size >= maxValues) return;
    list.push(trimmed);
    found.set(name, list);
  };
  let property = '';
  let value = '';
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        value = '';
        if (name === 'rdf:Description') for (const [key, text] of Object.entries(attributes)) add(key, text);
        else if (!name.startsWith('rdf:') && !name.startsWith('x:')) property = name;
      },
      ontext: (text) => {
        if (value.length < maxPacket) value += text;
      },
      onclosetag: (name) => {
        if (name === property || name === 'rdf:li') add(property, value);
        value = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(Buffer.from(bytes).toString('utf8'));
  return found;
}

/** A stream's data, or undefined when it cannot be read. */
export function dataOf(file: PdfFile, stream: PdfStream): Uint8Array | undefined {
  try {
    return file.data(stream);
  } catch {
    return undefined;
  }
}
