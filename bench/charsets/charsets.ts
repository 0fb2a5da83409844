import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultPlan, tryDocument } from '../../gatherer/index.ts';
import { seededRandom } from '../../kernel/index.ts';
import { charsetNamed, decodeAs } from '../../readers/charsets/index.ts';
import type { DocumentInput } from '../../readers/document/index.ts';
import { writePerformance } from '../harness/report.ts';
import { type Form, forms } from './forms.ts';
import { manualTexts, type Pair, pairs, type Sample, samplesOf } from './samples.ts';

const lengths = [20, 200] as const;
const seed = 1995;
const perPair = 20;
const namesInArchive = 10;

/** A program that prints the charset of each file. */
interface Peer {
  readonly name: string;
  readonly command: readonly string[];
}

const peers: readonly Peer[] = [
  { name: 'uchardet', command: ['uchardet'] },
  { name: 'file -i', command: ['file', '-b', '--mime-encoding'] },
];

/** Right ones among the samples of a pair, by reader. */
type Tally = Map<string, { right: number; count: number }>;

/**
 * Print how many samples of 47 pairs of language and charset are read as they were written, in five forms, beside
 * uchardet and file(1): right is the same text as from the same document in UTF-8. `folders` have manual pages in
 * Debian's layout; texts in UTF-8 that are taken for anything else are counted.
 */
export async function benchCharsets(args: readonly string[]): Promise<number | string> {
  const folders = args.filter((arg) => !arg.startsWith('--'));
  const places = folders.length > 0 ? folders : ['/usr/share/man'];
  if (spawnSync('iconv', ['--version']).error !== undefined) return 'charsets needs iconv (libc-bin)';
  const found = peers.filter(
    ({ command: [program = ''] }) => spawnSync(program, ['--version']).error === undefined,
  );
  for (const { name } of peers)
    if (!found.some((peer) => peer.name === name))
      process.stdout.write(`skipped: ${name}, which is not installed\n`);
  const readers = ['garner', ...found.map(({ name }) => name)];
  const all = new Map<string, Tally>();
  let mistaken = 0;
  let utf8 = 0;
  const read = new Map<number, number>();
  for (const pair of pairs) {
    const texts = manualTexts(pair.language, places);
    for (const words of lengths) {
      const random = seededRandom(seed + words);
      const samples = samplesOf(pair, texts, words, perPair, random.next);
      if (samples.length === 0) {
        process.stdout.write(`skipped: ${pair.language} ${pair.charset}, ${words} words: no text\n`);
        continue;
      }
      read.set(words, (read.get(words) ?? 0) + 1);
      const names = words === lengths[0] ? samples : samplesOf(pair, texts, lengths[0], perPair, random.next);
      for (const form of forms) {
        if (form.without.test(pair.charset)) continue;
        const isNames = form.name === 'names in zip';
        const groups =
          isNames && words > lengths[0] ? inGroups(names) : (isNames ? names : samples).map((one) => [one]);
        const tally = await tallyOf(form, pair, groups, found);
        merge(all, `${form.name}, ${words} words`, tally.readers);
        mistaken += tally.mistaken;
        utf8 += groups.length;
        if (args.includes('--pairs')) {
          const shares = readers.map((name) => `${name} ${percent(tally.readers.get(name))}`).join(', ');
          process.stdout.write(`${pair.language} ${pair.charset}, ${form.name}, ${words} words: ${shares}\n`);
        }
      }
    }
  }
  for (const words of lengths)
    for (const [row, tally] of [...all])
      if (row.endsWith(` ${words} words`)) merge(all, `all forms, ${words} words`, tally);
  const table = [
    `| form, words | ${readers.join(' | ')} |`,
    `| --- |${' --: |'.repeat(readers.length)}`,
    ...[...all].map(
      ([row, tally]) => `| ${row} | ${readers.map((name) => percent(tally.get(name))).join(' | ')} |`,
    ),
    `| valid UTF-8 taken for anything else | ${mistaken} of ${utf8} |${' |'.repeat(found.length)}`,
  ].join('\n');
  process.stdout.write(`${table}\n`);
  if (!args.includes('--write')) return 0;
  const run = `- \`npm run bench -- charsets --write\`, ${new Date().toISOString()}.`;
  const counts = lengths.map((words) => `${read.get(words) ?? 0} of ${words} words`).join(', ');
  const samples = `- Pairs with text here: ${counts}; up to ${perPair} samples each, seed ${seed}; % right, the mean of the pairs.`;
  await writePerformance('charsets', [run, samples, '', table].join('\n'));
  return 0;
}

const percent = (tally: { right: number; count: number } | undefined) =>
  tally === undefined || tally.count === 0 ? '-' : `${((100 * tally.right) / tally.count).toFixed(1)} %`;

function inGroups(samples: readonly Sample[]): Sample[][] {
  const count = Math.max(1, Math.floor(samples.length / namesInArchive));
  return Array.from({ length: count }, (_, at) =>
    samples.slice(at * namesInArchive, (at + 1) * namesInArchive),
  );
}

// Each pair weighs the same, however many samples it has.
function merge(all: Map<string, Tally>, row: string, tally: Tally): void {
  const sums: Tally = all.get(row) ?? new Map();
  all.set(row, sums);
  for (const [reader, { right, count }] of tally) {
    const sum = sums.get(reader) ?? { right: 0, count: 0 };
    sums.set(reader, { right: sum.right + right / count, count: sum.count + 1 });
  }
}

async function tallyOf(
  form: Form,
  { charset }: Pair,
  groups: readonly (readonly Sample[])[],
  found: readonly Peer[],
): Promise<{ readonly readers: Tally; readonly mistaken: number }> {
  const readers: Tally = new Map();
  const isNames = form.name === 'names in zip';
  let right = 0;
  let mistaken = 0;
  const files: Uint8Array[] = [];
  for (const [at, group] of groups.entries()) {
    // The lines of an old Macintosh end in CR.
    const broken = (bytes: Uint8Array) => (charset === 'macintosh' ? withLines(bytes) : bytes);
    const document = form.document(
      group.map(({ bytes }) => broken(bytes)),
      charset,
      at,
    );
    const plain = form.document(
      group.map(({ text }) => broken(Buffer.from(text))),
      'utf-8',
      0,
    );
    const wanted = await summaryOf(plain);
    if ((await summaryOf(document)) === wanted) right++;
    if (!group.every(({ text }) => wanted.includes(normal(text).slice(0, 40)))) mistaken++;
    files.push(
      isNames ? Buffer.concat(group.flatMap(({ bytes }) => [bytes, Buffer.from('\n')])) : document.bytes,
    );
  }
  readers.set('garner', { right, count: groups.length });
  for (const peer of found) {
    const labels = labelsOf(peer, files);
    const ok = groups.filter((group, at) => {
      const label = charsetNamed(labels[at]);
      return label !== undefined && group.every(({ bytes, text }) => decodeAs(bytes, label) === text);
    });
    readers.set(peer.name, { right: ok.length, count: groups.length });
  }
  return { readers, mistaken };
}

function withLines(bytes: Uint8Array): Uint8Array {
  let spaces = 0;
  return Buffer.concat([
    bytes.map((byte) => (byte === 0x20 && ++spaces % 10 === 0 ? 0x0d : byte)),
    Buffer.from('\r'),
  ]);
}

/** As summaries keep text: without soft hyphens. */
const normal = (text: string) => text.normalize('NFC').replaceAll('\xad', '').replace(/\s+/g, ' ').trim();

/** What the Gatherer makes of the text of a document: the texts and the names of its objects. */
async function summaryOf(document: DocumentInput): Promise<string> {
  const { objects } = await tryDocument(document, defaultPlan);
  return objects
    .map(({ url, attributes }) => normal(`${decodeURIComponent(url)} ${attributes['Full-Text'] ?? ''}`))
    .join('\n');
}

function labelsOf(
  { command: [program = '', ...options] }: Peer,
  files: readonly Uint8Array[],
): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'garner-charsets-'));
  try {
    const paths = files.map((bytes, at) => {
      const path = join(folder, `${at}.txt`);
      writeFileSync(path, bytes);
      return path;
    });
    const { stdout } = spawnSync(program, [...options, ...paths], { encoding: 'utf8' });
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.slice(line.lastIndexOf(':') + 1).trim());
  } finally {
    rmSync(folder, { recursive: true });
  }
}
