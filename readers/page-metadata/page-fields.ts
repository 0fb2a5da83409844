import type { AttributeNote, Field } from '../document/index.ts';
import type { Meta } from '../html/index.ts';
import { beginning, numbered, oneLine } from '../text/index.ts';
import { addressesOf, subjectsOf } from './page-subject.ts';
import { precedence } from './precedence.ts';
import { metaNames, type PageElements, type PageFacts, type Rule } from './sources.ts';
import type { Thing } from './thing.ts';
import { workAttributes } from './work-attributes.ts';

const maxValue = 8 * 1024;
const maxValues = 64;
const maxDublinCore = 128;
const maxAlternates = 200;
/** What programs write in place of a value that they do not have. */
const nothing = /^(?:undefined|null|nil|\[object Object\]|n\/a|\{\{.*\}\}|\$\{.*\}|<%.*%>|%[\w-]+%)$/i;

/** A page as its readers found it. */
export interface ReadPage extends PageElements {
  readonly metas: readonly Meta[];
  /** What JSON-LD describes, then what microdata and RDFa describe. */
  readonly things: readonly Thing[];
  /** Its own address and the canonical one, absolute. */
  readonly urls: readonly string[];
  readonly base: string;
  /** The address that it names as its own, absolute. */
  readonly canonical: string | undefined;
  /** The page in other languages, absolute. */
  readonly alternates: readonly { readonly language: string; readonly url: string }[];
}

/** The attributes that a page's metadata give. */
export interface PageFields {
  readonly title: string | undefined;
  readonly fields: readonly Field[];
  /** Dublin Core as given, `DC.title` as `DC-Title`. */
  readonly dublinCore: readonly Field[];
  /** Addresses of the work's files, as written. */
  readonly files: readonly string[];
}

/** The rules, with all ways to a value one after the other. */
const rules = [...Object.entries(precedence), ...Object.entries(workAttributes)].map(([name, rule]) => ({
  ...rule,
  name,
  reads: rule.sources.flatMap(({ reads }) => reads),
}));
type OrderedRule = (typeof rules)[number];

/** The attributes that a page's metadata give, besides its title. */
export const pageAttributes: readonly AttributeNote[] = [
  ...rules.filter(({ name }) => name !== 'Title').map(({ name, what }) => ({ name, what })),
  { name: 'Canonical-URL', what: 'the address that the page names as its own (`rel=canonical`)' },
  {
    name: 'Alternates',
    what: 'languages and addresses of the page in other languages (`hreflang`), one per line',
  },
];

/**
 * Attributes of a page by the order of precedence, from meta elements, structured data and other elements. Several
 * authors are numbered, `Author-1`, `Author-2` (RFC 2655 section 4); keywords are joined by commas.
 */
export function pageFields(read: ReadPage): PageFields {
  const metas = metaNames(read.metas);
  const { urls, base, title } = read;
  const page: PageFacts = { ...read, metas, subjects: subjectsOf(read.things, { urls, base, title }) };
  const found = rules.flatMap((rule) => fieldsOf(rule, page));
  const alternates = read.alternates.slice(0, maxAlternates).map(({ language, url }) => `${language} ${url}`);
  return {
    title: found.find(([name]) => name === 'Title')?.[1],
    fields: [
      ...found.filter(([name]) => name !== 'Title'),
      ['Canonical-URL', read.canonical ?? ''],
      ['Alternates', [...new Set(alternates)].join('\n')],
    ],
    dublinCore: dublinCoreFields(read.metas),
    files: [
      ...['citation_pdf_url', 'citation_fulltext_html_url'].flatMap(
        (name) => metas.get(name)?.slice(0, 8) ?? [],
      ),
      ...page.subjects.main.flatMap((thing) =>
        ['distribution', 'encoding'].flatMap((name) => addressesOf(thing, name, base)),
      ),
    ],
  };
}

/** The values of the first source that has a good one, each once. */
function valuesOf({ reads, value, keep }: OrderedRule, page: PageFacts): readonly string[] {
  for (const read of reads) {
    const all = read(page);
    if (all.length === 0) continue;
    const values = new Set<string>();
    for (const written of all) {
      const line = oneLine(beginning(written, maxValue));
      for (const part of keep === 'first' || keep === 'lines' ? [line] : parts(line, keep)) {
        if (part === '' || nothing.test(part)) continue;
        const kept = value === undefined ? part : value(part, page);
        if (kept !== undefined && kept !== '') values.add(kept);
        if (values.size >= maxValues) break;
      }
    }
    if (values.size > 0) return [...values];
  }
  return [];
}

/** Several names in one value are divided by semicolons, keywords also by commas; a comma divides a person's name. */
function parts(line: string, keep: Rule['keep']): string[] {
  const divider = line.includes(';') ? ';' : ',';
  if (!line.includes(divider) || (keep === 'each' && divider === ',')) return [line];
  return line.split(divider, maxValues).map((part) => part.trim());
}

function fieldsOf(rule: OrderedRule, page: PageFacts): Field[] {
  const values = valuesOf(rule, page);
  const [first] = values;
  if (first === undefined) return [];
  if (rule.keep === 'each') return numbered(rule.name, values);
  if (rule.keep === 'first') return [[rule.name, first]];
  return [[rule.name, values.join(rule.keep === 'lines' ? '\n' : ', ')]];
}

function dublinCoreFields(metas: readonly Meta[]): Field[] {
  const values = new Map<string, string[]>();
  for (const { name, content } of metas) {
    const attribute = dublinCoreName(name);
    const value = attribute === undefined ? '' : oneLine(beginning(content, maxValue));
    if (attribute === undefined || value === '') continue;
    const list = values.get(attribute);
    if (list === undefined) values.set(attribute, [value]);
    else if (list.length < maxValues && !list.includes(value)) list.push(value);
  }
  return [...values].flatMap(([attribute, list]) => numbered(attribute, list)).slice(0, maxDublinCore);
}

/**
 * The SOIF name of a Dublin Core `meta` name in lower case: `dc.title` is `DC-Title`, `dcterms.issued` is
 * `DCTERMS-Issued`. Undefined for other names, for names that no SOIF identifier can express, and for names that would
 * end in a number, which means something else there.
 */
function dublinCoreName(name: string): string | undefined {
  const found = /^(dc|dcterms)((?:[.:][a-z]{1,40}){1,3})$/.exec(name);
  if (found === null) return undefined;
  const [, prefix = '', rest = ''] = found;
  const words = rest.slice(1).split(/[.:]/);
  return [prefix.toUpperCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    '-',
  );
}
