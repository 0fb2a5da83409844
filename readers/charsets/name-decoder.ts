import { isUtf8 } from 'node:buffer';
import { decodeAs, oddity, windows1252Bytes } from './decode-as.ts';
import { detectedCharset } from './detector.ts';

const maxEvidence = 8 * 1024;
const windows1252 = (bytes: Uint8Array) => decodeAs(bytes, 'windows-1252');

/**
 * Decodes the names of one archive, which were written on one computer: UTF-8 where valid, else the charset of all names
 * so far by statistics, else what the format says.
 */
export class NameDecoder {
  readonly #otherwise: (bytes: Uint8Array) => string;
  readonly #unreadable: readonly string[];
  readonly #known = new Set<string>();
  #evidence = '';
  #looked = 0;
  /** For the evidence looked at; undefined: what the format says. */
  #charset: string | undefined;

  /**
   * @param otherwise decodes names that statistics say nothing of; default windows-1252
   * @param unreadable charsets by their Python names that only `otherwise` decodes
   */
  constructor(otherwise: (bytes: Uint8Array) => string = windows1252, unreadable: readonly string[] = []) {
    this.#otherwise = otherwise;
    this.#unreadable = unreadable;
  }

  /** Take a name into account, before or when it is decoded. */
  add(bytes: Uint8Array): void {
    if (isUtf8(bytes) || this.#evidence.length > maxEvidence) return;
    const name = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    // Folders are repeated in each path, and say no more by it.
    for (const step of name.split('/')) {
      if (!/[\x80-\xff]/.test(step) || this.#known.has(step)) continue;
      this.#known.add(step);
      this.#evidence += `${step} `;
    }
  }

  /** A name as text. */
  decode(bytes: Uint8Array): string {
    if (isUtf8(bytes)) {
      const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
      // Beside names of another charset, a name may be UTF-8 by chance.
      if (this.#evidence === '' || oddity(text) === 0) return text;
    }
    this.add(bytes);
    // Names that add little are not worth another look.
    if (this.#evidence.length > this.#looked * 1.5) {
      this.#looked = this.#evidence.length;
      this.#charset = this.#look();
    }
    return this.#charset === undefined ? this.#otherwise(bytes) : decodeAs(bytes, this.#charset);
  }

  // On all names together the statistics win a tie, and windows-1252 as the guess of last resort loses it.
  #look(): string | undefined {
    const evidence = Buffer.from(this.#evidence, 'latin1');
    const detected = detectedCharset(evidence, this.#unreadable);
    const charset = detected ?? 'windows-1252';
    const odd = oddity(decodeAs(evidence, charset)) - oddity(this.#otherwise(evidence));
    return odd < 0 || (odd === 0 && detected !== undefined) ? charset : undefined;
  }
}

/**
 * For texts of one document that a library decoded as Latin-1 or windows-1252, as ID3, EXIF and PNG require and programs
 * ignore: returns a function that decodes again what makes no text so, with the charset that all of `texts` are in.
 * It returns other texts as they are.
 */
export function rescuer(texts: Iterable<string>): (text: string) => string {
  const names = new NameDecoder();
  for (const text of texts) {
    const bytes = misread(text);
    if (bytes !== undefined) names.add(bytes);
  }
  return (text) => {
    const bytes = misread(text);
    return bytes === undefined ? text : names.decode(bytes);
  };
}

/** The bytes of a text of Latin letters that makes no words: control characters, or letters with accents in rows. */
function misread(text: string): Uint8Array | undefined {
  if (!/[\u0080-\uffff]/.test(text)) return undefined;
  const bytes = windows1252Bytes(text);
  if (bytes === undefined) return undefined;
  const beyond = text.match(/[\u0080-\uffff]/g)?.length ?? 0;
  const inRows = text.match(/[\u0080-\uffff]{3,}/g)?.join('').length ?? 0;
  return /[\x80-\x9f]/.test(text) || 2 * inRows > beyond || isUtf8(bytes) ? bytes : undefined;
}
