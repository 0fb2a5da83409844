import { JsonShape, scanJson } from '../../../../readers/json/index.ts';
import { beginning, oneLine } from '../../../../readers/text/index.ts';
import { assigned, fieldLines, quoted, sectionValues } from './manifest-lines.ts';

/** A package's description in a file for its build or packaging program. */
export interface PackageDescription {
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  readonly description?: string | undefined;
  readonly licence?: string | undefined;
  readonly authors?: readonly string[] | undefined;
  readonly keywords?: readonly string[] | undefined;
}

type Reader = (text: string) => PackageDescription;

/** File names in lower case with their readers; formats with more facts come first. */
const readers: readonly (readonly [name: RegExp, read: Reader])[] = [
  [/^(?:package|composer|meta)\.json$/, json],
  [/^cargo\.toml$/, (text) => sections(text, ['package', 'workspace.package'])],
  [/^pyproject\.toml$/, (text) => sections(text, ['project', 'tool.poetry'])],
  [/^pkg-info$/, (text) => fields(text, { description: 'summary' })],
  [/^setup\.cfg$/, (text) => sections(text, ['metadata'])],
  [/^setup\.py$|\.gemspec$/, (text) => assignments(text, { description: ['summary', 'description'] })],
  [/^makefile\.pl$/, (text) => assignments(text, { description: ['abstract'] })],
  [/\.cabal$/, (text) => fields(text, { description: 'synopsis' })],
  [/^description$/, (text) => fields(text, { name: 'package', description: 'title' })],
  [/\.lsm$/, (text) => fields(text, { name: 'title', licence: 'copying-policy' })],
  [/\.spec$/, (text) => fields(text, { description: 'summary' })],
  [/^meson\.build$/, meson],
  [/^cmakelists\.txt$/, cmake],
  [/^configure\.(?:ac|in)$/, autoconf],
  [/^configure$/, configure],
  [/^pom\.xml$/, pom],
  [/^go\.mod$/, (text) => ({ name: /^module[ \t]+(\S{1,200})/m.exec(text)?.[1] })],
  [/^control$/, (text) => fields(text, { name: 'source', author: 'maintainer' })],
  [/^changelog$/, changelog],
];

const maxRead = 64 * 1024;
const maxValue = 1000;
const maxValues = 64;
// Placeholders that a program fills in later are no values.
const unfilled = /[@$%][{(]|@\w+@|^unknown$|\$[A-Z]|^[^\p{L}\p{N}]*$/iu;

/** Rank of a file by its name, 0 for the format with most facts; undefined when it describes no package. */
export function descriptionRank(path: string): number | undefined {
  const steps = path.toLowerCase().split('/');
  const name = steps.at(-1) ?? '';
  // These names are Debian's only in its folder.
  if ((name === 'control' || name === 'changelog') && steps.at(-2) !== 'debian') return undefined;
  const rank = readers.findIndex(([pattern]) => pattern.test(name));
  return rank < 0 ? undefined : rank;
}

/** The description in a file of that rank. Never throws; linear in its first 64 KiB. */
export function readDescription(rank: number, text: string): PackageDescription {
  const found = readers[rank]?.[1](beginning(text, maxRead)) ?? {};
  return {
    name: plain(found.name, 200),
    version: plain(found.version, 100),
    description: plain(found.description),
    licence: licence(found.licence),
    authors: plainList(found.authors),
    keywords: plainList(found.keywords),
  };
}

function plain(value: string | undefined, max = maxValue): string | undefined {
  const line = oneLine(beginning(value ?? '', max));
  return unfilled.test(line) ? undefined : line;
}

function plainList(values: readonly string[] | undefined): readonly string[] {
  return (values ?? []).slice(0, maxValues).flatMap((value) => plain(value, 200) ?? []);
}

/** A licence's name or expression; sentences such as "see LICENSE" are none. */
function licence(value: string | undefined): string | undefined {
  const line = plain(value, 200)?.replaceAll('/', ' OR ');
  return line === undefined || !/^[\w.+() -]{2,100}$/.test(line) || /\bsee\b|\bfile\b/i.test(line)
    ? undefined
    : line;
}

function json(text: string): PackageDescription {
  const shape = new JsonShape(() => {});
  scanJson(text, shape);
  const all = (...paths: readonly string[]) => paths.flatMap((path) => [...shape.values(path)]);
  return {
    name: all('name')[0],
    version: all('version')[0],
    description: all('description', 'abstract')[0],
    licence: all('license', 'license.type', 'licenses[].type', 'license[]')[0],
    authors: all('author', 'author.name', 'authors[].name', 'author[]', 'contributors[].name'),
    keywords: all('keywords[]', 'keywords'),
  };
}

function sections(text: string, names: readonly string[]): PackageDescription {
  const values = sectionValues(text, names);
  const one = (key: string) => quoted(values.get(key) ?? '')[0];
  const rights = values.get('license') ?? '';
  return {
    name: one('name'),
    version: one('version'),
    description: one('description'),
    // A table contains a file name or the text.
    licence: /^\s*\{\s*file/.test(rights) ? undefined : quoted(rights)[0],
    authors: quoted(values.get('authors') ?? values.get('author') ?? ''),
    keywords: quoted(values.get('keywords') ?? '').flatMap((words) => words.split(/[,\n]/)),
  };
}

type Single = 'name' | 'version' | 'description' | 'licence' | 'author' | 'keywords';

/** `Name: value` lines; `under`: names that differ in a format. */
function fields(text: string, under: Partial<Record<Single, string>>): PackageDescription {
  const values = fieldLines(text);
  const one = (key: Single, usual: string = key) => values.get(under[key] ?? usual);
  return {
    name: one('name'),
    version: one('version'),
    description: one('description'),
    licence: one('licence', 'license'),
    authors: (one('author') ?? '').split(/,\s*(?![^[(<]*[\])>])/, maxValues),
    keywords: (one('keywords') ?? '').split(/[,;]/, maxValues),
  };
}

/** `name = "value"` or `NAME => 'value'`, as in programs of Python, Ruby and Perl. */
function assignments(text: string, under: { readonly description: readonly string[] }): PackageDescription {
  const all = (...names: readonly string[]) => {
    for (const name of names) {
      const values = quoted(assigned(text, name) ?? '');
      if (values.length > 0) return values;
    }
    return [];
  };
  return {
    name: all('name', 'module_name')[0],
    version: all('version')[0],
    description: all(...under.description)[0],
    licence: all('license', 'licenses')[0],
    authors: all('authors', 'author'),
    keywords: all('keywords').flatMap((words) => words.split(/,|\s{2,}/)),
  };
}

function meson(text: string): PackageDescription {
  const call = /\bproject\s{0,20}\(\s{0,200}'([^'\n]{1,200})'([^)]{0,2000})/.exec(text);
  const option = (name: string) =>
    new RegExp(`\\b${name}\\s{0,20}:\\s{0,20}\\[?\\s{0,20}'([^'\\n]{1,200})'`).exec(call?.[2] ?? '')?.[1];
  return { name: call?.[1], version: option('version'), licence: option('license') };
}

function cmake(text: string): PackageDescription {
  const call = /\bproject\s{0,20}\(\s{0,200}([\w.+-]{1,200})([^)]{0,2000})/i.exec(text);
  const rest = call?.[2] ?? '';
  return {
    name: call?.[1],
    version: /\bVERSION\s{1,200}"?([\d.]{1,60})/.exec(rest)?.[1],
    description: /\bDESCRIPTION\s{1,200}"([^"\n]{1,500})"/.exec(rest)?.[1],
  };
}

function autoconf(text: string): PackageDescription {
  const [, name, version] =
    /\bAC_INIT\s{0,20}\(\s{0,200}\[?([\w .+-]{1,100})\]?\s{0,200},\s{0,200}\[?([\w.+~-]{1,60})\]?\s{0,200}[,)]/.exec(
      text,
    ) ?? [];
  return { name, version };
}

function configure(text: string): PackageDescription {
  const value = (name: string) => new RegExp(`^ ?${name}='?([^'\\n]{1,100}?)'?$`, 'm').exec(text)?.[1];
  return {
    name: value('PACKAGE_NAME') ?? value('PACKAGE'),
    version: value('PACKAGE_VERSION') ?? value('VERSION'),
  };
}

function pom(text: string): PackageDescription {
  const end = /<(?:dependencies|dependencyManagement|build|profiles|modules|repositories)>/.exec(text)?.index;
  const head = text.slice(0, end);
  const [from, to] = [head.indexOf('<parent>'), head.indexOf('</parent>')];
  // <parent> describes another package.
  const own = from >= 0 && to > from ? head.slice(0, from) + head.slice(to) : head;
  const value = (name: string) => new RegExp(`<${name}>([^<]{1,1000})<`).exec(own)?.[1];
  const rights = own.indexOf('<licenses>');
  return {
    name: value('artifactId'),
    version: value('version'),
    description: value('description'),
    ...(rights < 0 ? {} : { licence: /<name>([^<]{1,200})</.exec(own.slice(rights))?.[1] }),
  };
}

function changelog(text: string): PackageDescription {
  const [, name, version] = /^([a-z0-9][a-z0-9.+-]{1,100}) \(([^()\s]{1,100})\)/.exec(text) ?? [];
  return { name, version };
}
