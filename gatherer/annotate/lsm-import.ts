import type { AttributeNote, Field } from '../../readers/document/index.ts';
import { firstUrl, type Imported, ImportList, renamed } from './imported.ts';
import { labelledLines, numberedLines } from './labelled-lines.ts';

// Entries of the Linux Software Map: `Begin3` or `Begin4`, `Name: value` lines, `End`. Text around entries (mail,
// announcements) is ignored. A site is a host and a folder, or a URL, and below it the files with their sizes.

/** Content of the attributes of an imported LSM entry. @public */
export const lsmAttributes: readonly AttributeNote[] = [
  { name: 'Title', what: 'Title' },
  { name: 'Version', what: 'Version' },
  { name: 'Description', what: 'Description' },
  { name: 'Keywords', what: 'Keywords' },
  { name: 'Author', what: 'Author, numbered when there are several' },
  { name: 'Maintainer', what: 'Maintained-by' },
  { name: 'License', what: 'Copying-policy' },
  { name: 'Platforms', what: 'Platforms or Platform' },
  { name: 'Entered-Date', what: 'Entered-date, unchanged' },
  { name: 'Primary-Site', what: 'Primary-site with its files; Alternate-Site and Original-Site likewise' },
];

const rename = new Map([
  ['maintained-by', 'Maintainer'],
  ['copying-policy', 'License'],
  ['platform', 'Platforms'],
]);

const people = new Set(['author', 'maintained-by']);
const sites = ['primary-site', 'original-site', 'alternate-site'];

/** Read LSM entries; their URL is the first file other than .lsm, or a site. Without one: a problem. */
export function importLsm(text: string): Imported {
  const found = new ImportList();
  let lines: (readonly [number, string])[] | undefined;
  let began = 0;
  for (const [line, written] of numberedLines(text)) {
    // Comment signs of C and shell may precede each line.
    const word = written.trim();
    if (/^Begin[2-4]$/i.test(word)) {
      if (lines !== undefined) found.problem(`line ${began}`, 'its End is missing');
      lines = [];
      began = line;
    } else if (lines !== undefined && /^End\.?$/i.test(word) && !/^[ \t]/.test(written)) {
      addEntry(found, lines, began);
      lines = undefined;
    } else lines?.push([line, written]);
  }
  if (lines !== undefined) found.problem(`line ${began}`, 'its End is missing');
  return found;
}

function addEntry(found: ImportList, lines: readonly (readonly [number, string])[], began: number): void {
  const fields: Field[] = [];
  for (const entry of labelledLines(lines)) {
    if ('stray' in entry) {
      if (!entry.stray.startsWith('#')) found.problem(`line ${entry.line}`, 'it is no "Name: value"');
    } else if (people.has(entry.name.toLowerCase()))
      for (const person of entry.value.split('\n')) fields.push([entry.name, person.replace(/,$/, '')]);
    else fields.push([entry.name, entry.value]);
  }
  const title = fields.find(([name]) => name.toLowerCase() === 'title')?.[1] ?? `line ${began}`;
  const valuesOf = (wanted: string) =>
    fields.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const url = sites.flatMap(valuesOf).map(siteUrl).find(Boolean);
  found.add(title, url, renamed(fields, rename, 'LSM'));
}

/** `sunsite.unc.edu /pub/Linux/apps` or a URL, then lines of a size and a file name. */
function siteUrl(site: string): string | undefined {
  const [first = '', ...rest] = site.split('\n').map((line) => line.trim());
  const [host = '', path = ''] = first.split(/\s+/);
  const folder = /^[a-z]+:\/\//i.test(host)
    ? path === ''
      ? host
      : host.replace(/\/$/, '') + path
    : /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(host) && path.startsWith('/')
      ? `ftp://${host}${path}`
      : undefined;
  if (folder === undefined) return undefined;
  const file = rest
    .map((line) => line.split(/\s+/).at(-1) ?? '')
    .find((name) => /^[^/\s]+\.[^/\s]+$/.test(name) && !/\.lsm$/i.test(name));
  return firstUrl([file === undefined ? folder : `${folder.replace(/\/$/, '')}/${encodeURI(file)}`]);
}
