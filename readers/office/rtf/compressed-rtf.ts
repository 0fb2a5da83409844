import { ByteView } from '../../bytes/index.ts';

const compressed = 0x75465a4c;
const plain = 0x414c454d;
const dictionaryBytes = 4096;
// MS-OXRTFCP 2.1.2.1: the window begins with these words of RTF.
const dictionary =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript ' +
  '\\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par ' +
  '\\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const maxBytes = 16 * 1024 * 1024;

/** The RTF in a compressed body (MS-OXRTFCP), as far as it is whole; at most 16 MiB. */
export function decompressedRtf(bytes: Uint8Array): Uint8Array {
  if (bytes.length < 16) return new Uint8Array(0);
  const view = new ByteView(bytes, true);
  const size = Math.min(view.u32(4), maxBytes);
  const kind = view.u32(8);
  if (kind === plain) return view.slice(16, 16 + size);
  if (kind !== compressed) return new Uint8Array(0);
  const window = Buffer.alloc(dictionaryBytes);
  window.write(dictionary, 'latin1');
  let write = dictionary.length;
  // A byte of input gives at most 17 of output.
  const out = Buffer.alloc(Math.min(size, bytes.length * 17));
  let length = 0;
  const put = (byte: number) => {
    out[length++] = byte;
    window[write] = byte;
    write = (write + 1) % dictionaryBytes;
  };
  for (let at = 16; at < bytes.length && length < out.length; ) {
    const control = bytes[at++] ?? 0;
    for (let bit = 0; bit < 8 && at < bytes.length && length < out.length; bit++) {
      if ((control & (1 << bit)) === 0) {
        put(bytes[at++] ?? 0);
        continue;
      }
      if (at + 1 >= bytes.length) return out.subarray(0, length);
      const token = view.u16(at, false);
      at += 2;
      const from = token >> 4;
      if (from === write) return out.subarray(0, length);
      const count = (token & 0xf) + 2;
      for (let step = 0; step < count && length < out.length; step++)
        put(window[(from + step) % dictionaryBytes] ?? 0);
    }
  }
  return out.subarray(0, length);
}
