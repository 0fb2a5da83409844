import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { writeAll } from './write-all.ts';

const syncData = promisify(fdatasync);

/** An open file of a store. */
interface OpenedFile {
  readonly path: string;
  readonly descriptor: number;
}

/** The calls that bring bytes of a store's files to the disk. Both reject with the system's error. */
export interface FileCalls {
  /** Write buffers one after another from byte `offset` on. */
  write(file: OpenedFile, buffers: readonly Uint8Array[], offset: number): Promise<void>;
  /** Resolves when all written bytes are on disk. */
  sync(file: OpenedFile): Promise<void>;
}

/** The calls of the operating system. */
export const systemCalls: FileCalls = {
  write: ({ descriptor }, buffers, offset) => writeAll(descriptor, buffers, offset),
  sync: ({ descriptor }) => syncData(descriptor),
};
