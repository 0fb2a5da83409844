import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CorruptData } from '../decoders/index.ts';

const memoryKibibytes = 1024 * 1024;
const maxComplaint = 2000;

/** How a helping program is run. */
export interface ToolRun {
  /** Full name of bsdtar. */
  readonly program: string;
  readonly seconds: number;
  readonly signal?: AbortSignal;
}

/**
 * An archive that only bsdtar reads (7z, rar, lha, cab, iso), as the pieces of a tar archive that bsdtar makes of it.
 * The program writes no files: it reads one in a folder of its own, and is ended when it takes too long, too much
 * memory, or when nobody wants more.
 * @throws CorruptData when it fails; the pieces before that stand
 */
export async function* asTar(bytes: Uint8Array, run: ToolRun): AsyncGenerator<Uint8Array> {
  yield* output(bytes, run, (file) => ['-c', '-f', '-', '--format', 'pax', `@${file}`]);
}

/** The listing that bsdtar prints of an archive, in pieces. @throws CorruptData when it fails */
export async function* asListing(bytes: Uint8Array, run: ToolRun): AsyncGenerator<Uint8Array> {
  yield* output(bytes, run, (file) => ['-t', '-v', '-f', file]);
}

async function* output(
  bytes: Uint8Array,
  run: ToolRun,
  argumentsFor: (file: string) => readonly string[],
): AsyncGenerator<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-unnest-'));
  try {
    const file = join(folder, 'archive');
    await writeFile(file, bytes, { mode: 0o600 });
    // The shell sets limits on itself and then becomes the program.
    const limits = `ulimit -v ${memoryKibibytes} 2>/dev/null; ulimit -t ${Math.ceil(run.seconds)} 2>/dev/null`;
    const child = spawn('/bin/sh', ['-c', `${limits}; exec "$@"`, 'sh', run.program, ...argumentsFor(file)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', TZ: 'UTC' },
      timeout: run.seconds * 1000,
      killSignal: 'SIGKILL',
      ...(run.signal === undefined ? {} : { signal: run.signal }),
    });
    const ended = endOf(child);
    let whole = false;
    try {
      for await (const chunk of child.stdout) yield chunk as Uint8Array;
      whole = true;
    } finally {
      // Killed only when left early: it may still be on its way to its exit status.
      if (!whole) child.kill('SIGKILL');
    }
    const complaint = await ended;
    if (complaint !== undefined) throw new CorruptData(complaint);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

// Undefined when the program was content, else what it said last.
function endOf(child: ChildProcess): Promise<string | undefined> {
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    if (complaint.length < maxComplaint) complaint += chunk.toString('utf8');
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`its reader could not be run (${error.message})`));
    child.once('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else if (signal !== null) resolve('its reader took too long or too much memory');
      else resolve(`its reader says: ${firstLine(complaint)}`);
    });
  });
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  // The name of the temporary file differs from run to run.
  return (
    line
      .replace(/^bsdtar: /, '')
      .replace(/\S*garner-unnest-\S*/, 'archive')
      .slice(0, 200) || 'nothing'
  );
}
