import type { FilterSpec } from '../../exchange/index.ts';
import { failure } from '../../kernel/index.ts';
import type { ServerId } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';

/** A server that opens the session itself, as the operator has named it. */
export interface Pusher {
  readonly serverId: ServerId;
  /** Base64url; a server with another key is refused. When absent, the first key seen is taken. */
  readonly publicKey?: string;
  /** Its name on this Broker. */
  readonly name?: string;
}

export interface SourceAddress {
  /** ws: or wss: URL of a Gatherer or Broker, or `push:ID` for one that is never connected to. */
  readonly url: string;
  /** The awaited server, where there is no address to connect to. */
  readonly pusher?: Pusher;
  readonly token?: string;
  /** The only authority that is trusted to sign its certificate, in PEM; those of the system when absent. */
  readonly authority?: string;
  /** Its own quota, in the place of the Broker's; 0 is no limit. */
  readonly maxObjects?: number;
  readonly maxBytes?: number;
  /** The filter for its objects; all without one. */
  readonly filter?: FilterSpec;
  /** Max time between two rounds with it; the Broker's own when absent. */
  readonly intervalSeconds?: number;
  /** Whether it is paused until it is resumed. */
  readonly isPaused?: boolean;
  /** Its place in the settings, for example `garner.yaml:3`; absent for one that was added while serving. */
  readonly from?: string;
}

const pushed = /^push:(?:([^@\p{Cc}]{1,64})@)?([A-Za-z0-9_-]{22})(?:\.([A-Za-z0-9_-]{43}))?$/u;

/** Check and normalise a server's address: ws:// is added to a bare host:port. Throws BROKER_SOURCE. */
export function serverAddress(text: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `ws://${text}`);
  // A mistyped `push:NAME@ID` would be read as a user and a host.
  const isSlip = /^push:(?!\d{1,5}(?:\/|$))/i.test(text);
  if (isSlip || url === null || !['ws:', 'wss:'].includes(url.protocol) || url.hostname === '')
    throw failure(brokerErrors.BROKER_SOURCE, { source: withoutSecrets(text) });
  // It would appear in every log and answer that names the source.
  if (url.username !== '' || url.password !== '')
    throw failure(brokerErrors.BROKER_SOURCE_PASSWORD, { source: withoutSecrets(text) });
  return url.href;
}

/** A source as it was written, without the part before its host. */
export function withoutSecrets(text: string): string {
  return pushed.test(text) ? text : text.replace(/^([a-z]+:\/\/)?[^/?#]*@/i, '$1…@');
}

/** The view that an address names after its `#`. */
function viewOf(url: string): string | undefined {
  const { hash } = new URL(url);
  if (hash === '') return undefined;
  const [, view] = /^#view=([a-z0-9][a-z0-9-]{0,63})$/.exec(hash) ?? [];
  if (view === undefined) throw failure(brokerErrors.BROKER_SOURCE, { source: url });
  return view;
}

/** The address to connect to: without the view. */
export function connectionAddress(url: string): string {
  return url.replace(/#.*$/, '');
}

/**
 * Read a source as an operator writes it: an address, one with `#view=NAME` for a view of a Broker, or
 * `push:ID`, `push:ID.KEY`, `push:NAME@ID`. Throws BROKER_SOURCE.
 */
export function sourceFrom(text: string): SourceAddress {
  const [whole, name, serverId, publicKey] = pushed.exec(text) ?? [];
  if (whole === undefined || serverId === undefined) {
    const url = serverAddress(text);
    const view = viewOf(url);
    return view === undefined ? { url } : { url, filter: { view } };
  }
  const pusher = { serverId: serverId as ServerId, ...(publicKey && { publicKey }), ...(name && { name }) };
  return { url: `push:${serverId}`, pusher };
}

/** The name of a source everywhere: its normalised address, or `push:ID`. Throws BROKER_SOURCE. */
export function sourceAddress(text: string): string {
  return sourceFrom(text).url;
}

/** The name of the copy of a server's objects: its id, and the view where a view is collected. */
export function copyOf({ filter }: Pick<SourceAddress, 'filter'>, server: ServerId): ServerId {
  return filter?.view === undefined ? server : (`${server}#${filter.view}` as ServerId);
}
