import type { ServerFigures, ServerLink } from '../descriptions/index.ts';

/** A server that another one collects from, or a cache above another one. */
export interface PlacedLink extends ServerLink {
  /** The host and path of the address, by which a server is found; empty without a host. */
  readonly place: string;
}

/** The servers and sites that a description names, read once so that no drawing parses an address. */
export interface ServerLinks {
  /** Of its own address. */
  readonly place: string;
  readonly collectsFrom: readonly PlacedLink[];
  readonly parents: readonly PlacedLink[];
  /** The address of the host of each root; empty for files. */
  readonly roots: readonly string[];
}

/** The host and path of an address, without what differs between a server's page and its wire; empty without a host. */
export function placeOf(address: string): string {
  const url = URL.parse(address.replace(/^ws(?=s?:)/i, 'http'));
  return url === null ? '' : `${url.host}${url.pathname.replace(/\/+$/, '')}`;
}

const placed = (links: readonly ServerLink[]) => links.map((link) => ({ ...link, place: placeOf(link.url) }));

type Described = Pick<ServerFigures, 'collectsFrom' | 'parents' | 'roots'> & { readonly url: string };

/** The links of a server with their places. */
export function serverLinks({ url: own, collectsFrom, parents, roots }: Described): ServerLinks {
  const hosts = roots.flatMap((line) => {
    const url = URL.parse(line);
    if (url === null) return [];
    return url.host === '' ? [''] : [`${url.protocol}//${url.host}/`];
  });
  return {
    ...{ place: placeOf(own), roots: [...new Set(hosts)] },
    ...{ collectsFrom: placed(collectsFrom), parents: placed(parents) },
  };
}
