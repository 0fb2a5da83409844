import { authorNames, languageOfName, licenceOf } from '../../../../readers/code/index.ts';
import type { Extract, Field, SummariseOptions } from '../../../../readers/document/index.ts';
import {
  decodeText,
  extractOf,
  fact,
  numbered,
  oneLine,
  readableBytes,
  TextBlocks,
} from '../../../../readers/text/index.ts';
import { looksBinary } from '../../../recognise/index.ts';
import { countedLines } from '../../data/archive-listing.ts';
import { summariseMakefile } from '../makefile.ts';
import { ManualTexts } from './manual-texts.ts';
import { byPlace, NearestTop } from './nearest-top.ts';
import { descriptionRank, type PackageDescription, readDescription } from './package-description.ts';
import { readmeBlocks, readmeFacts } from './readme-facts.ts';
import { SourceFacts } from './source-facts.ts';

/** A file of an unpacked source tree; the path is relative, with slashes. */
export interface DistributionMember {
  readonly path: string;
  readonly bytes: Uint8Array;
}

const maxListed = 5000;
const maxPath = 1000;
const maxFileBytes = 1024 * 1024;
const maxNamed = 64;
/** Package descriptions deeper than this are those of packages inside. */
const maxDescriptionDepth = 3;

const readme = /^readme(?:[-_.][\w.-]*)?$/i;
const licenceFile = /^(?:copying|licen[cs]e|copyright)(?:[-_.][\w.-]*)?$/i;
const authorsFile = /^(?:authors|contributors|maintainers|credits)(?:\.(?:md|txt|rst))?$/i;
const makefile = /^(?:gnu|bsd)?makefile(?:\.(?:in|am))?$|\.mk$/i;

interface Placed<Value> {
  readonly path: string;
  readonly value: Value;
}

/**
 * One summary for an unpacked tree of sources, after Essence's SourceDistribution: README, comments of Makefiles and
 * sources, manual pages, licence, languages with counts. Members come one at a time and are not stored; the stored
 * facts are limited.
 */
export class DistributionReader {
  readonly #name: string;
  readonly #options: SummariseOptions;
  readonly #readmes: NearestTop<string>;
  readonly #manuals: ManualTexts;
  readonly #sources: SourceFacts;
  readonly #languages = new Map<string, number>();
  readonly #paths: string[] = [];
  readonly #licences: Placed<string>[] = [];
  readonly #authors = new Set<string>();
  readonly #descriptions: (Placed<PackageDescription> & { readonly rank: number })[] = [];
  #targets: Placed<Field> | undefined;
  #count = 0;
  #bytes = 0;
  #faulty = 0;

  /** `name`: name of the tree or its archive. */
  constructor(name: string, options: SummariseOptions) {
    this.#name = name;
    this.#options = options;
    const readable = readableBytes(options);
    this.#readmes = new NearestTop(maxNamed, readable);
    this.#manuals = new ManualTexts(options);
    this.#sources = new SourceFacts(readable);
  }

  /** Take the next member. */
  add(member: DistributionMember): void {
    const { path, bytes } = member;
    const name = path.slice(path.lastIndexOf('/') + 1);
    this.#count++;
    this.#bytes += bytes.length;
    if (this.#paths.length < maxListed) this.#paths.push(oneLine(path.slice(0, maxPath)));
    const language = languageOfName(name);
    if (language !== undefined)
      this.#languages.set(language.name, (this.#languages.get(language.name) ?? 0) + 1);
    // Packed files are not read.
    if (looksBinary(bytes)) return;
    try {
      this.#read(path, name, bytes);
    } catch {
      // An unreadable file does not affect the others.
      this.#faulty++;
    }
  }

  /** The summary of all members. */
  extract(): Extract {
    const about = this.#description();
    const inReadme = readmeFacts(this.#readmes.values[0] ?? '');
    const named = nameAndVersion(this.#topFolder() ?? this.#name);
    const [name, version] = [about.name ?? named?.[0], about.version ?? named?.[1]];
    const title =
      inReadme.title ?? (about.name === undefined ? undefined : [name, version].filter(Boolean).join(' '));
    const authors = [...(about.authors ?? []), ...this.#authors, ...this.#sources.authors];
    const languages = countedLines(this.#languages);
    const fields: Field[] = [
      fact('Description', inReadme.description ?? about.description ?? this.#manuals.purpose),
      ['Keywords', distinct([...(about.keywords ?? []), ...inReadme.keywords]).join(', ')],
      fact('Package', name),
      fact('Version', version),
      fact('License', about.licence ?? this.#licenceOfFiles() ?? this.#sources.licence),
      ...numbered('Copyright', [...this.#sources.copyrights]),
      ...numbered('Author', distinct(authors)),
      fact('Programming-Language', languages[0]?.replace(/: \d+$/, '')),
      ['Languages', languages.join('\n')],
      fact('Member-Count', this.#count),
      fact('Unpacked-Size', this.#bytes),
      this.#manuals.titles.field('Manual-Pages'),
      this.#manuals.synopses.field('Synopsis'),
      ...(this.#targets === undefined ? [] : [this.#targets.value]),
      this.#sources.functions.field('Functions'),
      ['Members', this.#paths.toSorted((a, b) => byPlace({ path: a }, { path: b })).join('\n')],
    ];
    const { left } = this.#sources;
    const unlisted = this.#count - this.#paths.length;
    const notes = [
      ...(unlisted > 0 ? [`${unlisted} members are not listed by name.`] : []),
      ...(left > 0 ? [`${left} sources were not read: too many or too large.`] : []),
      ...(this.#faulty > 0 ? [`${this.#faulty} files could not be read.`] : []),
    ];
    return extractOf({ title: title ?? this.#name, fields, blocks: this.#text(), notes });
  }

  #read(path: string, name: string, bytes: Uint8Array): void {
    if (this.#manuals.add(path, bytes)) return;
    if (readme.test(name)) this.#readmes.add(path, bytes.length, text(bytes));
    else if (makefile.test(name)) this.#makefile(path, bytes);
    else if (licenceFile.test(name)) this.#licence(path, bytes);
    else if (authorsFile.test(name))
      for (const author of authorLines(text(bytes)))
        if (this.#authors.size < maxNamed) this.#authors.add(author);
    if (languageOfName(name) !== undefined && this.#sources.takes(bytes.length))
      this.#sources.add(path, decoded(bytes));
    this.#describe(path, bytes);
  }

  #makefile(path: string, bytes: Uint8Array): void {
    if (!this.#sources.takes(bytes.length)) return;
    const source = text(bytes);
    this.#sources.addMakefile(path, source);
    if (this.#targets !== undefined && byPlace(this.#targets, { path }) <= 0) return;
    const document = { url: '', name: path, bytes, type: 'Makefile', mediaType: 'text/x-makefile' };
    const { fields } = summariseMakefile(document, { ...this.#options, text: 'none' });
    const targets = fields.find(([attribute]) => attribute === 'Targets')?.[1] ?? '';
    this.#targets = { path, value: ['Make-Targets', targets] };
  }

  #licence(path: string, bytes: Uint8Array): void {
    const licence = this.#licences.length < maxNamed ? licenceOf(text(bytes)) : undefined;
    if (licence !== undefined) this.#licences.push({ path, value: licence });
  }

  /** The licences in the files nearest the top: others concern included packages. */
  #licenceOfFiles(): string | undefined {
    const depths = this.#licences.map(({ path }) => depthOf(path));
    const nearest = this.#licences.filter(({ path }) => depthOf(path) === Math.min(...depths));
    return distinct(nearest.map(({ value }) => value)).join(' AND ') || undefined;
  }

  #describe(path: string, bytes: Uint8Array): void {
    const rank = depthOf(path) > maxDescriptionDepth ? undefined : descriptionRank(path);
    if (rank === undefined || bytes.length > 4 * maxFileBytes || this.#descriptions.length >= maxNamed)
      return;
    this.#descriptions.push({ path, rank, value: readDescription(rank, text(bytes)) });
  }

  /** Each fact from the description nearest the top that has it, and among those from the format with most facts. */
  #description(): PackageDescription {
    const folder = (path: string) => depthOf(path.replace(/\bdebian\/(?=\w+$)/i, ''));
    const ordered = this.#descriptions.toSorted((a, b) => folder(a.path) - folder(b.path) || a.rank - b.rank);
    const nearest = ordered.filter(({ path }) => folder(path) === folder(ordered[0]?.path ?? ''));
    const first = <Key extends keyof PackageDescription>(key: Key): PackageDescription[Key] =>
      nearest.map(({ value }) => value[key]).find((value) => value !== undefined && value.length > 0);
    return {
      name: first('name'),
      version: first('version'),
      description: first('description'),
      licence: first('licence'),
      authors: first('authors'),
      keywords: first('keywords'),
    };
  }

  #topFolder(): string | undefined {
    const [first = ''] = this.#paths;
    const folder = first.slice(0, first.indexOf('/') + 1);
    return folder !== '' && this.#paths.every((path) => path.startsWith(folder))
      ? folder.slice(0, -1)
      : undefined;
  }

  /** READMEs first, then manual pages, then comments. */
  #text(): TextBlocks {
    const blocks = new TextBlocks(this.#options);
    for (const source of this.#readmes.values)
      if (blocks.open)
        for (const { text: part, role, level } of readmeBlocks(source, this.#options))
          blocks.add(part, role, level);
    for (const { text: part, role, level } of this.#manuals.blocks) blocks.add(part, role, level);
    for (const comment of this.#sources.comments()) if (blocks.open) blocks.add(comment, 'paragraph');
    return blocks;
  }
}

function text(bytes: Uint8Array): string {
  return decoded(bytes.subarray(0, maxFileBytes));
}

function decoded(bytes: Uint8Array): string {
  return decodeText(bytes).replace(/\r\n?/g, '\n');
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function distinct(values: readonly string[]): readonly string[] {
  return [...new Set(values.map((value) => oneLine(value)).filter(Boolean))].slice(0, maxNamed);
}

/** The name and version in the name of a folder or an archive: `hive-1.0`, `hive_1.0.orig.tar.gz`. */
function nameAndVersion(called: string): readonly [name: string, version: string] | undefined {
  const bare = called.replace(/(?:\.orig)?(?:\.(?:tar|cpio))?\.(?:[a-z]{1,2}z2?|[a-z]{1,5}|7z)$/i, '');
  const [, name, version] = /^([\w.+-]{1,100}?)[-_]v?(\d[\w.+~-]{0,60})$/.exec(bare) ?? [];
  return name === undefined || version === undefined ? undefined : [name, version];
}

function authorLines(source: string): readonly string[] {
  const named = authorNames(source);
  if (named.length > 0) return named;
  return source
    .split('\n', 200)
    .map((line) => oneLine(line.slice(0, 200).replace(/^[\s*#-]+/, '')))
    .filter((line) => /<[^<>@\s]+@[^<>\s]+>/.test(line));
}
