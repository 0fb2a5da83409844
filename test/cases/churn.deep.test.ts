import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Random, seededRandom } from '../../kernel/index.ts';
import {
  type SearchAnswer,
  search,
  startServer,
  temporaryFolder,
  type UpReady,
} from '../commands/command.ts';

const seconds = Number(process.env.GARNER_TEST_SECONDS ?? 20);
const seed = Number(process.env.GARNER_TEST_SEED ?? 9);
const files = 500;
const editsPerSecond = 20;
const readers = 5;
const readerPauseMs = 200;
const followPauseMs = 50;
const textWords = 150;
/** The store's files may take this, however often 500 small summaries are replaced. */
const maxDiskBytes = 24 * 1024 * 1024;
const maxOldWords = 1000;
const settleMs = 60_000;

const letters = 'bcdfghjklmnpqrtv';

/** A word of its own for each number, which no rule of a language changes. */
const wordOf = (number: number) =>
  `x${[...number.toString(16).padStart(5, '0')].map((digit) => letters[Number.parseInt(digit, 16)]).join('')}k`;

/** A folder whose files each hold one word that no file ever held before. */
class ChurnedFolder {
  readonly path: string;
  readonly #random: Random;
  /** The newest word of each file that exists. */
  readonly words = new Map<string, string>();
  /** Words that no file holds any more. */
  readonly old: string[] = [];
  #number = 0;
  #name = 0;

  constructor(path: string, random: Random) {
    this.path = path;
    this.#random = random;
  }

  async fill(): Promise<void> {
    await mkdir(this.path);
    for (let n = 0; n < files; n++) await this.#write(`page-${this.#name++}.md`);
  }

  /** Change one file: rewritten, replaced, deleted or made. Returns its name, and its word where it has one. */
  async edit(): Promise<readonly [name: string, word: string | undefined]> {
    const kind = this.#random.next();
    if (kind < 0.05) return this.#write(`page-${this.#name++}.md`);
    const names = [...this.words.keys()];
    const name = names[Math.floor(this.#random.next() * names.length)] ?? '';
    if (kind > 0.1) return this.#write(name, kind > 0.8);
    this.#end(name);
    await rm(join(this.path, name));
    return [name, undefined];
  }

  async #write(name: string, isReplaced = false): Promise<readonly [string, string]> {
    this.#end(name);
    const word = wordOf(this.#number++);
    this.words.set(name, word);
    const text = Array.from(
      { length: textWords },
      () => `word${Math.floor(this.#random.next() * 5000)}`,
    ).join(' ');
    const content = `# The page ${name}\n\n${word} common ${text}\n`;
    const path = join(this.path, name);
    if (isReplaced) {
      await writeFile(`${path}.part`, content);
      await rename(`${path}.part`, path);
    } else await writeFile(path, content);
    return [name, word];
  }

  #end(name: string): void {
    const word = this.words.get(name);
    if (word !== undefined) this.old.push(word);
    this.words.delete(name);
  }
}

async function diskBytes(path: string): Promise<number> {
  const names = await readdir(path, { recursive: true });
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(path, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const residentMiB = async (pid: number) =>
  Math.round(Number(/VmRSS:\s*(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

const at = (times: readonly number[], share: number) =>
  Math.round([...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0);

/** The answer for this word alone: not for one that is written alike. */
async function exactly(broker: string, word: string): Promise<SearchAnswer> {
  const response = await fetch(new URL(`/search?q=${word}&correct=false&widen=false`, broker));
  assert.equal(response.status, 200);
  return (await response.json()) as SearchAnswer;
}

const hasOnly = (name: string) => (answer: SearchAnswer) =>
  answer.total === 1 && answer.hits[0]?.url.endsWith(`/${name}`) === true;

/** What readers and edits waited for, in milliseconds. */
interface Waits {
  readonly queries: number[];
  readonly edits: number[];
  failures: number;
}

async function read(broker: string, random: Random, signal: AbortSignal, waits: Waits): Promise<void> {
  while (!signal.aborted) {
    const word = `word${Math.floor(random.next() * 5000)}`;
    const began = performance.now();
    await search(broker, random.next() < 0.5 ? word : `common ${word}`).catch(() => {
      waits.failures++;
    });
    waits.queries.push(performance.now() - began);
    await pause(readerPauseMs);
  }
}

/** Note how long an edit takes to be found, unless the file changes again meanwhile. */
async function follow(broker: string, folder: ChurnedFolder, name: string, waits: Waits): Promise<void> {
  const word = folder.words.get(name) ?? '';
  const began = performance.now();
  while (folder.words.get(name) === word) {
    if (hasOnly(name)(await exactly(broker, word))) return void waits.edits.push(performance.now() - began);
    await pause(followPauseMs);
  }
  if (performance.now() - began > 2000) waits.edits.push(performance.now() - began);
}

/** The files that are not found by their newest word, and the old words that find something. */
async function faults(broker: string, folder: ChurnedFolder): Promise<readonly string[]> {
  const found: string[] = [];
  const checks = [
    ...Array.from(folder.words, ([name, word]) => async () => {
      if (!hasOnly(name)(await exactly(broker, word))) found.push(`${name} lacks ${word}`);
    }),
    ...folder.old.slice(-maxOldWords).map((word) => async () => {
      if ((await exactly(broker, word)).total > 0) found.push(`${word} is still found`);
    }),
  ].values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const check of checks) await check();
    }),
  );
  return found;
}

test(`case a09: after edits at 20 a second every file is found by its newest word and the data is small`, async (t: TestContext) => {
  t.diagnostic(`GARNER_TEST_SEED=${seed}`);
  await using temporary = await temporaryFolder();
  const folder = new ChurnedFolder(join(temporary.path, 'site'), seededRandom(seed));
  await folder.fill();
  const data = join(temporary.path, 'data');
  await using up = await startServer<UpReady>(
    ['up', 'site', '--port', '0', '--site-port', '0', '--data', 'data'],
    { cwd: temporary.path },
  );
  const broker = up.ready.search;
  const waits: Waits = { queries: [], edits: [], failures: 0 };
  const stop = new AbortController();
  const reading = Array.from({ length: readers }, (_, n) =>
    read(broker, seededRandom(seed + n + 1), stop.signal, waits),
  );
  let following: Promise<void> | undefined;
  let [maxDisk, maxResident] = [0, 0];
  const began = performance.now();
  for (let edits = 0; performance.now() - began < seconds * 1000; edits++) {
    const [name, word] = await folder.edit();
    // One at a time: the questions are no load of their own.
    if (word !== undefined)
      following ??= follow(broker, folder, name, waits).then(() => {
        following = undefined;
      });
    if (edits % (5 * editsPerSecond) === 0) {
      maxDisk = Math.max(maxDisk, await diskBytes(data));
      maxResident = Math.max(maxResident, await residentMiB(up.pid));
    }
    await pause(began + ((edits + 1) * 1000) / editsPerSecond - performance.now());
  }
  stop.abort();
  await Promise.all([...reading, following]);
  const ended = performance.now();
  let found = await faults(broker, folder);
  const behind = found.length;
  while (found.length > 0 && performance.now() - ended < settleMs) found = await faults(broker, folder);
  const [queries, edits] = [waits.queries, waits.edits];
  t.diagnostic(
    `${seconds} s: ${queries.length} queries, p50 ${at(queries, 0.5)} ms, p99 ${at(queries, 0.99)} ms, max ${at(queries, 0.9999)} ms; ` +
      `${edits.length} edits followed, searchable after p50 ${at(edits, 0.5)} ms, p95 ${at(edits, 0.95)} ms, max ${at(edits, 0.9999)} ms; ` +
      `${behind} words behind at the first check, none ${Math.round(performance.now() - ended)} ms after the last edit; ` +
      `at most ${Math.round(maxDisk / 1024)} KiB of disk and ${maxResident} MiB of memory`,
  );
  assert.deepEqual(found.slice(0, 10), []);
  assert.equal(waits.failures, 0);
  assert.ok(maxDisk <= maxDiskBytes, `${maxDisk} bytes of data`);
});
