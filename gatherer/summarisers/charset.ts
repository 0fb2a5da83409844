import { byteOrder } from '../content-signatures.ts';

const utf8 = new TextDecoder('utf-8');
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * A document's bytes as text. What decides, first wins: a byte order mark, the HTTP header's charset, what the
 * document declares, zero bytes that betray UTF-16, UTF-8 if the bytes are valid, windows-1252. A charset nobody
 * knows is passed over. Bytes that fit no character become U+FFFD; this never throws.
 */
export function decodeText(bytes: Uint8Array, header?: string, declared?: string): string {
  const order = byteOrder(bytes);
  const marked = order !== undefined && bytes[0] !== 0 && bytes[1] !== 0;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return utf8.decode(bytes);
  if (order !== undefined && marked) return new TextDecoder(order).decode(bytes);
  for (const label of [header, declared]) {
    const decoder = label === undefined ? undefined : decoderFor(label);
    if (decoder !== undefined) return decoder.decode(bytes);
  }
  if (order !== undefined) return new TextDecoder(order).decode(bytes);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  if (/^utf-?8$/i.test(label)) return utf8;
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
}

const declarationBytes = 1024;

/**
 * The charset an HTML document declares in its first 1024 bytes (HTML standard 13.2.3.2, without its full
 * pre-scan): a `meta` element or the XML declaration. A declared UTF-16 means UTF-8: it could not be read as ASCII
 * were it true.
 */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, declarationBytes))
    .toString('latin1')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  const label =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:+-]{1,40})/i.exec(start)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:+-]{1,40})/i.exec(start)?.[1];
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}
