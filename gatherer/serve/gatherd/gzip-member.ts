import { crc32, createInflateRaw } from 'node:zlib';
import { failure } from '../../../kernel/index.ts';
import type { LineConnection } from '../../../line-protocol/index.ts';
import { gatherdErrors } from './errors.ts';

const chunkBytes = 64 * 1024;
// Max length of names and comments in a header.
const maxHeaderText = 4096;

const fault = (problem: string) => failure(gatherdErrors.GATHERD_PROTOCOL, { problem });

/** The content of one gzip member (RFC 1952); data after it stays unread. Throws GATHERD_PROTOCOL. */
export async function* gzipMember(connection: LineConnection): AsyncGenerator<Uint8Array, void, undefined> {
  await header(connection);
  const inflate = createInflateRaw({ chunkSize: chunkBytes });
  const feeding = feed(connection, inflate);
  // The reader below gets the error.
  feeding.catch((error) => inflate.destroy(error));
  let crc = 0;
  let length = 0;
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      crc = crc32(chunk, crc);
      length = (length + chunk.length) % 2 ** 32;
      yield chunk;
    }
    await feeding;
  } catch (error) {
    if (error instanceof Error && 'errno' in error) throw fault('its compressed data is damaged');
    throw error;
  } finally {
    inflate.destroy();
  }
  const trailer = await exactly(connection, 8);
  if (trailer.readUInt32LE(0) !== crc || trailer.readUInt32LE(4) !== length)
    throw fault('its compressed data is damaged');
}

/** Write chunks to the inflater until its end, and put the rest back. */
async function feed(connection: LineConnection, inflate: ReturnType<typeof createInflateRaw>): Promise<void> {
  let fed = 0;
  for (;;) {
    const chunk = await connection.some(chunkBytes);
    if (chunk === undefined) throw fault('its compressed data is cut');
    fed += chunk.length;
    await new Promise<void>((resolve, reject) => {
      inflate.once('close', resolve);
      inflate.write(chunk, (error) => {
        inflate.off('close', resolve);
        if (error) reject(error);
        else resolve();
      });
    });
    if (inflate.destroyed && inflate.errored) throw inflate.errored;
    const left = fed - inflate.bytesWritten;
    if (left > 0) return connection.unread(chunk.subarray(chunk.length - left));
    if (inflate.destroyed) return;
  }
}

async function header(connection: LineConnection): Promise<void> {
  const fixed = await exactly(connection, 10);
  const flags = fixed[3] ?? 0;
  if (fixed[0] !== 0x1f || fixed[1] !== 0x8b || fixed[2] !== 8 || (flags & 0xe0) !== 0)
    throw fault('its compressed data is no gzip');
  if ((flags & 4) !== 0) await exactly(connection, (await exactly(connection, 2)).readUInt16LE(0));
  for (const flag of [8, 16]) if ((flags & flag) !== 0) await connection.until([0], maxHeaderText);
  if ((flags & 2) !== 0) await exactly(connection, 2);
}

async function exactly(connection: LineConnection, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let missing = length; missing > 0; ) {
    const part = await connection.some(missing);
    if (part === undefined) throw fault('its compressed data is cut');
    missing -= part.length;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
