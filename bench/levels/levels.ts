import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describeMachine, packageFolder } from '../harness/machine.ts';
import { machineWords, writePerformance } from '../harness/report.ts';
import {
  type Collection,
  type Document,
  judgedCollection,
  knownItems,
  manuals,
  pagesOf,
  withoutTitleHeadings,
} from './collections.ts';
import { type Curve, curveOf } from './curve.ts';
import { curvesMarkdown, curveText } from './print.ts';
import { readDocument } from './reading.ts';

// The cost and value of the levels of summary: bytes against retrieval quality, as curves. The tests are known-item
// search on Debian's manuals and on technical reports (PDF, PostScript), and collections with judgments.

const min = 3000;

/** Technical reports below the folders: PDF and PostScript files with enough text, each content once. */
async function reportsOf(
  folders: readonly string[],
  gzip: (bytes: Uint8Array) => number,
): Promise<Document[]> {
  const documents: Document[] = [];
  const seen = new Set<string>();
  for (const folder of folders) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
      const path = join(folder, name);
      if (!/\.(?:pdf|ps)(?:\.gz)?$/.test(name) || !statSync(path, { throwIfNoEntry: false })?.isFile())
        continue;
      const stored = readFileSync(path);
      const bytes = path.endsWith('.gz') ? gunzipSync(stored) : stored;
      const url = `http://reports.example.org/${path.replace(/^.*\/usr\//, '').replace(/\.gz$/, '')}`;
      const type = /\.pdf(?:\.gz)?$/.test(path) ? 'PDF' : 'PostScript';
      // An unreadable document has no text at any level.
      const reading = await readDocument(type, url, bytes).catch(() => undefined);
      if (reading === undefined || reading.text.length < min || seen.has(reading.text)) continue;
      seen.add(reading.text);
      const title = reading.title === '' ? basename(path) : reading.title;
      documents.push({ url, bytes: bytes.length, gzipped: gzip(bytes), ...reading, title });
    }
  }
  return documents;
}

export interface LevelsOptions {
  /** JSON on stdout in place of text. */
  readonly json: boolean;
  /** Folders of PDF and PostScript files; Debian's documentation when absent. */
  readonly reports?: readonly string[];
  /** One manual and one collection with judgments: to check that it works. */
  readonly quick?: boolean;
  /** Put the table into docs/performance.md. */
  readonly write?: boolean;
}

const gzip = (bytes: Uint8Array) => gzipSync(bytes).length;
const queriesOfASet = 500;

/** The installed collections; the absent ones are reported as skipped. */
async function* collections(
  { quick, reports }: LevelsOptions,
  skip: (reason: string) => void,
): AsyncGenerator<Collection> {
  const named = (name: string, documents: readonly Document[]): Collection => ({
    ...{ name, documents, titles: false, any: false },
    queries: knownItems(documents, queriesOfASet),
  });
  const wanted = Object.entries(manuals).filter(([name]) => quick !== true || name === 'git-doc');
  for (const [name, path] of wanted) if (!existsSync(path)) skip(`SKIPPED: apt-get install ${name}`);
  const pages = await pagesOf(
    wanted.map(([, path]) => path),
    gzip,
  );
  if (pages.length > 0) {
    yield named('manuals in HTML', pages);
    if (quick !== true)
      yield named('the same without headings that repeat the title', pages.map(withoutTitleHeadings));
  }
  if (quick !== true) {
    const documents = await reportsOf(reports ?? ['/usr/share/doc'], gzip);
    if (documents.length > 0) yield named('technical reports', documents);
  }
  for (const name of quick === true ? ['cranfield'] : ['cranfield', 'cisi']) {
    const folder = join(packageFolder(), '../shared/data/ir', name);
    if (existsSync(folder)) yield judgedCollection(folder, name, gzip);
    else skip(`SKIPPED: ${folder} is not here`);
  }
}

/** Measure all curves and print each when it is complete. */
export async function benchLevels(options: LevelsOptions): Promise<readonly Curve[]> {
  const log = (line: string) => process.stderr.write(`  ${line}\n`);
  const curves: Curve[] = [];
  for await (const collection of collections(options, log)) {
    const curve = await curveOf(collection, log);
    curves.push(curve);
    if (!options.json) process.stdout.write(curveText(curve));
  }
  if (options.json) process.stdout.write(`${JSON.stringify(curves)}\n`);
  if (options.write === true) {
    const run = `- \`npm run bench -- levels --write\`, ${new Date().toISOString()}.`;
    const machine = machineWords(describeMachine({})).map((line) => `- ${line}`);
    await writePerformance('levels', [run, ...machine, '', curvesMarkdown(curves)].join('\n'));
  }
  return curves;
}
