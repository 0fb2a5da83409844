import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import {
  type Extract,
  type RecognisedDocument,
  type SummariseOptions,
  summaryTexts,
} from '../../readers/document/index.ts';
import { type LevelledExtract, levelledExtract } from '../pipeline/levelled-extract.ts';
import { findProgram } from '../programs/find-program.ts';
import type { Summariser } from '../summarise/summariser.ts';

/** For tests: a document with these bytes and an arbitrary type and name. */
export function testDocument(bytes: Uint8Array, name = 'document'): RecognisedDocument {
  return {
    url: `http://site.example/${name}`,
    name,
    bytes,
    type: 'Test',
    mediaType: 'application/octet-stream',
  };
}

export const fullText: SummariseOptions = {
  text: 'full',
  maxTextBytes: 1024 * 1024,
  maxDocumentBytes: 64 * 1024 * 1024,
};

/** An extract's values by name, text and title included. */
export function valuesOf(extract: Extract, options = fullText): ReadonlyMap<string, string> {
  const { title = '', fields, text } = levelledExtract(extract, options);
  return new Map([['Title', title], ...fields, ...(text === undefined ? [] : [text])]);
}

/** The reason to skip a test whose programs are missing, or false. */
export function lacking(...tools: string[]): string | false {
  const absent = tools.filter((tool) => findProgram(tool) === undefined);
  return absent.length > 0 && `SKIPPED: install ${absent.join(' and ')}`;
}

/** Write `source` to a file, run a program beside it, and return its output file or, for `-`, its output. */
export function made(
  source: string | Uint8Array,
  name: string,
  output: string,
  tool: string,
  args: readonly string[],
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'garner-made-'));
  try {
    writeFileSync(join(folder, name), source);
    const shown = execFileSync(tool, args, {
      cwd: folder,
      env: { ...process.env, HOME: folder, SOURCE_DATE_EPOCH: '784111777' },
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 120_000,
    });
    return output === '-' ? shown : readFileSync(join(folder, output));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const maxMilliseconds = 3000;
/** The share of the runs that are made. */
const share = Number(process.env.GARNER_TEST_DOCUMENTS ?? 20) / 60;

/** Assert that a summariser handles any bytes: it soon returns bounded text or throws an error. */
export async function assertBears(summariser: Summariser, arbitrary: fc.Arbitrary<Uint8Array>, runs: number) {
  await fc.assert(
    fc.asyncProperty(arbitrary, fc.constantFrom(...summaryTexts), async (bytes, text) => {
      const options = { ...fullText, text, maxTextBytes: 20_000 };
      let extract: LevelledExtract | undefined;
      await assertCpuMs(maxMilliseconds, async () => {
        try {
          extract = levelledExtract(await summariser(testDocument(bytes), options), options);
        } catch (error) {
          assert.ok(error instanceof Error && !(error instanceof TypeError), String(error));
          assert.ok(!/call stack/.test(error.message));
        }
      });
      if (extract?.text !== undefined) assert.ok(Buffer.byteLength(extract.text[1]) <= 20_000);
    }),
    { numRuns: Math.ceil(runs * share) },
  );
}
