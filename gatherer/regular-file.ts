import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';

// A pipe that has taken the file's place does not hold us up.
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

function noFile(path: string): Error {
  return new Error(`${path} is no regular file any more`);
}

/** All bytes of a regular file, at most `maxBytes` of them. Throws what the system says, and when it is none. */
export async function readRegularFile(path: string, maxBytes: number): Promise<Uint8Array> {
  await using file = await open(path, flags);
  const stats = await file.stat();
  if (!stats.isFile()) throw noFile(path);
  const bytes = Buffer.allocUnsafeSlow(Math.min(stats.size, maxBytes));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** The same at once: for a small file on a disk at hand that costs a tenth. */
export function readRegularFileSync(path: string, maxBytes: number): Uint8Array {
  const file = openSync(path, flags);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw noFile(path);
    const bytes = Buffer.allocUnsafeSlow(Math.min(stats.size, maxBytes));
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
