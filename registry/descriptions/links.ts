import type { ServerId } from '../../soif/index.ts';

/** How a link between two servers works: `late` has not worked yet, `broken` has stopped. */
const linkStates = ['live', 'late', 'broken'] as const;

export type LinkState = (typeof linkStates)[number];

/** A server that another one collects from, or a cache above another one. */
export interface ServerLink {
  readonly state: LinkState;
  /** Its http, https or ftp address; `-` where only its server id is known. */
  readonly url: string;
  readonly serverId?: ServerId;
}

/** Max links, and max roots, of a description. */
export const maxLines = 256;
const maxUrl = 500;

/** An address without user, password, query and fragment; undefined for what is no http, https or ftp address. */
export function publicAddress(text: string): string | undefined {
  // The wire of a server is at the address of its pages.
  const url = URL.parse(text.replace(/^ws(?=s?:)/i, 'http'));
  if (url === null || !/^(?:https?|ftp):$/.test(url.protocol) || url.hostname === '') return undefined;
  const address = `${url.protocol}//${url.host}${url.pathname}`;
  return address.length > maxUrl ? undefined : address;
}

/** One line a link; empty without links. */
export function printLinks(links: readonly ServerLink[]): string {
  return links
    .slice(0, maxLines)
    .map(({ state, url, serverId }) => [state, url, ...(serverId === undefined ? [] : [serverId])].join(' '))
    .join('\n');
}

/** The http, https and ftp addresses in the first lines of a text. */
export const readAddresses = (text: string): readonly string[] =>
  firstLines(text).flatMap((line) => publicAddress(line) ?? []);

/** The links in the first lines of a text. */
export const readLinks = (text: string): readonly ServerLink[] =>
  firstLines(text).flatMap((line) => readLink(line) ?? []);

// A type's description is checked for its own attributes alone, so others may have any number of lines.
const firstLines = (text: string) => linesOf(text).slice(0, maxLines);

export function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

/** The link of one line `STATE URL [SERVERID]`; undefined for any other line. */
export function readLink(line: string): ServerLink | undefined {
  const [, word, url = '', serverId] = /^(\w+) (\S+)(?: ([\w-]{22}))?$/.exec(line) ?? [];
  const state = linkStates.find((known) => known === word);
  if (state === undefined) return undefined;
  const isNameless = url === '-' && serverId !== undefined;
  if (!isNameless && publicAddress(url) !== url) return undefined;
  return { state, url, ...(serverId !== undefined && { serverId: serverId as ServerId }) };
}
