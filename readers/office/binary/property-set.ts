import { ByteView, beforeZero } from '../../bytes/index.ts';
import { decodeAs, encodingOfCodePage } from '../../text/index.ts';

const maxProperties = 1000;
const maxText = 64 * 1024;

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
      return beforeZero(decodeAs(view.slice(at + 8, at + 8 + length), encoding)).trim();
    }
    case 0x1f: {
      const length = Math.min(view.u32(at + 4), maxText);
      return beforeZero(view.utf16(at + 8, at + 8 + 2 * length)).trim();
    }
    case 0x40: {
      const time = view.fileTime(at + 4);
      return time > 0 && time < 8e15 ? new Date(time).toISOString().replace('.000Z', 'Z') : undefined;
    }
    default:
      return undefined;
  }
}
