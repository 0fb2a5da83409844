import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { failure } from '../../kernel/index.ts';
import { type Abridged, endBytes } from '../../readers/document/index.ts';
import { cliErrors } from './errors.ts';

/** A system error about reading a file, in plain English. */
export function refusal(code: unknown): string {
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'EISDIR') return 'is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this user';
  return `cannot be read (${String(code)})`;
}

/**
 * The bytes of a file that a person named, or of standard input for `-`; a name that ends in .gz is unpacked. Throws
 * CLI_INPUT_UNREADABLE when it is missing, a folder, not readable, or not gzip data.
 */
export async function* readInput(file: string, cwd: string): AsyncGenerator<Uint8Array> {
  const input = file === '-' ? process.stdin : createReadStream(resolve(cwd, file));
  // The loop below reports failures; pipeline also closes the other end.
  const chunks = file.endsWith('.gz') ? pipeline(input, createGunzip(), () => {}) : input;
  try {
    for await (const chunk of chunks) yield chunk as Uint8Array;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const problem = 'syscall' in error ? refusal(error.code) : `cannot be unpacked: ${error.message}`;
    throw unreadableInput(file === '-' ? 'standard input' : file, problem, error);
  }
}

/** A document that a person named, as a run reads it. */
export interface InputDocument {
  readonly bytes: Uint8Array;
  /** Seconds since 1970. */
  readonly lastModified?: number;
  readonly abridged?: Abridged;
}

/**
 * A named file, by path or file: URL, or standard input for `-`. Of a file that is larger than `maxBytes` both ends are read. Throws
 * CLI_INPUT_UNREADABLE, also for longer standard input.
 */
export async function readInputDocument(file: string, cwd: string, maxBytes: number): Promise<InputDocument> {
  const shown = file === '-' ? 'standard input' : file;
  try {
    if (file === '-') return { bytes: await bytesOf(process.stdin, shown, maxBytes) };
    await using opened = await openRegular(pathOf(file, cwd), shown);
    const { mtimeMs, size } = await opened.stat();
    const lastModified = Math.floor(mtimeMs / 1000);
    const part = (start: number, end: number) =>
      bytesOf(opened.createReadStream({ autoClose: false, start, end }), shown, maxBytes);
    if (size <= maxBytes) return { lastModified, bytes: await part(0, Number.POSITIVE_INFINITY) };
    const head = endBytes(maxBytes);
    const bytes = Buffer.concat([await part(0, head - 1), await part(size - head, size - 1)]);
    return { lastModified, bytes, abridged: { head, size } };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) throw error;
    throw unreadableInput(shown, refusal(error.code), error);
  }
}

/** The path of a file. That of a URL is bytes: names on old disks are not UTF-8. */
function pathOf(file: string, cwd: string): string | Buffer {
  if (!file.startsWith('file://') || !URL.canParse(file)) return resolve(cwd, file);
  const byte = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
  return Buffer.from(new URL(file).pathname.replace(/%([\da-f]{2})/gi, byte), 'latin1');
}

async function bytesOf(
  chunks: AsyncIterable<Uint8Array>,
  shown: string,
  maxBytes: number,
): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  let size = 0;
  // Counted while reading: standard input has no known size, and a file may grow.
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes)
      throw unreadableInput(shown, `is larger than ${maxBytes} bytes (gatherer.max-document-bytes)`);
    read.push(chunk);
  }
  return Buffer.concat(read);
}

/** Only regular files, as a run reads: opening a pipe may wait for ever, and opening a device may do something. */
async function openRegular(path: string | Buffer, shown: string): Promise<FileHandle> {
  const check = (stats: Awaited<ReturnType<typeof stat>>) => {
    if (stats.isDirectory()) throw unreadableInput(shown, refusal('EISDIR'));
    if (!stats.isFile()) throw unreadableInput(shown, 'is not a regular file, and no run would read it');
  };
  check(await stat(path));
  // A pipe that has replaced the file meanwhile does not block.
  const opened = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    check(await opened.stat());
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
}

function unreadableInput(path: string, problem: string, cause?: unknown) {
  return failure(cliErrors.CLI_INPUT_UNREADABLE, { path, problem }, cause);
}
