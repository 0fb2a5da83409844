import { createCipheriv, createHash } from 'node:crypto';
import { failure } from '../../../kernel/index.ts';
import { aes, aesBlocks, rc4 } from './cipher.ts';
import { pdfErrors } from './errors.ts';
import { dictionaryOf, nameOf, numberOf, type PdfDictionary } from './values.ts';

// The padding of passwords shorter than 32 bytes (ISO 32000 section 7.6.4.3.2).
const filling = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');

type Method = 'none' | 'rc4' | 'aes128' | 'aes256';

/**
 * The standard security handler (ISO 32000 section 7.6.4) for files that open with the empty password. Throws
 * GATHERER_PDF_LOCKED when a password is needed, GATHERER_PDF_UNSURE for handlers it does not know.
 */
export class PdfSecurity {
  readonly #key: Uint8Array;
  readonly #streams: Method;
  readonly #strings: Method;
  readonly encryptsMetadata: boolean;

  /** `encrypt` has its references resolved; `id` is the first string of the trailer's ID. */
  constructor(encrypt: PdfDictionary, id: string) {
    const version = numberOf(encrypt.get('V')) ?? 0;
    const revision = numberOf(encrypt.get('R')) ?? 0;
    if (nameOf(encrypt.get('Filter')) !== 'Standard' || ![1, 2, 4, 5].includes(version))
      throw failure(pdfErrors.GATHERER_PDF_UNSURE, { reason: 'its encryption is not a standard one' });
    this.encryptsMetadata = encrypt.get('EncryptMetadata') !== false;
    const method = (key: string) => (version < 4 ? 'rc4' : cryptFilter(encrypt, key));
    this.#streams = method('StmF');
    this.#strings = method('StrF');
    const key =
      version === 5
        ? key256(encrypt, revision)
        : key128(encrypt, revision, version, id, this.encryptsMetadata);
    if (key === undefined) throw failure(pdfErrors.GATHERER_PDF_LOCKED, {});
    this.#key = key;
  }

  /** Decrypt a stream of the given object. */
  stream(bytes: Uint8Array, number: number, generation: number): Uint8Array {
    return this.#undo(bytes, this.#streams, number, generation);
  }

  /** Decrypt a Latin-1 string of the given object. */
  string(text: string, number: number, generation: number): string {
    const bytes = this.#undo(Buffer.from(text, 'latin1'), this.#strings, number, generation);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  }

  #undo(bytes: Uint8Array, method: Method, number: number, generation: number): Uint8Array {
    if (method === 'none') return bytes;
    if (method === 'aes256') return aes(this.#key, bytes);
    const hash = createHash('md5').update(this.#key);
    hash.update(Uint8Array.of(number, number >> 8, number >> 16, generation, generation >> 8));
    if (method === 'aes128') hash.update('sAlT');
    const key = hash.digest().subarray(0, Math.min(16, this.#key.length + 5));
    return method === 'rc4' ? rc4(key, bytes) : aes(key, bytes);
  }
}

function cryptFilter(encrypt: PdfDictionary, key: string): Method {
  const name = nameOf(encrypt.get(key)) ?? 'Identity';
  if (name === 'Identity') return 'none';
  const filter = dictionaryOf(dictionaryOf(encrypt.get('CF'))?.get(name));
  const method = nameOf(filter?.get('CFM'));
  if (method === 'V2') return 'rc4';
  if (method === 'AESV2') return 'aes128';
  if (method === 'AESV3') return 'aes256';
  return 'none';
}

const bytesOf = (encrypt: PdfDictionary, key: string): Buffer => {
  const value = encrypt.get(key);
  return Buffer.from(typeof value === 'string' ? value : '', 'latin1');
};

// Algorithms 2, 4 and 5: the key from the empty password, and whether it is the user's.
function key128(
  encrypt: PdfDictionary,
  revision: number,
  version: number,
  id: string,
  encryptsMetadata: boolean,
): Uint8Array | undefined {
  const bits = numberOf(encrypt.get('Length')) ?? (version === 4 ? 128 : 40);
  const length = revision < 3 ? 5 : Math.min(16, Math.max(5, Math.floor(bits / 8)));
  const permissions = (numberOf(encrypt.get('P')) ?? 0) | 0;
  const hash = createHash('md5').update(filling).update(bytesOf(encrypt, 'O').subarray(0, 32));
  const little = Buffer.alloc(4);
  little.writeInt32LE(permissions);
  hash.update(little).update(Buffer.from(id, 'latin1'));
  if (revision >= 4 && !encryptsMetadata) hash.update(Buffer.from('ffffffff', 'hex'));
  let key = hash.digest().subarray(0, length);
  if (revision >= 3)
    for (let round = 0; round < 50; round++) key = createHash('md5').update(key).digest().subarray(0, length);

  const user = bytesOf(encrypt, 'U');
  if (revision < 3) return Buffer.from(rc4(key, filling)).equals(user.subarray(0, 32)) ? key : undefined;
  let check: Uint8Array = createHash('md5').update(filling).update(Buffer.from(id, 'latin1')).digest();
  for (let round = 0; round < 20; round++)
    check = rc4(
      key.map((byte) => byte ^ round),
      check,
    );
  return Buffer.from(check).equals(user.subarray(0, 16)) ? key : undefined;
}

// Algorithm 2.A: the user's key lies encrypted in UE.
function key256(encrypt: PdfDictionary, revision: number): Uint8Array | undefined {
  const user = bytesOf(encrypt, 'U');
  const hashed = (salt: Uint8Array) =>
    revision >= 6 ? hardened(salt) : createHash('sha256').update(salt).digest();
  if (user.length < 48 || !Buffer.from(hashed(user.subarray(32, 40))).equals(user.subarray(0, 32)))
    return undefined;
  const wrapped = bytesOf(encrypt, 'UE').subarray(0, 32);
  return wrapped.length < 32
    ? undefined
    : aesBlocks(hashed(user.subarray(40, 48)), Buffer.alloc(16), wrapped);
}

// Algorithm 2.B for the empty password: rounds of encryption and hashing, 64 at least.
function hardened(salt: Uint8Array): Uint8Array {
  let key: Buffer = createHash('sha256').update(salt).digest();
  for (let round = 0; ; round++) {
    const data = Buffer.concat(new Array<Buffer>(64).fill(key));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    cipher.setAutoPadding(false);
    const encrypted = cipher.update(data);
    let sum = 0;
    for (const byte of encrypted.subarray(0, 16)) sum += byte;
    key = createHash(['sha256', 'sha384', 'sha512'][sum % 3] ?? 'sha256')
      .update(encrypted)
      .digest();
    const last = encrypted[encrypted.length - 1] ?? 0;
    if (round >= 63 && last <= round - 31) return key.subarray(0, 32);
    if (round > 400) return key.subarray(0, 32);
  }
}
