import { open } from 'node:fs/promises';
import {
  decodeHeader,
  decodeRow,
  everySlot,
  headerBytes,
  recordBytes,
  type WrittenHeader,
} from './journal-record.ts';
import { rowWords, type SlotTable, word } from './slot-table.ts';

/** Bytes read and applied between yields to the event loop. */
const readBytes = recordBytes * 2048;
/** The max number of slots: an index of so many entries would not fit in memory. */
const maxSlots = 2 ** 28;

export interface Replayed extends WrittenHeader {
  /** Bytes of whole records: new records are appended after them. */
  readonly bytes: number;
  readonly damaged: number;
}

/**
 * Bring an empty index to the state of its journal. An incomplete record at the end is skipped. After damaged or
 * lost records it is unknown which entries they concerned and whether those were purged, so every entry from
 * earlier records is marked for validation. Undefined when the file is not a journal.
 */
export async function replayJournal(path: string, table: SlotTable): Promise<Replayed | undefined> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const head = Buffer.alloc(headerBytes);
    const { bytesRead: headRead } = await file.read(head, 0, headerBytes, 0);
    const header = decodeHeader(head.subarray(0, headRead));
    if (header === undefined) return undefined;
    const buffer = Buffer.alloc(readBytes);
    const row = new Uint32Array(rowWords);
    let damaged = 0;
    /** The slots recorded since the last damaged record, if there was one: all earlier ones are marked. */
    let recorded: number[] | undefined;
    let at = headerBytes;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, readBytes, at);
      const whole = bytesRead - (bytesRead % recordBytes);
      for (let from = 0; from < whole; from += recordBytes) {
        const slot = decodeRow(buffer, from, row);
        if (slot !== -1 && slot < maxSlots) {
          if (row[word.metaFile] !== 0) {
            table.put(slot, row);
            recorded?.push(slot);
          } else if (table.isUsed(slot)) table.release(slot);
        } else if (buffer.subarray(from, from + recordBytes).some((byte) => byte !== 0)) {
          if (slot !== everySlot) damaged++;
          for (const before of recorded ?? Array(table.end).keys())
            if (table.isUsed(before)) table.invalidate(before);
          recorded = [];
        }
      }
      at += whole;
      if (bytesRead < readBytes) break;
    }
    await table.rebuildFree();
    return { ...header, bytes: at, damaged };
  } finally {
    await file.close();
  }
}
