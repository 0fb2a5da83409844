import { amount, amountOrNull, exact, isFields, list, text } from './answers.ts';

/** One attribute of a summary object: its value as text, or as bytes where it is not UTF-8. */
export interface ObjectAttribute {
  readonly name: string;
  readonly value: string | Uint8Array;
}

/** A server on the way of an object; its name is null when unknown. */
export interface NamedServer {
  readonly serverId: string;
  readonly name: string | null;
}

/** A summary object as a Broker stores it. Values are exactly those of its Gatherer: do not trust them. */
export interface BrokerObject {
  readonly oid: string;
  /** `FILE` for documents. */
  readonly templateType: string;
  readonly url: string;
  /** In the order of the summary. */
  readonly attributes: readonly ObjectAttribute[];
  /** Its publisher and the servers by which it came, the publisher first; null when unknown. */
  readonly origin: { readonly publisher: NamedServer; readonly path: readonly NamedServer[] } | null;
}

/** One change of a view. Times are seconds since 1970; fields of documents are null for deletions. */
export interface ViewChange {
  /** Its object entered, changed in or left the view. */
  readonly kind: 'insert' | 'change' | 'delete';
  readonly oid: string;
  /** The view's own number; ascending. */
  readonly lsn: number;
  /** When the view noticed it. */
  readonly time: number;
  readonly url: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly type: string | null;
  readonly updatedAt: number | null;
  readonly modifiedAt: number | null;
}

/** What `GET /views/NAME/changes` answers. */
export interface ViewChanges {
  readonly changes: readonly ViewChange[];
  /** The place to ask with next time. */
  readonly since: string;
  /** Further changes follow: ask again at once. */
  readonly more: boolean;
  /** False: everything is listed instead of what changed, and an object that is not listed has left the view. */
  readonly complete: boolean;
  /** The first answer of such a list: forget what you received before. */
  readonly full: boolean;
}

/** Decode base64; undefined for a text that is none. */
function bytesOf(base64: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function attribute(value: unknown): ObjectAttribute | undefined {
  if (!isFields(value) || exact(value.name) === '') return undefined;
  const content =
    typeof value.value === 'string'
      ? value.value
      : typeof value.base64 === 'string'
        ? bytesOf(value.base64)
        : undefined;
  return content === undefined ? undefined : { name: exact(value.name), value: content };
}

function server(value: unknown): NamedServer | undefined {
  if (!isFields(value) || exact(value.serverId) === '') return undefined;
  return { serverId: exact(value.serverId), name: text(value.name, 80) || null };
}

/** Read what `GET /objects/OID` answered; undefined when it is no such answer. Odd attributes are left out. */
export function readObject(json: unknown): BrokerObject | undefined {
  if (!isFields(json) || exact(json.oid) === '' || !Array.isArray(json.attributes)) return undefined;
  const origin = isFields(json.origin) ? json.origin : {};
  const publisher = server(origin.publisher);
  return {
    oid: exact(json.oid),
    templateType: exact(json.templateType),
    url: exact(json.url),
    attributes: list(json.attributes, 10_000, attribute),
    origin: publisher === undefined ? null : { publisher, path: list(origin.path, 64, server) },
  };
}

const kinds: readonly ViewChange['kind'][] = ['insert', 'change', 'delete'];

function change(value: unknown): ViewChange | undefined {
  const kind = isFields(value) ? kinds.find((known) => known === value.kind) : undefined;
  if (!isFields(value) || kind === undefined || exact(value.oid) === '') return undefined;
  return {
    ...{ kind, oid: exact(value.oid), lsn: amount(value.lsn), time: amount(value.time) },
    url: exact(value.url) || null,
    title: text(value.title, 500) || null,
    description: text(value.description, 500) || null,
    type: text(value.type, 500) || null,
    updatedAt: amountOrNull(value.updatedAt),
    modifiedAt: amountOrNull(value.modifiedAt),
  };
}

/** Read what `GET /views/NAME/changes` answered; undefined when it is no such answer. */
export function readViewChanges(json: unknown): ViewChanges | undefined {
  if (!isFields(json) || exact(json.since) === '' || !Array.isArray(json.changes)) return undefined;
  const changes = list(json.changes, 1000, change);
  // A change that is left out would be missed for good.
  if (changes.length !== json.changes.length) return undefined;
  const { complete, full, more } = json;
  return {
    ...{ changes, since: exact(json.since) },
    ...{ complete: complete === true, full: full === true, more: more === true },
  };
}
