import type { FtpEntry } from './ftp-client.ts';
import type { GopherItem, GopherMenu } from './gopher-menu.ts';

/** The media type in which a cache lists FTP folders and Gopher menus for programs; browsers get a page. */
export const listingType = 'application/vnd.garner.listing+json';

/** The entries of an FTP folder, or a Gopher menu. */
export type Listing = { readonly entries: readonly FtpEntry[] } | GopherMenu;

/** A listing as text. */
export function printListing(listing: Listing): string {
  return `${JSON.stringify(listing)}\n`;
}

const kinds: ReadonlySet<unknown> = new Set(['file', 'folder', 'link', 'other']);

/** The entries of a folder's listing, or undefined for any other text. */
export function readEntries(text: string): readonly FtpEntry[] | undefined {
  const { entries } = parsed(text);
  if (!Array.isArray(entries)) return undefined;
  return entries.every(isEntry) ? entries : undefined;
}

/** The menu of a menu's listing, or undefined for any other text. */
export function readMenu(text: string): GopherMenu | undefined {
  const { items, broken, cut, ended } = parsed(text);
  if (!Array.isArray(items) || !isCount(broken)) return undefined;
  if (typeof cut !== 'boolean' || typeof ended !== 'boolean' || !items.every(isItem)) return undefined;
  return { items, broken, cut, ended };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isText = (value: unknown): value is string => typeof value === 'string';

function isEntry(value: unknown): value is FtpEntry {
  if (!isRecord(value)) return false;
  const { name, kind, size, modified, listed } = value;
  // A name that no server may list would go into the next command.
  if (!isText(name) || name === '' || name === '.' || name === '..' || /[/\0\r\n]/.test(name)) return false;
  return kinds.has(kind) && isCount(size) && isText(listed) && (modified === undefined || isCount(modified));
}

function isItem(value: unknown): value is GopherItem {
  if (!isRecord(value)) return false;
  const { type, label, selector, hostname, port } = value;
  const isPlace = isText(selector) && isText(hostname) && isCount(port) && port <= 65_535;
  return isPlace && isText(type) && type.length <= 1 && isText(label);
}
