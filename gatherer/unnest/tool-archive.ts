import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorruptData } from '../../readers/compression/index.ts';
import { StartedProgram, toolEnvironment } from '../programs/index.ts';

const memoryBytes = 1024 * 1024 * 1024;
/** The program's name of the archive, which is its standard input. */
const archivePath = '/dev/fd/0';

/** The archive may be whole: the program could not be run, or took too much time or memory. */
export class ToolTrouble extends Error {
  override readonly name = 'ToolTrouble';
}

/** Options of a run of bsdtar. */
export interface ToolRun {
  /** Absolute file name of bsdtar. */
  readonly program: string;
  readonly seconds: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * An archive that only bsdtar reads (7z, rar, lha, cab, iso), as the pieces of a tar archive that bsdtar makes of it.
 * The program writes no files and reads a file without a name. It is ended when it takes too much time or memory, or
 * when the generator is closed.
 * @throws CorruptData when it does not understand the archive, ToolTrouble when it cannot work; the pieces before are
 * valid
 */
export async function* asTar(bytes: Uint8Array, run: ToolRun): AsyncGenerator<Uint8Array> {
  yield* output(bytes, run, ['-c', '-f', '-', '--format', 'pax', `@${archivePath}`]);
}

/** The listing that bsdtar prints of an archive, in pieces. @throws CorruptData, ToolTrouble as in `asTar` */
export async function* asListing(bytes: Uint8Array, run: ToolRun): AsyncGenerator<Uint8Array> {
  yield* output(bytes, run, ['-t', '-v', '-f', archivePath]);
}

async function* output(bytes: Uint8Array, run: ToolRun, args: readonly string[]): AsyncGenerator<Uint8Array> {
  const { seconds, signal } = run;
  const file = await namelessFile(bytes);
  try {
    using program = new StartedProgram({
      command: [run.program, ...args],
      env: toolEnvironment(),
      cwd: '/',
      stdin: file.fd,
      limits: { seconds, memoryBytes },
      signal,
    });
    const timer = setTimeout(() => program[Symbol.dispose](), seconds * 1000);
    try {
      yield* program.output();
      const { exitCode, error } = await program.ended;
      signal?.throwIfAborted();
      if (error) throw new ToolTrouble(`its reader could not be run (${error.message})`);
      if (exitCode === null) throw new ToolTrouble('its reader took too long or too much memory');
      if (exitCode !== 0) throw new CorruptData(`its reader says: ${firstLine(program.complaint)}`);
    } finally {
      clearTimeout(timer);
    }
  } finally {
    await file.close();
  }
}

/** Bytes as an open file at its beginning. It has no name, so no file is left when this thread is killed. */
async function namelessFile(bytes: Uint8Array): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    const folder = await mkdtemp(join(tmpdir(), 'garner-unnest-'));
    try {
      file = await open(join(folder, 'archive'), 'wx+', 0o600);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    // Writes with a position leave the file at its beginning for the reader.
    for (let at = 0; at < bytes.length; )
      at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
    return file;
  } catch (error) {
    await file?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolTrouble(`it could not be written to a temporary file (${withoutPath(reason)})`);
  }
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return (
    line
      .replace(/^bsdtar: /, '')
      .replace(archivePath, 'archive')
      .slice(0, 200) || 'nothing'
  );
}

// The name of a temporary file differs between runs.
function withoutPath(text: string): string {
  return text.replace(/\S*garner-unnest-\S*/, 'a temporary file').slice(0, 200);
}
