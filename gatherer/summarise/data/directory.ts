import type { AttributeNote } from '../../../readers/document/index.ts';
import { decodeText, fact, oneLine, ReferenceCollector } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { type ListedMember, listingExtract } from './archive-listing.ts';

/** Attributes of summaries of folders, besides those of archives. */
export const directoryAttributes: readonly AttributeNote[] = [
  { name: 'Format', what: 'FTP listing (Unix or DOS), Gopher menu or list of names' },
  { name: 'Description', what: 'Texts of a Gopher menu, joined by spaces' },
];

const maxEntries = 100_000;
const maxDescription = 4000;

interface Listing {
  readonly format: string;
  readonly members: readonly ListedMember[];
  readonly description?: string;
  readonly links?: readonly string[];
}

/** A folder as a server lists it: `ls -l`, DOS, a Gopher menu (RFC 1436), or one name per line. */
export const summariseDirectory: SyncSummariser = (document, options) => {
  const lines = decodeText(document.bytes, document.charset).split(/\r\n?|\n/, maxEntries);
  const listing = readListing(lines);
  const fields = [fact('Format', listing.format), fact('Description', listing.description)];
  const references = new ReferenceCollector();
  for (const link of listing.links ?? []) references.add(link, true);
  return listingExtract(listing.members, { fields, references: references.resolve(document.url) }, options);
};

const unixLine =
  /^([-dlbcps])[-rwxsStTlL+.@]{9,11}\s+\d+\s+\S+\s+(?:\S+\s+)?(\d{1,15})\s+([A-Z][a-z]{2}\s+\d{1,2}\s+[\d:]{4,5}|\d{4}-\d\d-\d\d \d\d:\d\d)\s(.{1,1000})$/;
const dosLine = /^\d\d-\d\d-\d{2,4}\s+\d\d:\d\d(?:[AP]M)?\s+(<DIR>|\d{1,15})\s+(.{1,1000})$/;
const gopherLine = /^([\w+;<])([^\t]{0,500})\t([^\t]{0,1000})\t([^\t]{1,255})\t(\d{1,5})/;

function readListing(lines: readonly string[]): Listing {
  const menu = lines.map((line) => gopherLine.exec(line)).filter((match) => match !== null);
  if (menu.length > 0) return gopherMenu(menu);
  const dos = lines.map((line) => dosLine.exec(line)).filter((match) => match !== null);
  if (dos.length > 0)
    return {
      format: 'FTP listing (DOS)',
      members: dos.map(([, size = '', path = '']) => ({
        path,
        folder: size === '<DIR>',
        size: size === '<DIR>' ? undefined : Number(size),
      })),
    };
  if (lines.some((line) => unixLine.test(line))) return unixListing(lines);
  return {
    format: 'list of names',
    members: lines
      .map((line) => oneLine(line))
      .filter(Boolean)
      .map((path) => ({ path, folder: path.endsWith('/') })),
  };
}

/** `ls -l`; with `-R` a line that ends with a colon names the folder that follows. */
function unixListing(lines: readonly string[]): Listing {
  const members: ListedMember[] = [];
  let folder = '';
  for (const line of lines) {
    const match = unixLine.exec(line);
    if (match === null) {
      const named = /^(.{1,1000}):$/.exec(line)?.[1];
      if (named !== undefined)
        folder = `${named.replace(/^\.\/?/, '').replace(/\/$/, '')}/`.replace(/^\/$/, '');
      continue;
    }
    const [, kind = '-', size = '', , name = ''] = match;
    if (name === '.' || name === '..') continue;
    const path = folder + (kind === 'l' ? name.replace(/ -> .*$/, '') : name);
    members.push({ path, folder: kind === 'd', size: kind === '-' ? Number(size) : undefined });
  }
  return { format: 'FTP listing (Unix)', members };
}

function gopherMenu(entries: readonly RegExpExecArray[]): Listing {
  const shown = entries.filter(([, kind]) => kind === 'i').map(([, , text = '']) => text.trim());
  const items = entries.filter(([, kind]) => kind !== 'i' && kind !== '3');
  return {
    format: 'Gopher menu',
    members: items.map(([, kind, text = '']) => ({ path: text, folder: kind === '1' })),
    description: shown.filter(Boolean).join(' ').slice(0, maxDescription),
    links: items.map(([, kind = '', , selector = '', host = '', port = '70']) => {
      const web = /^\/?URL:(.*)$/.exec(selector)?.[1];
      if (web !== undefined) return web;
      const path = selector.split('/').map(encodeURIComponent).join('/');
      return `gopher://${host}${port === '70' ? '' : `:${port}`}/${kind}${path}`;
    }),
  };
}
