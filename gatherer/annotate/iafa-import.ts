import type { AttributeNote, Field } from '../../readers/document/index.ts';
import { firstUrl, type Imported, ImportList, renamed } from './imported.ts';
import { type LabelledLine, labelledLines, numberedLines } from './labelled-lines.ts';

// IAFA templates (draft-ietf-iiir-publishing-02, September 1994; ROADS). A record is `Name: value` lines that begin
// with Template-Type. `-v0`, `-v1` mark the forms of one object, each with its own URI. On other names (ROADS) they
// number several values.

/** Content of the attributes of an imported IAFA template; other names stay unchanged. @public */
export const iafaAttributes: readonly AttributeNote[] = [
  { name: 'IAFA-Template', what: 'Template-Type of the record, such as DOCUMENT or SITEINFO' },
  { name: 'Title', what: 'Title; the Host-Name of a SITEINFO and the Name of other records without a title' },
  { name: 'Author', what: 'Author-Name, numbered when there are several' },
  { name: 'Keywords', what: 'Keywords' },
  { name: 'Description', what: 'Description' },
  { name: 'Format', what: 'Format of the form that this URL leads to' },
  { name: 'Language', what: 'Language of that form' },
  { name: 'Size', what: 'Size of that form in the cataloguer’s wording, such as 18 pages' },
];

const rename = new Map([
  ['template-type', 'IAFA-Template'],
  ['author-name', 'Author'],
  ['author-(user*)-name', 'Author'],
  ['subject-descriptor', 'Subject-Descriptor'],
]);

// Names that the draft writes with `-v*`.
const ofOneForm = new Set([
  'uri',
  'url',
  'format',
  'size',
  'language',
  'character-set',
  'isbn',
  'issn',
  'version',
  'last-revision-date',
  'library-catalog',
  'access-protocol',
  'access-host',
  'access-path',
]);
const addresses = new Set(['uri', 'url', 'access-protocol', 'access-host', 'access-path']);

const maxForms = 50;

/** Read IAFA templates, any number in one text. Records without a URL (USER, ORGANIZATION) are problems. */
export function importIafa(text: string): Imported {
  const found = new ImportList();
  let record: Field[] | undefined;
  const done = () => {
    if (record !== undefined) addRecord(found, record);
    record = undefined;
  };
  for (const entry of labelledLines(numberedLines(text))) {
    if ('stray' in entry) {
      const [name, value] = withoutColon(entry);
      if (record !== undefined && name !== undefined) record.push([name, value]);
      else if (!entry.stray.startsWith('#')) found.problem(`line ${entry.line}`, 'it is no "Name: value"');
      continue;
    }
    if (entry.name.toLowerCase() === 'template-type') {
      done();
      record = [];
    }
    if (record === undefined) found.problem(`line ${entry.line}`, 'it comes before any Template-Type');
    else record.push([entry.name, entry.value]);
  }
  done();
  return found;
}

/** The draft's own examples forget the colon after some `-v0` names. */
function withoutColon({ stray }: Extract<LabelledLine, { stray: string }>): [string | undefined, string] {
  const match = /^([A-Za-z][A-Za-z-]{0,60}-v\d{1,3})[ \t]+(.*)$/.exec(stray);
  return [match?.[1], match?.[2] ?? ''];
}

function addRecord(found: ImportList, record: readonly Field[]): void {
  const common: Field[] = [];
  const forms = new Map<string, Field[]>();
  for (const [written, value] of record) {
    const match = /^(.+?)-v(\d{0,3})$/i.exec(written);
    const name = match?.[1] ?? written;
    if (value === '') continue;
    if (!ofOneForm.has(name.toLowerCase()) || (match === null && !addresses.has(name.toLowerCase()))) {
      common.push([name, value]);
      continue;
    }
    const form = match?.[2] ?? '';
    const fields = forms.get(form);
    if (fields !== undefined) fields.push([name, value]);
    else if (forms.size < maxForms) forms.set(form, [[name, value]]);
  }
  const titled = titleOf(common);
  const name = titled.find(([field]) => field === 'Title')?.[1] ?? record[0]?.[1] ?? 'a record';
  const seen = new Set<string>();
  for (const fields of forms.values()) {
    const url = addressOf(fields);
    if (url === undefined || seen.has(url)) continue;
    seen.add(url);
    const own = fields.filter(([field]) => !addresses.has(field.toLowerCase()));
    found.add(name, url, renamed([...titled, ...own], rename, 'IAFA'));
  }
  if (seen.size > 0) return;
  const host = common.find(([field]) => field.toLowerCase() === 'host-name')?.[1];
  const site =
    host !== undefined && /^[A-Za-z0-9.-]{1,253}$/.test(host) ? `ftp://${host.toLowerCase()}/` : undefined;
  found.add(name, site, renamed(titled, rename, 'IAFA'));
}

/** Fields with a Title in front; without a title, it is the name of the record. */
function titleOf(fields: readonly Field[]): readonly Field[] {
  const named = (name: string) => fields.find(([field]) => field.toLowerCase() === name)?.[1];
  if (named('title') !== undefined) return fields;
  const title = named('host-name') ?? named('name') ?? named('organization-name') ?? named('short-title');
  return title === undefined ? fields : [['Title', title], ...fields];
}

/** The URI of a form, or the URL of Access-Protocol, -Host and -Path in the first drafts. */
function addressOf(fields: readonly Field[]): string | undefined {
  const named = (name: string) => fields.find(([field]) => field.toLowerCase() === name)?.[1];
  const uris = fields.filter(([field]) => /^ur[il]$/i.test(field)).map(([, value]) => value);
  const uri = firstUrl(uris.flatMap((value) => value.split(/\s+/)));
  if (uri !== undefined) return uri;
  const [host, path] = [named('access-host'), named('access-path')];
  if (host === undefined || path === undefined) return undefined;
  const protocol = named('access-protocol')?.toLowerCase() ?? 'ftp';
  const scheme = /\b(?:https?|gopher)\b/.exec(protocol)?.[0] ?? 'ftp';
  return firstUrl([`${scheme}://${host}${path.startsWith('/') ? '' : '/'}${encodeURI(path)}`]);
}
