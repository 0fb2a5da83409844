import { ByteView } from '../../bytes/index.ts';
import { decodeAs } from '../../text/index.ts';
import { encodingOfCodePage } from '../rtf/index.ts';

const maxProperties = 1000;
const maxText = 64 * 1024;
// Windows counts tenths of microseconds from 1601.
const ticksPerMillisecond = 10_000n;
const from1601 = 11_644_473_600_000;

/** A property set's first section (MS-OLEPS) by identifiers; damaged properties are left out. */
export function readPropertySet(bytes: Uint8Array): ReadonlyMap<number, string> {
  const values = new Map<number, string>();
  const view = new ByteView(bytes, true);
  try {
    const section = view.u32(44);
    const count = Math.min(view.u32(section + 4), maxProperties);
    const places = Array.from({ length: count }, (_, at) => ({
      id: view.u32(section + 8 + 8 * at),
      at: section + view.u32(section + 12 + 8 * at),
    }));
    const page = places.find(({ id }) => id === 1);
    const encoding = encodingOfCodePage(page === undefined ? 1252 : view.u16(page.at + 4));
    for (const { id, at } of places) {
      const value = valueAt(view, at, encoding);
      if (value !== undefined && value !== '') values.set(id, value);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return values;
}

function valueAt(view: ByteView, at: number, encoding: string): string | undefined {
  switch (view.u16(at)) {
    case 2:
      return String(view.i16(at + 4));
    case 3:
      return String(view.i32(at + 4));
    case 0x1e: {
      const length = Math.min(view.u32(at + 4), maxText);
      return ended(decodeAs(view.slice(at + 8, at + 8 + length), encoding));
    }
    case 0x1f: {
      const length = Math.min(view.u32(at + 4), maxText);
      return ended(view.utf16(at + 8, at + 8 + 2 * length));
    }
    case 0x40: {
      const ticks = (BigInt(view.u32(at + 8)) << 32n) | BigInt(view.u32(at + 4));
      const time = Number(ticks / ticksPerMillisecond) - from1601;
      return time > 0 && time < 8e15 ? new Date(time).toISOString().replace('.000Z', 'Z') : undefined;
    }
    default:
      return undefined;
  }
}

function ended(text: string): string {
  const zero = text.indexOf('\0');
  return (zero < 0 ? text : text.slice(0, zero)).trim();
}
