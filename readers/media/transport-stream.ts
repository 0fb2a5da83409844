import { ByteView } from '../bytes/index.ts';
import type { MediaFacts } from './media-facts.ts';

const packetBytes = 188;
const searchedPackets = 20_000;
const clockRate = 27_000_000;
const sync = 0x47;

/** Codecs by the stream types of ISO/IEC 13818-1, table 2-34. */
const codecs: ReadonlyMap<number, string> = new Map([
  [0x01, 'MPEG-1 video'],
  [0x02, 'MPEG-2 video'],
  [0x03, 'MPEG-1 audio'],
  [0x04, 'MPEG-2 audio'],
  [0x0f, 'AAC'],
  [0x10, 'MPEG-4 video'],
  [0x11, 'AAC'],
  [0x1b, 'H.264'],
  [0x24, 'H.265'],
  [0x33, 'H.266'],
  [0x81, 'AC-3'],
  [0x87, 'E-AC-3'],
]);

/** Whether a file begins with packets of an MPEG transport stream; some have a time of four bytes before each. */
export function isTransportStream(bytes: Uint8Array): boolean {
  return strideOf(bytes) !== undefined;
}

function strideOf(bytes: Uint8Array): { readonly first: number; readonly stride: number } | undefined {
  const isAt = (first: number, stride: number) =>
    [0, 1, 2, 3].every((index) => bytes[first + index * stride] === sync);
  if (isAt(0, packetBytes)) return { first: 0, stride: packetBytes };
  return isAt(4, packetBytes + 4) ? { first: 4, stride: packetBytes + 4 } : undefined;
}

/**
 * Read the tables of an MPEG transport stream (ISO/IEC 13818-1): codecs, languages, duration, the service's name. `end`:
 * its end, when `bytes` are only its beginning.
 */
export function readTransportStream(bytes: Uint8Array, end?: Uint8Array): MediaFacts {
  const { first, stride } = strideOf(bytes) ?? { first: 0, stride: packetBytes };
  const tables = new Tables();
  const count = Math.floor((bytes.length - first + stride - packetBytes) / stride);
  const near = Math.min(count, searchedPackets);
  for (let index = 0; index < near; index++) tables.packet(packetAt(bytes, first + index * stride));
  const begun = tables.duration;
  // The last clock is near the end.
  const rest = end ?? bytes.subarray(first + near * stride);
  const passed = Math.max(0, Math.floor(rest.length / stride) - searchedPackets) * stride;
  for (let at = end === undefined ? passed : syncIn(rest, passed, stride); at < rest.length; at += stride)
    tables.clock(packetAt(rest, at));
  // The clocks of a beginning alone do not measure the whole.
  const isMeasured = end === undefined || tables.duration !== begun;
  return {
    format: 'MPEG transport stream',
    title: tables.service,
    publisher: tables.provider,
    codecs: [...tables.codecs],
    languages: [...tables.languages],
    duration: isMeasured ? tables.duration : undefined,
  };
}

/** Where the first packet begins in a part of a stream; its length where none does. */
function syncIn(bytes: Uint8Array, from: number, stride: number): number {
  for (let at = from; at < from + stride; at++)
    if ([0, 1, 2, 3].every((index) => bytes[at + index * stride] === sync)) return at;
  return bytes.length;
}

function packetAt(bytes: Uint8Array, at: number): ByteView {
  return new ByteView(bytes.subarray(at, at + packetBytes));
}

/** What the packets say; a table that does not fit into one packet is read as far as it goes. */
class Tables {
  readonly codecs = new Set<string>();
  readonly languages = new Set<string>();
  service: string | undefined;
  provider: string | undefined;
  readonly #programs = new Set<number>();
  readonly #clocks = new Map<number, { readonly first: number; last: number }>();

  /** Of the program with the longest. */
  get duration(): number | undefined {
    const lengths = [...this.#clocks.values()].map(({ first, last }) => (last - first) / clockRate);
    return lengths.length === 0 ? undefined : Math.max(...lengths);
  }

  packet(packet: ByteView): void {
    if (packet.length < packetBytes || packet.u8(0) !== sync) return;
    this.clock(packet);
    const stream = packet.u16(1) & 0x1fff;
    const begins = (packet.u8(1) & 0x40) !== 0;
    const adaptation = (packet.u8(3) & 0x20) === 0 ? 0 : 1 + packet.u8(4);
    const start = 4 + adaptation;
    const isTable = stream === 0 || stream === 0x11 || this.#programs.has(stream);
    if (!begins || !isTable || (packet.u8(3) & 0x10) === 0 || start >= packetBytes) return;
    const table = start + 1 + packet.u8(start);
    try {
      const end = Math.min(table + 3 + (packet.u16(table + 1) & 0xfff) - 4, packetBytes);
      this.#table(packet.u8(table), packet.part(table, end));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** Take the program clock reference of a packet, if it has one. */
  clock(packet: ByteView): void {
    if (packet.length < packetBytes || packet.u8(0) !== sync || (packet.u8(3) & 0x20) === 0) return;
    if (packet.u8(4) < 7 || (packet.u8(5) & 0x10) === 0) return;
    const stream = packet.u16(1) & 0x1fff;
    const time = (packet.u32(6) * 2 + (packet.u8(10) >> 7)) * 300 + (packet.u16(10) & 0x1ff);
    const known = this.#clocks.get(stream);
    if (known === undefined) this.#clocks.set(stream, { first: time, last: time });
    else if (time > known.last) known.last = time;
  }

  #table(id: number, table: ByteView): void {
    if (id === 0)
      for (let at = 8; at + 4 <= table.length; at += 4) this.#programs.add(table.u16(at + 2) & 0x1fff);
    else if (id === 2) this.#program(table);
    else if (id === 0x42) this.#services(table);
  }

  #program(table: ByteView): void {
    let at = 12 + (table.u16(10) & 0xfff);
    while (at + 5 <= table.length) {
      const end = at + 5 + (table.u16(at + 3) & 0xfff);
      const codec = codecs.get(table.u8(at));
      if (codec !== undefined) this.codecs.add(codec);
      for (const [tag, body] of descriptors(table.part(at + 5, end)))
        if (tag === 0x0a && body.length >= 3) this.languages.add(body.latin1(0, 3));
      at = end;
    }
  }

  #services(table: ByteView): void {
    if (this.service !== undefined || table.length < 16) return;
    for (const [tag, body] of descriptors(table.part(16, 16 + (table.u16(14) & 0xfff)))) {
      if (tag !== 0x48) continue;
      const provider = body.u8(1);
      this.provider = text(body.part(2, 2 + provider));
      this.service = text(body.part(3 + provider, 3 + provider + body.u8(2 + provider)));
    }
  }
}

function* descriptors(view: ByteView): Generator<readonly [tag: number, body: ByteView]> {
  for (let at = 0; at + 2 <= view.length; at += 2 + view.u8(at + 1))
    yield [view.u8(at), view.part(at + 2, at + 2 + view.u8(at + 1))];
}

/** A name (ETSI EN 300 468, annex A): a byte below a space selects the charset. */
function text(view: ByteView): string | undefined {
  const coded = view.length > 0 && view.u8(0) < 0x20;
  const name =
    coded && view.u8(0) === 0x15 ? view.utf8(1, view.length) : view.latin1(coded ? 1 : 0, view.length);
  return name.trim() || undefined;
}
