/** One document before it is summarised. All its bytes and names are hostile. */
export interface DocumentInput {
  /** Absolute URL under which the document is published. */
  readonly url: string;
  /** The URL that shows its type, when a wrapper hides that: `man1/ls.1` of `man1/ls.1.gz`. */
  readonly unwrappedUrl?: string;
  /** File name or last path segment; may be empty. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The HTTP `content-type` header as received. */
  readonly contentType?: string;
  /** Seconds since 1970. */
  readonly lastModified?: number;
  /** The HTTP `x-robots-tag` header as received; several are lines. */
  readonly robots?: string;
  /** The HTTP `link` header as received; several are joined by commas. */
  readonly link?: string;
  /** Names of the files in the same folder, where the enumerator knows them. */
  readonly siblings?: readonly string[];
  /** MD5 of `bytes` in hex, when the caller has already made it. */
  readonly md5?: string;
  /** Set when `bytes` are not all of the document, because that is too large. */
  readonly abridged?: Abridged;
}

/** A document that is too large to read: its `bytes` are a beginning, directly followed by an end. */
export interface Abridged {
  /** Bytes of the beginning; the rest is the end. */
  readonly head: number;
  /** Bytes of the whole document, where known. */
  readonly size?: number;
}

/** Max bytes of each end of a document that is too large: room for the index of a long film. */
const maxEndBytes = 4 * 1024 * 1024;

/** Bytes of each end of a document that is larger than a limit: together they are not more than the limit. */
export function endBytes(maxBytes: number): number {
  return Math.min(maxEndBytes, Math.floor(maxBytes / 2));
}

/** The bytes of a document from its start without a gap. */
export function bytesFromStart({ bytes, abridged }: DocumentInput): Uint8Array {
  return abridged === undefined ? bytes : bytes.subarray(0, abridged.head);
}

const maxNameLength = 255;

/** The name of a document without a title: its file name, else the last path segment, else the host. */
export function documentName(document: DocumentInput): string {
  return (
    readable(document.name) || readable(nameFromUrl(document.url)) || document.url.slice(0, maxNameLength)
  );
}

function nameFromUrl(url: string): string {
  if (!URL.canParse(url)) return '';
  const parsed = new URL(url);
  const segments = parsed.pathname.split('/').filter((segment) => segment !== '');
  return segments.at(-1) ?? parsed.host;
}

function readable(name: string): string {
  let text = name;
  try {
    text = decodeURIComponent(name);
  } catch {
    // A stray % belongs to the name.
  }
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, maxNameLength);
}

/** The URL of a part: that of its document with the path as fragment. */
export function partUrl(url: string, part: string): string {
  return part === ''
    ? url
    : `${url.replace(/#.*$/s, '')}#${part.split('/').map(encodeURIComponent).join('/')}`;
}
