/** Write a text's UTF-8 at `at`, where there is enough space. Returns its end. Short texts need no call. */
export function writeUtf8(bytes: Buffer, at: number, text: string): number {
  let end = at;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) {
      bytes[end++] = code;
    } else if (code < 0x800) {
      bytes[end++] = 0xc0 | (code >> 6);
      bytes[end++] = 0x80 | (code & 63);
    } else if (code < 0xd800 || code > 0xdfff) {
      bytes[end++] = 0xe0 | (code >> 12);
      bytes[end++] = 0x80 | ((code >> 6) & 63);
      bytes[end++] = 0x80 | (code & 63);
    } else {
      return at + bytes.write(text, at);
    }
  }
  return end;
}
