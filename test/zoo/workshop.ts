import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Exhibit } from './exhibit.ts';
import { officeCommand } from './office.ts';
import { sources } from './sources.ts';

const runShell = promisify(execFile);
/** Max concurrent programs. */
const workers = 3;

/** The Debian package of a program that has another name. */
const packages: Readonly<Record<string, string>> = {
  '7z': 'p7zip-full',
  ci: 'rcs',
  co: 'rcs',
  compress: 'ncompress',
  convert: 'imagemagick',
  exiftool: 'libimage-exiftool-perl',
  ffprobe: 'ffmpeg',
  javac: 'default-jdk-headless',
  latex: 'texlive-latex-base',
  pdflatex: 'texlive-latex-base',
  pod2man: 'perl',
  sccs: 'cssc',
  shar: 'sharutils',
  soffice: 'libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui',
};

function installed(program: string): boolean {
  return (process.env.PATH ?? '').split(':').some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The sources in a temporary folder, and the programs that make exhibits of them, a few at a time. */
export class Workshop implements AsyncDisposable {
  readonly #folder: string;
  readonly #waiting: (() => void)[] = [];
  #working = 0;
  #office: Promise<unknown> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(): Promise<Workshop> {
    const folder = await mkdtemp(join(tmpdir(), 'garner-zoo-'));
    for (const [name, text] of Object.entries(sources)) await writeFile(join(folder, name), text);
    return new Workshop(folder);
  }

  /** The reason why an exhibit cannot be made here, or undefined. */
  lacking({ from }: Exhibit): string | undefined {
    if ('absent' in from) return `SKIPPED: ${from.absent}`;
    if ('file' in from)
      return [from.file].flat().some((path) => existsSync(path)) ? undefined : `SKIPPED: install ${from.of}`;
    const absent = from.by.filter((program) => !installed(program));
    return absent.length === 0
      ? undefined
      : `SKIPPED: install ${absent.map((program) => packages[program] ?? program).join(' ')}`;
  }

  /** The bytes of an exhibit. Rejects when its program fails. */
  async make({ name, from }: Exhibit): Promise<Uint8Array> {
    if ('absent' in from) throw new TypeError(`${name} cannot be made`);
    if ('file' in from) {
      const path = [from.file].flat().find((candidate) => existsSync(candidate)) ?? '';
      const bytes = await readFile(path);
      return path.endsWith('.gz') && basename(path) !== name ? gunzipSync(bytes) : bytes;
    }
    if (from.office === true) {
      this.#office ??= this.#run(officeCommand, this.#folder);
      await this.#office;
    }
    const folder = await mkdtemp(join(this.#folder, 'made-'));
    await this.#run(from.made, folder);
    return readFile(join(folder, name === '' ? 'listing' : name));
  }

  async #run(command: string, cwd: string): Promise<void> {
    if (this.#working >= workers) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#working++;
    try {
      const home = join(cwd, 'home');
      await mkdir(home, { recursive: true });
      const env = { ...process.env, HOME: home, SOURCES: this.#folder, LC_ALL: 'C.UTF-8', TZ: 'UTC' };
      await runShell('/bin/sh', ['-c', `set -e; ${command}`], {
        cwd,
        env,
        timeout: 120_000,
        killSignal: 'SIGKILL',
        maxBuffer: 16 * 1024 * 1024,
      });
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#working--;
      else next();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
