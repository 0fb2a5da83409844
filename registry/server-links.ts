import { attributeTexts, type SummaryObject } from '../soif/index.ts';

const linkStates = ['live', 'late', 'broken'] as const;

export type LinkState = (typeof linkStates)[number];

/** A server that another one collects from, or a cache above another one. */
export interface ServerLink {
  readonly state: LinkState;
  /** As it was written; `-` where only the server id is known. */
  readonly url: string;
  readonly serverId?: string;
  /** The host and path of the address, by which a server is found; empty without a host. */
  readonly place: string;
}

/** The servers and sites that a description names. */
export interface ServerLinks {
  readonly collectsFrom: readonly ServerLink[];
  readonly parents: readonly ServerLink[];
  /** The address of the host of each root; empty for files. */
  readonly roots: readonly string[];
}

/** Max lines that are read of each attribute, and max characters of one. */
const maxLines = 256;
const maxLine = 600;
/** Max lines that are looked at. */
const maxText = 64 * 1024;

/** The host and path of an address, without what differs between a server's page and its wire; empty without a host. */
export function placeOf(address: string): string {
  const url = URL.parse(address.replace(/^ws(?=s?:)/i, 'http'));
  return url === null ? '' : `${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

function linesOf(object: SummaryObject, name: string): readonly string[] {
  const text = attributeTexts(object, name).slice(0, maxLines).join('\n').slice(0, maxText);
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && line.length <= maxLine).slice(0, maxLines);
}

function linksOf(object: SummaryObject, name: string): readonly ServerLink[] {
  return linesOf(object, name).flatMap((line): readonly ServerLink[] => {
    const [word = '', url = '', serverId] = line.split(/\s+/);
    const place = placeOf(url);
    if (place === '' && serverId === undefined) return [];
    // A newer server may have states that this one does not know.
    const state = linkStates.find((known) => known === word) ?? 'late';
    return [{ state, url, place, ...(serverId !== undefined && { serverId }) }];
  });
}

/** What a description says of other servers. Strangers write it: what is no link is left out, and all is bounded. */
export function serverLinks(object: SummaryObject): ServerLinks {
  const roots = linesOf(object, 'Roots').flatMap((line) => {
    const url = URL.parse(line);
    if (url === null) return [];
    return url.host === '' ? [''] : [`${url.protocol}//${url.host}/`];
  });
  return {
    collectsFrom: linksOf(object, 'Collects-From'),
    parents: linksOf(object, 'Parents'),
    roots: [...new Set(roots)],
  };
}
