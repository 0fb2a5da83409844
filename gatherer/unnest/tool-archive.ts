import { type ChildProcess, spawn } from 'node:child_process';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorruptData } from '../../readers/compression/index.ts';

const memoryKibibytes = 1024 * 1024;
const maxComplaint = 2000;
/** Where the program finds the archive: it stands open as its standard input. */
const archivePath = '/dev/fd/0';

/** What is thrown when the archive may be whole: the program could not be run, or took too much. */
export class ToolTrouble extends Error {
  override readonly name = 'ToolTrouble';
}

/** How a helping program is run. */
export interface ToolRun {
  /** Full name of bsdtar. */
  readonly program: string;
  readonly seconds: number;
  readonly signal?: AbortSignal;
}

/**
 * An archive that only bsdtar reads (7z, rar, lha, cab, iso), as the pieces of a tar archive that bsdtar makes of it.
 * The program writes no files: it reads one that has no name any more, and is ended when it takes too long, too much
 * memory, or when nobody wants more.
 * @throws CorruptData when it does not understand the archive, ToolTrouble when it cannot do its work; the pieces
 * before that stand
 */
export async function* asTar(bytes: Uint8Array, run: ToolRun): AsyncGenerator<Uint8Array> {
  yield* output(bytes, run, ['-c', '-f', '-', '--format', 'pax', `@${archivePath}`]);
}

/** The listing that bsdtar prints of an archive, in pieces. @throws CorruptData, ToolTrouble as `asTar` does */
export async function* asListing(bytes: Uint8Array, run: ToolRun): AsyncGenerator<Uint8Array> {
  yield* output(bytes, run, ['-t', '-v', '-f', archivePath]);
}

async function* output(
  bytes: Uint8Array,
  run: ToolRun,
  words: readonly string[],
): AsyncGenerator<Uint8Array> {
  const file = await namelessFile(bytes);
  try {
    // The shell sets limits on itself and then becomes the program.
    const limits = `ulimit -v ${memoryKibibytes} 2>/dev/null; ulimit -t ${Math.ceil(run.seconds)} 2>/dev/null`;
    const child = spawn('/bin/sh', ['-c', `${limits}; exec "$@"`, 'sh', run.program, ...words], {
      stdio: [file.fd, 'pipe', 'pipe'],
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      timeout: run.seconds * 1000,
      killSignal: 'SIGKILL',
      ...(run.signal === undefined ? {} : { signal: run.signal }),
    });
    const ended = endOf(child);
    let whole = false;
    try {
      // There is none when the system has no room for another program.
      for await (const chunk of child.stdout ?? []) yield chunk as Uint8Array;
      whole = true;
    } finally {
      // Killed only when left early: it may still be on its way to its exit status.
      if (!whole) child.kill('SIGKILL');
    }
    const fault = await ended;
    if (fault !== undefined) throw fault;
  } finally {
    await file.close();
  }
}

/** Bytes as an open file, read from its beginning; whatever ends this thread, no file is left behind. */
async function namelessFile(bytes: Uint8Array): Promise<FileHandle> {
  let file: FileHandle | undefined;
  try {
    const folder = await mkdtemp(join(tmpdir(), 'garner-unnest-'));
    try {
      file = await open(join(folder, 'archive'), 'wx+', 0o600);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    // With places given, the file stays at its beginning for who reads it.
    for (let at = 0; at < bytes.length; )
      at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
    return file;
  } catch (error) {
    await file?.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new ToolTrouble(`it could not be laid down for its reader (${withoutPath(reason)})`);
  }
}

// Undefined when the program was content, else what is wrong.
function endOf(child: ChildProcess): Promise<CorruptData | ToolTrouble | undefined> {
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (complaint.length < maxComplaint) complaint += chunk.toString('utf8');
  });
  return new Promise((resolve) => {
    child.once('error', (error) =>
      resolve(new ToolTrouble(`its reader could not be run (${error.message})`)),
    );
    child.once('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else if (signal !== null) resolve(new ToolTrouble('its reader took too long or too much memory'));
      else resolve(new CorruptData(`its reader says: ${firstLine(complaint)}`));
    });
  });
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

// The name of a temporary file differs from run to run.
function withoutPath(text: string): string {
  return text.replace(/\S*garner-unnest-\S*/, 'a temporary file').slice(0, 200);
}
