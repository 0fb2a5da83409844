import { looksBinary } from '../content-signatures.ts';
import type { Extract, Field, SummariseOptions } from '../summariser.ts';
import { languageCounts } from './archive-listing.ts';
import type { AttributeNote } from './attribute-note.ts';
import { decodeText } from './charset.ts';
import { beginning, keptLines, oneLine } from './clean-text.ts';
import { authorNames, codeFacts, languageOf, languageOfName, licenceOf, plainCode } from './code/index.ts';
import { extractOf, fact } from './found-extract.ts';
import { numbered } from './html-meta.ts';
import { NameList } from './name-list.ts';
import { TextBlocks } from './text-blocks.ts';

/** A file of an unpacked source tree; the path is relative, with slashes. */
export interface DistributionMember {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What the summary of a source distribution holds. @public */
export const sourceDistributionAttributes: readonly AttributeNote[] = [
  {
    name: 'Description',
    what: 'First paragraph of the README, else what the manual page says in its NAME section',
  },
  { name: 'License', what: 'SPDX expression of the licence file, else of most sources' },
  { name: 'Copyright', what: 'Lines of the sources that say who holds the copyright; several are numbered' },
  { name: 'Author', what: 'Authors that the AUTHORS file or the sources name; several are numbered' },
  { name: 'Programming-Language', what: 'Language of most sources' },
  { name: 'Languages', what: 'Languages with the number of files, one a line' },
  { name: 'Member-Count', what: 'Number of files' },
  { name: 'Unpacked-Size', what: 'Bytes of all files together' },
  { name: 'Manual-Pages', what: 'Manual pages with their one-line descriptions, one a line' },
  { name: 'Make-Targets', what: 'Targets of the top Makefile, one a line' },
  { name: 'Functions', what: 'Functions defined in the sources, one a line' },
  { name: 'Members', what: 'Paths, one a line' },
  { name: 'Full-Text', what: 'The README whole, comments of Makefiles and sources, text of manual pages' },
];

const maxListed = 5000;
const maxSources = 5000;
const maxSourceBytes = 4 * 1024 * 1024;
const maxCopyrights = 64;

const readme = /^readme(?:[-_.][\w.-]*)?$/i;
const licenceFile = /^(?:copying|licen[cs]e|copyright)(?:[-_.][\w.-]*)?$/i;
const authorsFile = /^(?:authors|contributors|maintainers|credits)(?:\.(?:md|txt|rst))?$/i;
const makefile = /^(?:gnu|bsd)?makefile(?:\.(?:in|am))?$|\.mk$/i;
const manualPage = /\.(?:[1-9][a-z]{0,3}|man)(?:\.in)?$/;

/** Whether a set of paths looks like a source distribution: sources, and a README, Makefile or build description. */
export function looksLikeSourceDistribution(paths: readonly string[]): boolean {
  const names = paths.map((path) => path.slice(path.lastIndexOf('/') + 1));
  const built = names.some(
    (name) =>
      readme.test(name) ||
      makefile.test(name) ||
      /^(?:configure(?:\.ac|\.in)?|CMakeLists\.txt|setup\.py|pyproject\.toml|Cargo\.toml|package\.json|meson\.build|Makefile\.PL|pom\.xml|build\.gradle|go\.mod)$/.test(
        name,
      ),
  );
  return built && names.some((name) => languageOfName(name) !== undefined);
}

/**
 * One summary for an unpacked tree of sources, after Essence's SourceDistribution: full README, comments of Makefiles and
 * sources, manual pages, licence, languages with counts. `name` is what the tree or its archive is called.
 */
export function summariseSourceDistribution(
  name: string,
  members: readonly DistributionMember[],
  options: SummariseOptions,
): Extract {
  const ordered = [...members].sort(
    (a, b) => depthOf(a.path) - depthOf(b.path) || (a.path < b.path ? -1 : 1),
  );
  // A README that is still packed is nothing to read.
  const named = (pattern: RegExp) =>
    ordered.filter(({ path, bytes }) => pattern.test(baseName(path)) && !looksBinary(bytes));
  const readmes = named(readme);
  const top = readmes[0];
  // The README is kept whole where any text is wanted (Harvest's rule); comments may be selected.
  const whole = new TextBlocks({ ...options, text: options.text === 'none' ? 'none' : 'full' });
  const topText = top === undefined ? '' : text(top);
  for (const member of readmes) if (whole.open) whole.add(keptLines(text(member)), 'paragraph');
  const pages = named(manualPage).filter(({ bytes }) => isManual(bytes));
  const manuals = pages.map((member) => manualText(text(member)));
  for (const manual of manuals) if (whole.open) whole.add(keptLines(manual.text), 'paragraph');
  const makefiles = named(makefile);
  for (const member of makefiles)
    for (const comment of codeFacts(text(member), plainCode).comments)
      if (whole.open) whole.add(keptLines(comment), 'paragraph');
  const sources = readSources(ordered, whole, options);

  const licences = named(licenceFile)
    .map((member) => licenceOf(text(member)))
    .filter((one) => one !== undefined);
  const authors = named(authorsFile).flatMap((member) => authorLines(text(member)));
  const title = headingOf(topText) ?? name;
  const targets = new NameList();
  for (const [, target = ''] of (makefiles[0] === undefined ? '' : text(makefiles[0])).matchAll(
    /^([A-Za-z][\w./-]{0,60})\s*:(?!=)/gm,
  ))
    targets.add(target);
  const paths = ordered.map(({ path }) => oneLine(path));
  const languages = languageCounts(paths);
  const fields: Field[] = [
    fact('Description', paragraphOf(topText) ?? manuals[0]?.purpose),
    fact('License', [...new Set(licences)].join(' AND ') || sources.licence),
    ...numbered('Copyright', sources.copyrights),
    ...numbered('Author', [...new Set([...authors, ...sources.authors])].slice(0, 64)),
    fact('Programming-Language', languages[0]?.replace(/: \d+$/, '')),
    ['Languages', languages.join('\n')],
    fact('Member-Count', members.length),
    fact(
      'Unpacked-Size',
      members.reduce((sum, { bytes }) => sum + bytes.length, 0),
    ),
    ['Manual-Pages', manuals.flatMap(({ purpose }) => purpose ?? []).join('\n')],
    targets.field('Make-Targets'),
    sources.functions.field('Functions'),
    ['Members', paths.slice(0, maxListed).join('\n')],
  ];
  const notes = sources.left > 0 ? [`${sources.left} sources were not read: too many or too large.`] : [];
  const found = extractOf({ title, fields, blocks: whole, notes }, options);
  return found.text !== undefined && options.text === 'selected'
    ? { ...found, text: ['Partial-Text', found.text[1]] }
    : found;
}

interface Sources {
  readonly functions: NameList;
  readonly copyrights: readonly string[];
  readonly authors: readonly string[];
  /** What most sources name. */
  readonly licence?: string;
  readonly left: number;
}

function readSources(
  members: readonly DistributionMember[],
  blocks: TextBlocks,
  options: SummariseOptions,
): Sources {
  const functions = new NameList();
  const copyrights = new Set<string>();
  const authors = new Set<string>();
  const licences = new Map<string, number>();
  let [read, left] = [0, 0];
  for (const member of members) {
    const name = baseName(member.path);
    if (languageOfName(name) === undefined || looksBinary(member.bytes)) continue;
    if (read++ >= maxSources || member.bytes.length > maxSourceBytes) {
      left++;
      continue;
    }
    const source = text(member);
    const facts = codeFacts(source, languageOf({ name, type: '' }, source));
    for (const symbol of facts.names.function.names) functions.add(symbol);
    for (const line of facts.copyrights) if (copyrights.size < maxCopyrights) copyrights.add(line);
    for (const author of facts.authors) authors.add(author);
    if (facts.licence !== undefined) licences.set(facts.licence, (licences.get(facts.licence) ?? 0) + 1);
    const comments = options.text === 'full' ? facts.comments : facts.comments.slice(0, 3);
    for (const comment of comments) if (blocks.open) blocks.add(keptLines(comment), 'paragraph');
  }
  const licence = [...licences].sort((a, b) => b[1] - a[1])[0]?.[0];
  return {
    functions,
    copyrights: [...copyrights],
    authors: [...authors],
    ...(licence === undefined ? {} : { licence }),
    left,
  };
}

function text(member: DistributionMember): string {
  return decodeText(member.bytes.subarray(0, maxSourceBytes)).replace(/\r\n?/g, '\n');
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function isManual(bytes: Uint8Array): boolean {
  return /^\.(?:TH|Dd|SH|Sh)\s/m.test(
    Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1'),
  );
}

/** A manual page without its macros: enough for words, and the line of its NAME section. */
function manualText(source: string): { readonly text: string; readonly purpose?: string } {
  const bare = source
    .split('\n')
    .filter((line) => !/^[.']\s*\\"/.test(line))
    .map((line) => line.replace(/^[.'][A-Za-z]{1,3}\b[ \t]*/, ''))
    .join('\n')
    .replace(/\\f(?:\[[^\]\n]{0,20}\]|\(..|.)/g, '')
    .replace(/\\-/g, '-')
    .replace(/\\[&|^/,%]|\\s[-+]?\d/g, '');
  const name = /^NAME\n([\s\S]{1,400}?)\n(?:[A-Z][A-Z ]{2,}\n|\n)/m.exec(bare)?.[1];
  return { text: bare, ...(name === undefined ? {} : { purpose: oneLine(name) }) };
}

/** The first line of a README that says something, without its markup. */
function headingOf(source: string): string | undefined {
  const line = source
    .split('\n', 40)
    .find((one) => /\p{L}{2}/u.test(one) && !/^\s*(?:<|\[?!\[|\.\.)/.test(one));
  return line === undefined
    ? undefined
    : oneLine(beginning(line, 200)).replace(/^[#=*\s]+|[#=*\s]+$/g, '') || undefined;
}

/** The first paragraph of prose after the heading. */
function paragraphOf(source: string): string | undefined {
  const paragraph = source
    .slice(0, 64 * 1024)
    .split(/\n[^\S\n]*\n/, 60)
    .map((part) =>
      oneLine(
        part.replace(/\[!\[[^\n]{0,400}\)\]\([^\n)]{0,400}\)|!\[[^\n\]]{0,200}\]\([^\n)]{0,400}\)/g, ''),
      ),
    )
    .find((part) => part.split(' ').length >= 6 && !/^[#<=*-]|copyright/i.test(part));
  return paragraph === undefined ? undefined : beginning(paragraph, 1000);
}

function authorLines(source: string): string[] {
  const told = authorNames(source);
  if (told.length > 0) return told;
  return source
    .split('\n', 200)
    .map((line) => oneLine(line.slice(0, 200).replace(/^[\s*#-]+/, '')))
    .filter((line) => /<[^<>@\s]+@[^<>\s]+>/.test(line))
    .slice(0, 64);
}
