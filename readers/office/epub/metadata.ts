import { localName, readXml, type XmlAttributes } from '../../xml/index.ts';

const elements: ReadonlySet<string> = new Set(
  'title creator subject description publisher contributor date type format identifier source language relation coverage rights'.split(
    ' ',
  ),
);
const maxEntries = 2000;
const maxValue = 64 * 1024;

/** One statement of Dublin Core, and what the package says of it. */
interface Entry {
  readonly name: string;
  readonly id: string;
  value: string;
  /** In EPUB 2 written on the element, in EPUB 3 by a `meta` that refines it. */
  role: string;
  type: string;
  order: number;
}

/** What a book says of itself. */
export interface BookMetadata {
  readonly title: string | undefined;
  /** The titles beside the main one, such as the subtitle. */
  readonly otherTitles: readonly string[];
  readonly authors: readonly string[];
  readonly contributors: readonly string[];
  /** The series or collections it belongs to, with its number in them. */
  readonly series: readonly string[];
  readonly modified: string | undefined;
  /** Date of publication; of several the one that says so. */
  readonly published: string | undefined;
  /** Other Dublin Core by element name. */
  readonly other: ReadonlyMap<string, readonly string[]>;
}

/** Roles of people who wrote the work (MARC relators); a creator without a role did so too. */
const authorRoles: ReadonlySet<string> = new Set(['', 'aut', 'cre', 'dub', 'oth']);

/** Read the metadata of a package document (EPUB 3.3 section 5.5; OPF 2.0.1 section 2.2). */
export function readMetadata(bytes: Uint8Array): BookMetadata {
  const { entries, properties } = entriesOf(bytes);
  const named = (name: string) => entries.filter((entry) => entry.name === name);
  const values = (list: readonly Entry[]) => list.map(({ value }) => value);
  const titles = named('title').sort((a, b) => a.order - b.order);
  const main =
    titles.find(({ type }) => type === 'main') ?? titles.find(({ type }) => type === '') ?? titles[0];
  const creators = named('creator').sort((a, b) => a.order - b.order);
  const authors = creators.filter(({ role }) => authorRoles.has(role));
  const wrote = authors.length > 0 ? authors : creators.filter(({ role }) => role === creators[0]?.role);
  const helped = [...creators.filter((creator) => !wrote.includes(creator)), ...named('contributor')];
  // The program calibre writes the year 101 for an unknown date.
  const dates = named('date').filter(({ value }) => !value.startsWith('0101-01-01'));
  const published = dates.find(({ type }) => type === 'publication') ?? dates.find(({ type }) => type === '');
  const other = new Map<string, string[]>();
  for (const { name, value } of entries) other.set(`dc:${name}`, [...(other.get(`dc:${name}`) ?? []), value]);
  return {
    title: main?.value,
    otherTitles: values(titles.filter((title) => title !== main)),
    authors: values(wrote),
    contributors: values(helped),
    series: seriesOf(entries, properties),
    modified: properties.get('dcterms:modified') ?? dates.find(({ type }) => type === 'modification')?.value,
    published: (published ?? dates[0])?.value,
    other,
  };
}

interface Found {
  readonly entries: readonly Entry[];
  /** Values of `meta` elements about the whole book. */
  readonly properties: ReadonlyMap<string, string>;
}

function entriesOf(bytes: Uint8Array): Found {
  const entries: Entry[] = [];
  const properties = new Map<string, string>();
  const refinements: { readonly id: string; readonly property: string; readonly value: string }[] = [];
  let inside = false;
  let open: Entry | undefined;
  let meta:
    | { readonly id: string; readonly about: string; readonly property: string; value: string }
    | undefined;
  readXml(bytes, {
    open: (element, attributes) => {
      const name = localName(element).toLowerCase();
      if (name === 'metadata') inside = true;
      else if (inside && elements.has(name)) {
        const attribute = (key: string) => attributes[`opf:${key}`] ?? attributes[key] ?? '';
        const [id, role] = [attributes.id ?? '', attribute('role')];
        const type = attribute('event').toLowerCase();
        open = { name, id, value: '', role, type, order: Number.POSITIVE_INFINITY };
      } else if (name === 'meta') meta = metaOf(attributes, properties);
    },
    text: (text) => {
      if (open !== undefined && open.value.length < maxValue) open.value += text;
      if (meta !== undefined && meta.value.length < maxValue) meta.value += text;
    },
    close: (element) => {
      if (localName(element) === 'metadata') inside = false;
      if (open !== undefined) {
        open.value = open.value.trim();
        if (open.value !== '' && entries.length < maxEntries) entries.push(open);
        open = undefined;
      } else if (meta !== undefined) {
        const { id, about, property } = meta;
        const value = meta.value.trim();
        if (about !== '' && refinements.length < maxEntries) refinements.push({ id: about, property, value });
        else if (about === '' && !properties.has(property)) properties.set(property, value);
        if (property === 'belongs-to-collection' && entries.length < maxEntries)
          entries.push({ name: property, id, value, role: '', type: '', order: 0 });
        meta = undefined;
      }
    },
  });
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  for (const { id, property, value } of refinements) refine(byId.get(id), property, value);
  return { entries, properties };
}

/** A `meta` of EPUB 3, or of EPUB 2, whose value is an attribute. */
function metaOf(attributes: XmlAttributes, properties: Map<string, string>) {
  const { name, content, property } = attributes;
  if (name !== undefined && content !== undefined && properties.size < maxEntries)
    properties.set(name, content);
  if (property === undefined) return undefined;
  return {
    id: attributes.id ?? '',
    about: (attributes.refines ?? '').replace(/^#/, ''),
    property,
    value: '',
  };
}

function refine(entry: Entry | undefined, property: string, value: string): void {
  if (entry === undefined) return;
  if (property === 'role') entry.role = entry.role === 'aut' ? 'aut' : value;
  else if (property === 'title-type' || property === 'collection-type') entry.type = value;
  else if (property === 'display-seq') entry.order = Number(value) || entry.order;
  else if (property === 'group-position') entry.value += ` ${value}`;
}

/** Series of EPUB 3, and of calibre, which most books of EPUB 2 with a series have. */
function seriesOf(entries: readonly Entry[], properties: ReadonlyMap<string, string>): readonly string[] {
  const collections = entries
    .filter(({ name }) => name === 'belongs-to-collection')
    .map(({ value }) => value);
  const series = properties.get('calibre:series');
  if (collections.length > 0 || series === undefined) return collections;
  const number = (properties.get('calibre:series_index') ?? '').replace(/\.0$/, '');
  return [`${series} ${number}`.trim()];
}
