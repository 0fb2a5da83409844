import { createHash } from 'node:crypto';
import {
  bytesOfHandle,
  decodeShortIds,
  encodeShortIds,
  type Handle,
  handleBytes,
  handleFrom,
  type Lsn,
  type PublishedObject,
  type Scheme,
  type ShortId,
  shortIdBytes,
  signatureBytes,
  type VectorElement,
} from '../awareness/index.ts';
import type { ServerId } from '../soif/index.ts';
import type { Message } from '../wire/index.ts';
import { bad, bytesField, countField, listField, recordsField } from './fields.ts';
import {
  deltaItem,
  objectItem,
  type ReceivedDelta,
  type ReceivedObject,
  type ReceivedRefresh,
  readDeltaItem,
  readObjectItem,
  readRefreshItem,
  refreshItem,
} from './object-items.ts';
import { type PartItem, partItem, readPartItem } from './part-items.ts';
import { saysEpoch } from './state-codec.ts';

// One message of a store's answer. Objects carry their publishers' signatures; all other fields that make a client
// learn or forget are covered by the store's own signature, over the transcript of the answer so far.

/** A message's vector as received, not yet verified. */
export interface ReceivedVector {
  readonly objects: readonly ReceivedObject[];
  readonly parts: readonly PartItem[];
  readonly deltas: readonly ReceivedDelta[];
  readonly refreshes: readonly ReceivedRefresh[];
  readonly fresh: readonly { readonly handle: Handle; readonly signature: Uint8Array }[];
  readonly handles: readonly Handle[];
  readonly gone: readonly Handle[];
  readonly ids: readonly ShortId[];
  readonly lost: readonly ShortId[];
  readonly lsn: Lsn | undefined;
}

/** All fields that a message may have. */
export interface VectorFields {
  readonly s?: Uint8Array;
  readonly by?: string;
  readonly put?: readonly (readonly unknown[])[];
  readonly part?: readonly (readonly unknown[])[];
  readonly mend?: readonly (readonly unknown[])[];
  readonly refresh?: readonly (readonly unknown[])[];
  readonly new?: Uint8Array;
  readonly some?: Uint8Array;
  readonly gone?: Uint8Array;
  readonly ids?: Uint8Array;
  readonly lost?: Uint8Array;
  readonly lsn?: number;
  readonly groups?: Uint8Array;
  readonly cells?: number;
  readonly unsuited?: number;
  readonly sums?: Uint8Array;
  readonly end?: boolean;
}

/** The fields in the order in which they are signed. */
export function signedFields(
  fields: VectorFields,
  keys: unknown,
): readonly (Uint8Array | number | boolean | undefined)[] {
  const { s, by, put, part, mend, refresh, some, gone, ids, lost, lsn, groups, cells, unsuited, sums, end } =
    fields;
  // Items that publishers have signed are covered too: one item less would be one object less.
  const items = [put, part, mend, refresh].map((list) => list && itemsHash(list));
  const name = by === undefined ? undefined : Buffer.from(by);
  return [
    s,
    name,
    ...items,
    fields.new,
    some,
    gone,
    ids,
    lost,
    lsn,
    groups,
    cells,
    unsuited,
    sums,
    end,
    keys instanceof Uint8Array ? keys : undefined,
  ];
}

/** A hash of lists of bytes and numbers, each with its length. */
function itemsHash(list: readonly (readonly unknown[])[]): Uint8Array {
  const hash = createHash('sha256');
  for (const item of list) {
    hash.update(`${item.length};`);
    for (const value of item) {
      const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value));
      hash.update(`${value instanceof Uint8Array ? 'b' : 'n'}${bytes.length};`).update(bytes);
    }
  }
  return hash.digest();
}

/** Whether an answer by this scheme is one vector of all objects, so that an absent object was deleted. */
export const sendsEverything = (scheme: Scheme): boolean =>
  scheme.refines === 'nothing' && scheme.selects === 'everything';

/**
 * Whether a message has statements that no publisher has signed: present and deleted objects, keys of servers, a
 * new life of the store, and the end of the answer. In a vector of everything each element also says that nothing
 * lies before it.
 */
export function needsSignature(fields: VectorFields, keys: unknown, scheme: Scheme): boolean {
  const { s, part, some, gone, ids, lost, groups, end } = fields;
  if (sendsEverything(scheme)) return true;
  if (end === true || keys !== undefined || (s !== undefined && saysEpoch(s))) return true;
  return [part, fields.new, some, gone, ids, lost, groups].some((field) => field !== undefined);
}

/** Approximate bytes of an element in a message. */
export function elementBytes(element: VectorElement): number {
  if (element.kind === 'short') return shortIdBytes;
  if (element.kind === 'described')
    return handleBytes + (element.signature === undefined ? 0 : signatureBytes);
  if (element.kind === 'record' && element.change.kind === 'put')
    return (element.change.delta?.bytes ?? element.change.object.body).length + 130;
  return 110;
}

const joined = (parts: readonly Uint8Array[]) => (parts.length === 0 ? undefined : Buffer.concat(parts));
const some = <Item>(list: readonly Item[]) => (list.length === 0 ? undefined : list);

/**
 * The fields for elements of a vector, with their sequence number where the scheme uses it; `project` reduces an
 * object to its wanted part.
 */
export function vectorFields(
  elements: readonly VectorElement[],
  speaker: ServerId,
  project: ((object: PublishedObject) => PublishedObject) | undefined,
  numbered: boolean,
): VectorFields {
  const put: (readonly unknown[])[] = [];
  const part: (readonly unknown[])[] = [];
  const mend: (readonly unknown[])[] = [];
  const refresh: (readonly unknown[])[] = [];
  const [fresh, handles, gone]: [Uint8Array[], Uint8Array[], Uint8Array[]] = [[], [], []];
  const [ids, lost]: [ShortId[], ShortId[]] = [[], []];
  let lsn: number | undefined;
  for (const element of elements) {
    // The reader of a vector sees its place by itself.
    if (element.kind === 'passed') continue;
    if (element.kind === 'reached') lsn = element.lsn;
    else if (element.kind === 'short') (element.gone ? lost : ids).push(element.id);
    else if (element.kind === 'described') {
      lsn = element.lsn ?? lsn;
      const handle = bytesOfHandle(element.handle);
      if (element.gone) gone.push(handle);
      else if (element.signature === undefined) handles.push(handle);
      else fresh.push(handle, element.signature);
    } else {
      const { change } = element;
      lsn = change.lsn;
      if (change.kind === 'refresh') refresh.push(refreshItem(change, speaker));
      else if (change.kind === 'delete') gone.push(handleBytesOf(change.oid));
      else if (project !== undefined) part.push(partItem(project(change.object), speaker));
      else if (change.delta !== undefined) mend.push(deltaItem(change.object, change.delta, speaker));
      else put.push(objectItem(change.object, speaker));
    }
  }
  return {
    ...given('put', some(put)),
    ...given('part', some(part)),
    ...given('mend', some(mend)),
    ...given('refresh', some(refresh)),
    ...given('new', joined(fresh)),
    ...given('some', joined(handles)),
    ...given('gone', joined(gone)),
    ...given('ids', ids.length === 0 ? undefined : encodeShortIds(ids)),
    ...given('lost', lost.length === 0 ? undefined : encodeShortIds(lost)),
    ...given('lsn', numbered ? lsn : undefined),
  };
}

const handleBytesOf = (oid: string) => Buffer.from(oid, 'base64url').subarray(0, handleBytes);

function given<Name extends keyof VectorFields>(name: Name, value: VectorFields[Name]): VectorFields {
  return value === undefined ? {} : { [name]: value };
}

/** The fields of a message as received, each of the right kind. */
export function readVectorMessage(message: Message): {
  readonly fields: VectorFields;
  readonly signature: Uint8Array | undefined;
} {
  const { type } = message;
  const optional = (name: string) =>
    message[name] === undefined ? undefined : bytesField(message[name], type, name);
  const number = (name: string) =>
    message[name] === undefined ? undefined : countField(message[name], type, name);
  const list = (name: string) => itemsField(message[name], type, name);
  const { by, end } = message;
  if (by !== undefined && typeof by !== 'string') bad(type, 'has no valid scheme');
  if (end !== undefined && end !== true) bad(type, 'has no valid end');
  return {
    fields: {
      ...given('s', optional('s')),
      ...given('by', by as string | undefined),
      ...given('put', some(list('put'))),
      ...given('part', some(list('part'))),
      ...given('mend', some(list('mend'))),
      ...given('refresh', some(list('refresh'))),
      ...given('new', optional('new')),
      ...given('some', optional('some')),
      ...given('gone', optional('gone')),
      ...given('ids', optional('ids')),
      ...given('lost', optional('lost')),
      ...given('lsn', number('lsn')),
      ...given('groups', optional('groups')),
      ...given('cells', number('cells')),
      ...given('unsuited', number('unsuited')),
      ...given('sums', optional('sums')),
      ...given('end', end as boolean | undefined),
    },
    signature: message.sig === undefined ? undefined : bytesField(message.sig, type, 'sig', 64),
  };
}

/** A list of lists of bytes and numbers; each item's own reader checks its meaning. */
function itemsField(value: unknown, type: string, name: string): readonly (readonly unknown[])[] {
  return listField(value, type, name).map((item) => {
    const values = listField(item ?? 0, type, name);
    if (!values.every((each) => typeof each === 'number' || each instanceof Uint8Array))
      bad(type, `has no valid ${name}`);
    return values;
  });
}

/** The vector in a message's fields. */
export function readVector(fields: VectorFields, type: string, speaker: ServerId): ReceivedVector {
  const handles = (bytes: unknown, name: string) =>
    chunks(recordsField(bytes, type, name, handleBytes), handleBytes).map(handleFrom);
  return {
    objects: (fields.put ?? []).map((item) => readObjectItem(item, type, speaker)),
    parts: (fields.part ?? []).map((item) => readPartItem(item, type, speaker)),
    deltas: (fields.mend ?? []).map((item) => readDeltaItem(item, type, speaker)),
    refreshes: (fields.refresh ?? []).map((item) => readRefreshItem(item, type, speaker)),
    fresh: chunks(
      recordsField(fields.new, type, 'new', handleBytes + signatureBytes),
      handleBytes + signatureBytes,
    ).map((record) => ({
      handle: handleFrom(record.subarray(0, handleBytes)),
      signature: record.slice(handleBytes),
    })),
    handles: handles(fields.some, 'some'),
    gone: handles(fields.gone, 'gone'),
    ids: decodeShortIds(recordsField(fields.ids, type, 'ids', shortIdBytes)),
    lost: decodeShortIds(recordsField(fields.lost, type, 'lost', shortIdBytes)),
    lsn: fields.lsn,
  };
}

function chunks(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: bytes.length / size }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}
