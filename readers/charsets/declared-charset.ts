const declarationBytes = 1024;
const lateBytes = 64 * 1024;
const meta = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:+-]{1,40})/i;
const xml = /^[^<]{0,4}<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:+-]{1,40})/i;

/**
 * The charset declared in an HTML or XML document: the first 1024 bytes by the HTML standard's 13.2.3.2 (without its
 * full pre-scan), else a `meta` within 64 KiB, which counts while parsing (13.2.3.4). A declared UTF-16 means UTF-8,
 * since the declaration was readable as ASCII.
 */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const label = declaredIn(bytes, declarationBytes) ?? declaredIn(bytes, lateBytes);
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function declaredIn(bytes: Uint8Array, max: number): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, max))
    .toString('latin1')
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  return meta.exec(start)?.[1] ?? xml.exec(start)?.[1];
}
