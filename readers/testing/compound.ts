const sector = 512;
const none = 0xffffffff;
const last = 0xfffffffe;

/** For tests: a compound file (MS-CFB) with one stream, padded with zeros to 4096 bytes or more. */
export function compoundFileOf(name: string, content: Uint8Array): Buffer {
  const count = Math.max(8, Math.ceil(content.length / sector));
  const stream = Buffer.alloc(count * sector);
  stream.set(content);
  const header = Buffer.alloc(sector, 0xff);
  header.fill(0, 0, 76);
  header.write('d0cf11e0a1b11ae1', 'hex');
  for (const [at, value] of [0x3e, 3, 0xfffe, 9, 6].entries()) header.writeUInt16LE(value, 24 + 2 * at);
  for (const [at, value] of [1, count, 0, 4096, last, 0, last, 0, count + 1].entries())
    header.writeUInt32LE(value, 44 + 4 * at);
  const chain = Buffer.alloc(sector, 0xff);
  for (let at = 0; at < count; at++) chain.writeUInt32LE(at + 1 < count ? at + 1 : last, 4 * at);
  chain.writeUInt32LE(last, 4 * count);
  chain.writeUInt32LE(0xfffffffd, 4 * (count + 1));
  const entry = (title: string, kind: number, child: number, start: number, size: number) => {
    const bytes = Buffer.alloc(128);
    bytes.write(title, 'utf16le');
    bytes.writeUInt16LE(2 * title.length + 2, 64);
    bytes.set([kind, 1], 66);
    for (const [at, value] of [none, none, child].entries()) bytes.writeUInt32LE(value, 68 + 4 * at);
    bytes.writeUInt32LE(start, 116);
    bytes.writeUInt32LE(size, 120);
    return bytes;
  };
  const directory = [entry('Root Entry', 5, 1, last, 0), entry(name, 2, none, 0, stream.length)];
  return Buffer.concat([header, stream, ...directory, Buffer.alloc(256), chain]);
}
