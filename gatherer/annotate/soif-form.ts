import {
  Attributes,
  attributeNumber,
  attributeText,
  printObject,
  SoifParser,
  type SummaryObject,
  summaryObject,
} from '../../soif/index.ts';
import { isReserved } from '../summarise/index.ts';
import { type Annotation, annotatedAt, annotatedBy, cleanValue, isKept } from './annotation.ts';
import { FieldList } from './field-list.ts';
import { type Imported, ImportList, importText } from './imported.ts';
import { labelledLines, numberedLines } from './labelled-lines.ts';

/** An annotation as a SOIF object, with author and time as two more attributes. */
export function annotationObject({ url, fields, author, at }: Annotation): SummaryObject {
  const provenance: [string, string][] = [[annotatedAt, String(at)]];
  if (author !== '') provenance.unshift([annotatedBy, author]);
  return summaryObject(url, [...fields, ...provenance]);
}

/** Annotations as SOIF text, printed at the reader's pace; `importSoif` reads it back. */
export async function* printAnnotations(
  annotations: AsyncIterable<Annotation> | Iterable<Annotation>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const annotation of annotations) yield printObject(annotationObject(annotation));
}

/**
 * Read annotations from SOIF text: objects with byte counts, or the form of Harvest's `mktemplate` (manual 1.4, section
 * 4.7.7): `@FILE { url`, one-line `Name:<TAB>value` attributes, and a `}` that may be missing. Attributes that the
 * Gatherer itself sets, such as MD5, are ignored and reported. Throws ANNOTATION_TOO_LARGE.
 */
export function importSoif(bytes: Uint8Array): Imported {
  const text = importText(bytes);
  return /^[ \t]*[A-Za-z0-9_.:<>-]{1,256}\{\d{1,15}\}:/m.test(text) ? counted(bytes) : oneLined(text);
}

function counted(bytes: Uint8Array): Imported {
  const found = new ImportList();
  const parser = new SoifParser({ recover: true, onFault: (fault) => found.problem('SOIF', fault.message) });
  for (const source of [parser.push(bytes), parser.end()])
    for (const { object, section } of source) {
      if (section === 'delete' || section === 'refresh') continue;
      const fields = object.attributes.map(({ name, value }) => [name, importText(value)] as const);
      addObject(found, object.url, fields, object);
    }
  return found;
}

function oneLined(text: string): Imported {
  const found = new ImportList();
  let url: string | undefined;
  let lines: (readonly [number, string])[] = [];
  const done = () => {
    if (url !== undefined) addLines(found, url, lines);
    url = undefined;
    lines = [];
  };
  for (const [line, written] of numberedLines(text)) {
    const opening = /^@([A-Za-z0-9_-]{1,64})[ \t]*\{[ \t]*(\S*)[ \t]*$/.exec(written);
    if (opening !== null) {
      done();
      url = opening[2] as string;
    } else if (/^\}/.test(written)) done();
    else if (url !== undefined) lines.push([line, written]);
    else if (written.trim() !== '' && !written.startsWith('#'))
      found.problem(`line ${line}`, 'it is outside of an object');
  }
  done();
  return found;
}

function addLines(found: ImportList, url: string, lines: readonly (readonly [number, string])[]): void {
  const fields: [string, string][] = [];
  for (const entry of labelledLines(lines))
    if ('stray' in entry) found.problem(`line ${entry.line}`, 'it is no "Name: value"');
    else fields.push([entry.name, entry.value]);
  addObject(found, url, fields, summaryObject(url, fields));
}

function addObject(
  found: ImportList,
  url: string,
  given: readonly (readonly [string, string])[],
  object: SummaryObject,
): void {
  const list = new FieldList();
  for (const [name, value] of given) if (!isKept(name)) list.add(name, cleanValue(value));
  const kept = given.map(([name]) => name).filter(isReserved);
  if (kept.length > 0)
    found.problem(
      url,
      `attributes that the Gatherer itself sets are ignored: ${kept.join(', ').slice(0, 300)}`,
    );
  const title = attributeText(object, Attributes.title);
  const author = attributeText(object, annotatedBy);
  const at = attributeNumber(object, annotatedAt);
  found.add(
    url === '-' || url === '' ? (title ?? 'an object') : url,
    url === '-' || url === '' ? undefined : url,
    list.fields,
    {
      ...(author === undefined ? {} : { author }),
      ...(at === undefined ? {} : { at }),
    },
  );
}
