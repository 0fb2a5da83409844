import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../programs/find-program.ts';
import { recognise } from '../recognise/recognise.ts';
import { UnnestBudget } from '../unnest/budget.ts';
import { isMember, type Member, type Refused } from '../unnest/member.ts';
import { unnest } from '../unnest/unnest.ts';
import { unnestableTypes } from '../unnest/wrapper-format.ts';

/** Content of README in every sample. */
export const knownWords = 'Known words in a known file.\n';

/** Bytes that do not compress to nothing, the same in every run. */
export const knownBlob = Uint8Array.from({ length: 40_000 }, (_, at) => (at * at * 7 + (at >> 3)) & 255);

/** The programs of Debian that make samples, each with the package that has it. */
export const packages: Readonly<Record<string, string>> = {
  '7z': 'p7zip-full',
  ar: 'binutils',
  binhex: 'macutils',
  bsdtar: 'libarchive-tools',
  bzip2: 'bzip2',
  compress: 'ncompress',
  cpio: 'cpio',
  'dpkg-deb': 'dpkg',
  gzip: 'gzip',
  lzip: 'lzip',
  rpmbuild: 'rpm',
  shar: 'sharutils',
  tar: 'tar',
  uuencode: 'sharutils',
  xz: 'xz-utils',
  zip: 'zip',
  zstd: 'zstd',
};

/** Why a sample cannot be made here, or undefined. */
export function missing(programs: readonly string[]): string | undefined {
  const absent = programs.filter((program) => findProgram(program) === undefined);
  return absent.length === 0
    ? undefined
    : `SKIPPED: install ${absent.map((program) => packages[program] ?? program).join(' ')}`;
}

/**
 * The bytes of the file `out` that a shell command makes from the sample folder `t` (README, sub/blob, link to README).
 */
export function made(command: string): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'garner-sample-'));
  try {
    mkdirSync(join(folder, 't', 'sub'), { recursive: true });
    writeFileSync(join(folder, 't', 'README'), knownWords);
    writeFileSync(join(folder, 't', 'sub', 'blob'), knownBlob);
    execFileSync('/bin/sh', ['-c', `set -e; ln -s README t/link; ${command}`], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, LC_ALL: 'C.UTF-8', TZ: 'UTC' },
    });
    return new Uint8Array(readFileSync(join(folder, 'out')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All documents and refusals of one layer. */
export async function unnested(
  type: string,
  bytes: Uint8Array,
  name: string,
  budget = new UnnestBudget(bytes.length),
): Promise<{ readonly members: readonly Member[]; readonly refused: readonly Refused[] }> {
  const members: Member[] = [];
  const refused: Refused[] = [];
  for await (const found of unnest(type, bytes, name, budget)) {
    if (isMember(found)) members.push(found);
    else refused.push(found);
  }
  return { members, refused };
}

/** One document or refusal found at any depth. */
export interface Found {
  /** Names from the outermost member on, joined by `!`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Code of the refusal, else empty. */
  readonly code: string;
  readonly depth: number;
}

/** Everything inside a document at every depth, as in the pipeline: the type of each member is recognised. */
export async function* unnestedDeep(
  bytes: Uint8Array,
  name: string,
  budget = new UnnestBudget(bytes.length),
  above = '',
): AsyncGenerator<Found> {
  const { type } = recognise({ url: `file:///${encodeURIComponent(name)}`, name, bytes });
  if (!unnestableTypes.has(type)) return;
  for await (const found of unnest(type, bytes, name, budget)) {
    const path = `${above}${found.path}`;
    const { depth } = budget;
    if (!isMember(found)) {
      yield { path, bytes: new Uint8Array(0), code: found.error.code, depth };
      continue;
    }
    yield { path, bytes: found.bytes, code: '', depth };
    const last = found.path.slice(found.path.lastIndexOf('/') + 1);
    yield* unnestedDeep(found.bytes, last, budget.deeper(found), `${path}!`);
  }
}

/** The same as a list. */
export async function allInside(bytes: Uint8Array, name: string, budget?: UnnestBudget): Promise<Found[]> {
  const found: Found[] = [];
  for await (const one of unnestedDeep(bytes, name, budget)) found.push(one);
  return found;
}
