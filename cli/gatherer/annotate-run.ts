import {
  type Annotated,
  type Annotation,
  type AnnotationChange,
  type AnnotationFormat,
  type AnnotationImport,
  type AnnotationOutcome,
  annotationErrors,
  annotationFiles,
  type Gatherer,
  type ImportedRecord,
} from '../../gatherer/index.ts';
import { type ControlDoor, callControl } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import type { Run } from '../command/verb.ts';
import { cliErrors } from '../config/errors.ts';
import { readInput } from '../config/input-file.ts';
import { count } from '../text/number-formats.ts';
import { terminalSafe, terminalSafeText } from '../text/output.ts';
import { askGatherer } from './ask.ts';

const outcomes: Readonly<Record<AnnotationOutcome, string>> = {
  stored: 'the summary shows it now',
  unchanged: 'nothing has changed',
  waiting: 'stored until the document is gathered',
  'next-run': 'the summary shows it after the next run',
};

/** An import goes through a control door in parts, each well below the maximum of a request. */
const partCharacters = 256 * 1024;
const partRecords = 200;
const shownProblems = 20;

const one = (url: string) => `/control/annotate?url=${encodeURIComponent(url)}`;

/** Change the annotation of a document. */
export async function annotateOne(run: Run, url: string, change: AnnotationChange): Promise<number> {
  const annotated = await askGatherer(
    run,
    (gatherer) => gatherer.annotate(url, change),
    async (door) =>
      (await callControl(door, '/control/annotate', {
        method: 'POST',
        json: { url, ...change },
        signal: run.signal,
      })) as Annotated,
  );
  await run.output.result(annotated, ({ outcome, annotation }) =>
    [`  ${outcomes[outcome]}`, ...linesOf(annotation)].join('\n'),
  );
  return 0;
}

/** Remove the annotation of a document. */
export async function removeOne(run: Run, url: string): Promise<number> {
  const removed = await askGatherer(
    run,
    async (gatherer) => ({ outcome: await gatherer.removeAnnotation(url), annotation: null }),
    async (door) =>
      (await callControl(door, one(url), { method: 'DELETE', signal: run.signal })) as Annotated,
  );
  await run.output.result(removed, ({ outcome }) => {
    if (outcome === 'waiting') return '  removed; the document has no summary';
    return `  removed; ${outcome === 'stored' ? 'the summary shows the gathered values again' : outcomes[outcome]}`;
  });
  return 0;
}

/** Print the annotation of a document. Throws ANNOTATION_MISSING. */
export async function showOne(run: Run, url: string): Promise<number> {
  const annotation = await askGatherer(
    run,
    async (gatherer) => (await gatherer.annotations.get(url)) ?? null,
    async (door) => (await callControl(door, one(url), { signal: run.signal })) as Annotation | null,
  );
  if (annotation === null) throw failure(annotationErrors.ANNOTATION_MISSING, { url });
  await run.output.result(annotation, (known) => linesOf(known).join('\n'));
  return 0;
}

/** Import the annotations of a file. Exit code 3 when some could not be imported. */
export async function importFile(run: Run, file: string): Promise<number> {
  const { args, output, cwd, signal } = run;
  const { annotationFormats } = await annotationFiles();
  const format = annotationFormats.find((known) => known === args.text('as'));
  const { records, problems } = await readAnnotations(file, await wholeInput(file, cwd), format);
  const taken = await askGatherer(
    run,
    (gatherer) => takeAll(records, (part) => gatherer.importAnnotations(part), signal),
    (door) =>
      takeAll(
        records,
        async (part) =>
          (await callControl(door, '/control/annotations', {
            method: 'POST',
            json: { records: part },
            signal,
          })) as AnnotationImport,
        signal,
      ),
  );
  const complaints = [
    ...problems.map(({ record, reason }) => `${record}: ${reason}`),
    ...taken.refused.map(({ url, reason }) => `${url}: ${reason}`),
  ];
  for (const complaint of complaints.slice(0, shownProblems)) output.note(`  ${terminalSafe(complaint)}`);
  const more = complaints.length - shownProblems;
  if (more > 0) output.note(`  and ${more} more could not be imported`);
  await output.result({ ...taken, problems }, ({ outcomes: done }) => {
    const said = (Object.entries(done) as [AnnotationOutcome, number][])
      .filter(([, times]) => times > 0)
      .map(([outcome, times]) => `${times} ${outcome}`);
    return `${count(records.length, 'record')} read: ${said.join(', ') || 'none imported'}`;
  });
  return complaints.length === 0 ? 0 : 3;
}

/** Print every annotation: as SOIF for `--import`, or as a line of JSON each. */
export async function exportAll(run: Run): Promise<number> {
  const { printAnnotations } = await annotationFiles();
  const print = async (annotations: AsyncIterable<Annotation>) => {
    for await (const annotation of annotations) {
      run.signal.throwIfAborted();
      if (run.output.json) await run.output.result(annotation, () => '');
      // Made safe before it is printed: SOIF counts bytes.
      else
        for await (const chunk of printAnnotations([safe(annotation)]))
          await run.output.data(Buffer.from(chunk).toString());
    }
  };
  await askGatherer(
    run,
    (gatherer) => print(gatherer.annotations.store.list()),
    (door) => print(listThrough(door, run.signal)),
  );
  return 0;
}

function safe({ url, fields, author, at }: Annotation): Annotation {
  const values = fields.map(([name, value]) => [name, terminalSafeText(value)] as const);
  return { url: terminalSafe(url), fields: values, author: terminalSafe(author), at };
}

function linesOf(annotation: Annotation | null): string[] {
  if (annotation === null) return [];
  const { url, fields, author, at } = annotation;
  const said = author === '' ? '' : ` by ${terminalSafe(author)}`;
  return [
    `  ${terminalSafe(url)}, annotated ${new Date(at * 1000).toISOString()}${said}`,
    ...fields.map(([name, value]) => `    ${terminalSafe(name)}: ${terminalSafe(value) || '(hidden)'}`),
  ];
}

async function wholeInput(file: string, cwd: string): Promise<Uint8Array> {
  const { importLimits } = await annotationFiles();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readInput(file, cwd)) {
    size += chunk.length;
    if (size > importLimits.bytes)
      throw failure(annotationErrors.ANNOTATION_TOO_LARGE, { what: 'The import', limit: importLimits.bytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function readAnnotations(file: string, bytes: Uint8Array, format: AnnotationFormat | undefined) {
  const path = file === '-' ? 'standard input' : file;
  const { annotationFormats, importAnnotations } = await annotationFiles();
  const read = await importAnnotations(bytes, format);
  const isEmpty = read === undefined || read.records.length + read.problems.length === 0;
  if (isEmpty && format !== undefined) throw failure(cliErrors.CLI_IMPORT_EMPTY, { path, format });
  if (isEmpty) {
    const names = annotationFormats.join(', ');
    const problem = `holds no annotations of a recognised format; give the format with --as: ${names}`;
    throw failure(cliErrors.CLI_INPUT_UNREADABLE, { path, problem });
  }
  return read;
}

async function takeAll(
  records: readonly ImportedRecord[],
  take: (part: readonly ImportedRecord[]) => ReturnType<Gatherer['importAnnotations']>,
  signal: AbortSignal,
): Promise<AnnotationImport> {
  const done = { stored: 0, unchanged: 0, waiting: 0, 'next-run': 0 };
  const refused: AnnotationImport['refused'][number][] = [];
  for (const part of partsOf(records)) {
    signal.throwIfAborted();
    const taken = await take(part);
    for (const outcome of Object.keys(done) as AnnotationOutcome[]) done[outcome] += taken.outcomes[outcome];
    refused.push(...taken.refused);
  }
  return { outcomes: done, refused };
}

function* partsOf(records: readonly ImportedRecord[]): Iterable<readonly ImportedRecord[]> {
  let part: ImportedRecord[] = [];
  let size = 0;
  for (const record of records) {
    const own = record.fields.reduce(
      (sum, [name, value]) => sum + name.length + value.length,
      record.url.length,
    );
    if (part.length > 0 && (part.length >= partRecords || size + own > partCharacters)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(record);
    size += own;
  }
  if (part.length > 0) yield part;
}

interface Page {
  readonly annotations: readonly {
    readonly url: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly author: string;
    readonly at: string;
  }[];
  readonly next: string | null;
}

async function* listThrough(door: ControlDoor, signal: AbortSignal): AsyncIterable<Annotation> {
  let after = '';
  for (;;) {
    const page = (await callControl(door, `/annotations?limit=1000&after=${encodeURIComponent(after)}`, {
      signal,
    })) as Page;
    for (const { url, fields, author, at } of page.annotations)
      yield { url, fields: Object.entries(fields), author, at: Math.floor(Date.parse(at) / 1000) };
    if (page.next === null) return;
    after = page.next;
  }
}
