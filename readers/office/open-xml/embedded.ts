import { isGarnerError } from '../../../kernel/index.ts';
import { ZipParts } from '../../archives/index.ts';
import { isCompoundFile, objectContent } from '../binary/index.ts';

/** A document within another. */
export interface EmbeddedDocument {
  /** Without folders. */
  readonly name: string;
  /** Bytes, as the package claims; undefined within a container of its own. */
  readonly size?: number;
  /** Its bytes; throws GATHERER_ZIP_TOO_LARGE. */
  read(): Promise<Uint8Array>;
}

const maxEmbedded = 10_000;

// Office Open XML has them in a folder, with parts of other formats for text; OpenDocument has foreign objects only.
const place = /(?:^|\/)(?:embeddings\/[^/]+|afchunk[^/]*\.(?!rels$)\w+|Object \d+)$/i;
const chartRelations = /\/charts\/_rels\/[^/]+\.rels$/i;

/** The documents embedded in a package of Office Open XML or OpenDocument; none for one that cannot be opened. */
export async function embeddedDocuments(bytes: Uint8Array): Promise<readonly EmbeddedDocument[]> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!['embeddings/', 'Object ', 'afchunk', 'AFChunk'].some((name) => whole.includes(name))) return [];
  const documents: EmbeddedDocument[] = [];
  try {
    const parts = await ZipParts.open(bytes);
    for (const part of await embeddedNames(parts)) {
      const name = part.slice(part.lastIndexOf('/') + 1);
      const read = async () => (await parts.read(part)) ?? new Uint8Array();
      if (!/\.bin$|^Object \d+$/.test(name)) documents.push({ name, size: parts.size(part), read });
      else {
        const content = await contentOf(name, read);
        if (content !== undefined) documents.push(content);
      }
    }
  } catch (error) {
    // The reader of the text reports that the package cannot be opened.
    if (!isGarnerError(error)) throw error;
  }
  return documents;
}

/** The parts that are documents of their own; the tables behind charts are none. */
export async function embeddedNames(parts: ZipParts): Promise<readonly string[]> {
  const names = parts.names.filter((name) => place.test(name)).slice(0, maxEmbedded);
  if (names.length === 0) return names;
  const charted = new Set<string>();
  for (const relations of parts.names.filter((name) => chartRelations.test(name)))
    for (const [, target = ''] of String((await parts.readable(relations, [])) ?? '').matchAll(
      /\/([^/"]+)"/g,
    ))
      charted.add(target);
  return names.filter((name) => !charted.has(name.slice(name.lastIndexOf('/') + 1)));
}

/** The document within an object of OLE, if there is one that other programs read. */
async function contentOf(
  name: string,
  read: () => Promise<Uint8Array>,
): Promise<EmbeddedDocument | undefined> {
  const bytes = await read().catch(() => undefined);
  // The fault is reported when it is read again.
  if (bytes === undefined) return { name, read };
  const content = isCompoundFile(bytes) ? objectContent(bytes, name) : undefined;
  if (content === undefined) return undefined;
  return { name: content.name, size: content.bytes.length, read: async () => content.bytes };
}
