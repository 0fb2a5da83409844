import { open } from 'node:fs/promises';
import { decodeHeader, decodeRow, headerBytes, type JournalHeader, recordBytes } from './journal-record.ts';
import { rowWords, type SlotTable, word } from './slot-table.ts';

/** Read and taken in before others have their turn. */
const readBytes = recordBytes * 2048;
/** No journal has slots beyond this: a store of that many entries could not be kept in memory. */
const maxSlots = 2 ** 28;

export interface Replayed extends JournalHeader {
  /** Bytes that are whole records: what is appended goes behind them. */
  readonly bytes: number;
  /** Records that were not what was written. */
  readonly damaged: number;
}

/**
 * Bring an empty index to the state its journal tells. A record cut off at the end is passed over. After a damaged one
 * it is unknown which entry it was about and whether that was purged, so that everything told before is marked to be
 * validated. Undefined when the file is no journal.
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
    /** Told since the last damaged record, when there was one: all that was told before is marked. */
    let told: number[] | undefined;
    let at = headerBytes;
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, readBytes, at);
      const whole = bytesRead - (bytesRead % recordBytes);
      for (let from = 0; from < whole; from += recordBytes) {
        const slot = decodeRow(buffer, from, row);
        if (slot !== -1 && slot < maxSlots) {
          if (row[word.metaFile] !== 0) {
            table.put(slot, row);
            told?.push(slot);
          } else if (table.isUsed(slot)) table.release(slot);
        } else if (buffer.subarray(from, from + recordBytes).some((byte) => byte !== 0)) {
          damaged++;
          for (const before of told ?? Array(table.end).keys())
            if (table.isUsed(before)) table.invalidate(before);
          told = [];
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
