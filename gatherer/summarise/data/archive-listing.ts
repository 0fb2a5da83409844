import { zipDirectoryOfEnds } from '../../../readers/archives/index.ts';
import { languageOfName } from '../../../readers/code/index.ts';
import {
  type AttributeNote,
  bytesFromStart,
  type Extract,
  type RecognisedDocument,
  type SummariseOptions,
} from '../../../readers/document/index.ts';
import { type ExtractParts, extractOf, fact, oneLine, TextBlocks } from '../../../readers/text/index.ts';
import { listMembers } from '../../unnest/index.ts';
import type { Summariser } from '../summariser.ts';

/** A member of an archive or an entry of a folder in a listing. */
export interface ListedMember {
  readonly path: string;
  /** Unpacked bytes; absent for folders or if the listing has no size. */
  readonly size?: number | undefined;
  /** Seconds since 1970. */
  readonly modified?: number | undefined;
  readonly folder?: boolean | undefined;
}

/** Attributes of summaries of archives and folders. */
export const archiveListingAttributes: readonly AttributeNote[] = [
  { name: 'Format', what: 'Media type of the archive' },
  { name: 'Member-Count', what: 'Number of files' },
  { name: 'Folder-Count', what: 'Number of folders' },
  { name: 'Unpacked-Size', what: 'Bytes of all files together' },
  { name: 'Newest-Member', what: 'Date of the latest change of a member' },
  { name: 'Top-Folders', what: 'Names at the top, one per line' },
  { name: 'Extensions', what: 'Extensions with their frequency, the commonest first, one per line' },
  { name: 'Languages', what: 'Programming languages with the number of files, one per line' },
  { name: 'Members', what: 'Paths with sizes, one per line' },
  { name: 'Full-Text', what: 'Words of the paths' },
];

const maxListed = 5000;
const maxCounted = 50;
const maxPath = 1000;

/** An archive by its listing; its members are documents of their own. */
export function summariseArchiveListing(
  document: Pick<RecognisedDocument, 'mediaType'>,
  members: readonly ListedMember[],
  options: SummariseOptions,
  notes: readonly string[] = [],
): Extract {
  return listingExtract(members, { fields: [fact('Format', document.mediaType)], notes }, options);
}

/** The extract of a listing, after its `own` fields. */
export function listingExtract(
  members: readonly ListedMember[],
  own: ExtractParts,
  options: SummariseOptions,
): Extract {
  const files = members.filter(({ folder }) => folder !== true);
  const blocks = new TextBlocks(options);
  for (const { path } of files)
    if (blocks.open) blocks.add(oneLine(path.slice(0, maxPath).replace(/[/_.-]+/g, ' ')), 'row');
  const newest = files.reduce((latest, { modified }) => Math.max(latest, modified ?? 0), 0);
  const sized = files.filter(({ size }) => size !== undefined);
  const listed = files.slice(0, maxListed).map(({ path, size }) => {
    const name = oneLine(path.slice(0, maxPath));
    return size === undefined ? name : `${name} ${size}`;
  });
  const left = files.length - listed.length;
  return extractOf({
    ...own,
    fields: [
      ...own.fields,
      fact('Member-Count', files.length),
      fact('Folder-Count', members.length === files.length ? undefined : members.length - files.length),
      fact(
        'Unpacked-Size',
        sized.length === 0 ? undefined : sized.reduce((sum, { size }) => sum + (size ?? 0), 0),
      ),
      fact(
        'Newest-Member',
        newest > 0 && newest < 1e11 ? new Date(newest * 1000).toISOString().slice(0, 10) : undefined,
      ),
      ['Top-Folders', topNames(members).join('\n')],
      ['Extensions', counted(files.map(({ path }) => extensionOf(path))).join('\n')],
      ['Languages', languageCounts(files.map(({ path }) => path)).join('\n')],
      ['Members', listed.join('\n')],
    ],
    blocks,
    notes: [...(own.notes ?? []), ...(left > 0 ? [`${left} members are not listed by name.`] : [])],
  });
}

function topNames(members: readonly ListedMember[]): string[] {
  const names = new Set<string>();
  for (const { path } of members) {
    const bare = path.replace(/^(?:\.\/)+/, '');
    const slash = bare.indexOf('/');
    if (slash > 0 && names.size < 200) names.add(oneLine(bare.slice(0, Math.min(slash, 200))));
  }
  return [...names].filter(Boolean);
}

function extensionOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return /.\.([A-Za-z0-9]{1,10})$/.exec(name.slice(-60))?.[1]?.toLowerCase() ?? '';
}

/** `language: files` for paths with the file name of a programming language, the commonest first. */
function languageCounts(paths: readonly string[]): string[] {
  return counted(paths.map((path) => languageOfName(path.slice(path.lastIndexOf('/') + 1))?.name ?? ''));
}

function counted(names: readonly string[]): string[] {
  const tally = new Map<string, number>();
  for (const name of names) if (name !== '') tally.set(name, (tally.get(name) ?? 0) + 1);
  return countedLines(tally);
}

/** `name: count` lines, the commonest first; max 50. */
export function countedLines(tally: ReadonlyMap<string, number>): string[] {
  return [...tally]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, maxCounted)
    .map(([name, count]) => `${name}: ${count}`);
}

/** An archive that stays packed, by the listing of its members. */
export const summariseArchive: Summariser = async (document, options) => {
  const { type, name, bytes: read, abridged } = document;
  const { head = 0, size = 0 } = abridged ?? {};
  const directory = size > 0 && type === 'PCCompressed' ? zipDirectoryOfEnds(read, head, size) : undefined;
  const bytes = directory ?? bytesFromStart(document);
  const listing = await listMembers(type, bytes, name, { maxListed });
  if (listing === undefined) return summariseArchiveListing(document, [], options);
  const { members, complete, error } = listing;
  const rest = error === undefined ? 'There are more.' : error.message;
  return summariseArchiveListing(
    document,
    members,
    options,
    complete ? [] : [`Listed only in part: ${rest}`],
  );
};
