import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import type { Extract, RecognisedDocument, SummariseOptions } from '../../readers/document/index.ts';
import { type LevelledExtract, levelledExtract } from '../pipeline/levelled-extract.ts';

/** Helps the tests beside this file to summarise real files made by real tools, and damaged ones. */

export type AnySummariser = (
  document: RecognisedDocument,
  options: SummariseOptions,
) => Extract | Promise<Extract>;

const options = { text: 'full', maxTextBytes: 8 * 1024 * 1024, maxDocumentBytes: 64 * 1024 * 1024 } as const;

/** A document of the given content. */
export function documentOf(content: string | Uint8Array, name: string): RecognisedDocument {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const url = `http://site.example/${encodeURIComponent(name)}`;
  return { url, name, bytes, type: 'Unrecognized', mediaType: 'application/octet-stream' };
}

/** A summariser's extract of content, by attribute; notes are joined as `Notes`. */
export async function summarised(
  summariser: AnySummariser,
  content: string | Uint8Array,
  name: string,
  text: SummariseOptions['text'] = 'full',
): Promise<ReadonlyMap<string, string>> {
  const chosen = { ...options, text };
  return attributesOf(await summariser(documentOf(content, name), chosen), chosen);
}

/** An extract by attribute. */
export function attributesOf(
  found: Extract,
  chosen: SummariseOptions = options,
): ReadonlyMap<string, string> {
  const extract = levelledExtract(found, chosen);
  const fields = [...extract.fields, ...(extract.text === undefined ? [] : [extract.text])];
  return new Map([
    ...fields.filter(([, value]) => value !== ''),
    ...(extract.title === undefined ? [] : ([['Title', extract.title]] as const)),
    ...(extract.notes.length === 0 ? [] : ([['Notes', extract.notes.join('\n')]] as const)),
  ]);
}

/** Assert the values of some attributes. */
export function assertHolds(
  found: ReadonlyMap<string, string>,
  expected: Readonly<Record<string, string>>,
): void {
  assert.deepEqual(
    Object.fromEntries(Object.keys(expected).map((name) => [name, found.get(name)])),
    expected,
  );
}

/** A folder that is removed at the end of the test. */
export function scratch(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'garner-summarised-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Run a tool of the system in a folder; false with a skipped test when it is not installed. */
export function toolRan(
  t: TestContext,
  folder: string,
  command: string,
  args: readonly string[],
  install: string,
): boolean {
  if (spawnSync(command, ['-version'], { stdio: 'ignore' }).error !== undefined) {
    t.skip(`SKIPPED: install ${install}`);
    return false;
  }
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  return true;
}

/** The output of a tool. */
export function toolOutput(command: string, args: readonly string[], folder: string, input?: string): Buffer {
  const env = { ...process.env, LC_ALL: 'C' };
  return execFileSync(command, args, { cwd: folder, env, ...(input === undefined ? {} : { input }) });
}

/** A file of the system, or undefined with a skipped test. */
export function installedFile(t: TestContext, path: string, install: string): Uint8Array | undefined {
  if (existsSync(path)) return readFileSync(path);
  t.skip(`SKIPPED: install ${install}`);
  return undefined;
}

const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  near: fc.boolean(),
  kind: fc.constantFrom('byte', 'ones', 'zeros', 'cut', 'copy'),
  value: fc.nat(255),
});

function changed(
  bytes: Uint8Array,
  changes: readonly { at: number; near: boolean; kind: string; value: number }[],
): Uint8Array {
  let result = Buffer.from(bytes);
  for (const { at, near, kind, value } of changes) {
    // Damage is most effective in headers.
    const place = Math.floor(at * (near ? Math.min(result.length, 512) : result.length));
    if (kind === 'byte') result[place] = value;
    else if (kind === 'ones') result.fill(0xff, place, Math.min(place + 4, result.length));
    else if (kind === 'zeros') result.fill(0, place, Math.min(place + 4, result.length));
    else if (kind === 'cut') result = result.subarray(0, Math.max(place, 1));
    else result.copyWithin(place, 0, value);
  }
  return result;
}

/** Damaged files for each sample: more in the long suite. */
const damagedFiles = Number(process.env.GARNER_TEST_DOCUMENTS ?? 20);

const soifName = /^[A-Za-z][A-Za-z0-9-]*$/;

/**
 * Property: arbitrary bytes and damaged real files give well-formed values or an Error that the pipeline turns into a
 * plain summary, each within two seconds and within bounds.
 */
export async function assertSurvives(
  summariser: AnySummariser,
  samples: readonly Uint8Array[],
  name: string,
): Promise<void> {
  const bounded = { ...options, maxTextBytes: 64 * 1024 };
  const survives = async (bytes: Uint8Array) => {
    let extract: LevelledExtract | undefined;
    await assertCpuMs(2000, async () => {
      try {
        extract = levelledExtract(await summariser(documentOf(bytes, name), bounded), bounded);
      } catch (error) {
        assert.ok(error instanceof Error);
      }
    });
    const text = extract?.text;
    assert.ok(Buffer.byteLength(text?.[1] ?? '') <= bounded.maxTextBytes);
    for (const [field, value] of [...(extract?.fields ?? []), ...(text === undefined ? [] : [text])]) {
      assert.match(field, soifName);
      assert.equal(Buffer.from(value).toString(), value, `${field} is not well formed`);
    }
  };
  const arbitrary = fc.uint8Array({ maxLength: 2000 });
  const damaged =
    samples.length === 0
      ? arbitrary
      : fc
          .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 8 }))
          .map(([sample, changes]) => changed(sample, changes));
  await fc.assert(fc.asyncProperty(arbitrary, survives), { numRuns: damagedFiles });
  await fc.assert(fc.asyncProperty(damaged, survives), {
    numRuns: damagedFiles * Math.max(1, samples.length),
  });
}

/** Assert that a summariser's CPU time grows no worse than linearly with repeated parts: 1 MiB within the bound. */
export async function assertLinear(
  summariser: AnySummariser,
  parts: readonly string[],
  name: string,
  start = '',
): Promise<void> {
  for (const part of parts) {
    const bytes = Buffer.from(start + part.repeat(Math.ceil((1024 * 1024) / part.length)));
    const summarise = async () => {
      try {
        const selected = { ...options, text: 'selected' } as const;
        levelledExtract(await summariser(documentOf(bytes, name), selected), selected);
      } catch (error) {
        assert.ok(error instanceof Error);
      }
    };
    await assertCpuMs(5000, summarise, `${basename(name)}: ${JSON.stringify(part)}`);
  }
}
