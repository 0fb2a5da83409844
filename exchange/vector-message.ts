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
  withdrawalItem,
} from './object-items.ts';
import { partItem, readPartItem } from './part-items.ts';
import { saysEpoch } from './state-codec.ts';

// One message of a store's answer. Objects carry their publishers' signatures; all other fields that make a client
// learn or forget are covered by the store's own signature, over the transcript of the answer so far.

export interface ReceivedVector {
  readonly objects: readonly ReceivedObject[];
  readonly parts: readonly PublishedObject[];
  readonly deltas: readonly ReceivedDelta[];
  readonly refreshes: readonly ReceivedRefresh[];
  readonly withdrawn: readonly ReceivedRefresh[];
  readonly fresh: readonly { readonly handle: Handle; readonly signature: Uint8Array }[];
  readonly handles: readonly Handle[];
  readonly gone: readonly Handle[];
  readonly ids: readonly ShortId[];
  readonly lost: readonly ShortId[];
  readonly lsn: Lsn | undefined;
}

type Items = readonly (readonly unknown[])[];
interface Kinds {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly items: Items;
  readonly count: number;
  readonly flag: boolean;
}

/** All fields that a message may have, in the order in which they are signed; `withdrawn` comes behind the keys. */
const fieldKinds = {
  s: 'bytes',
  by: 'text',
  put: 'items',
  part: 'items',
  mend: 'items',
  refresh: 'items',
  new: 'bytes',
  some: 'bytes',
  gone: 'bytes',
  ids: 'bytes',
  lost: 'bytes',
  lsn: 'count',
  groups: 'bytes',
  cells: 'count',
  unsuited: 'count',
  sums: 'bytes',
  end: 'flag',
  withdrawn: 'items',
} as const;

export type VectorFields = {
  readonly [Name in keyof typeof fieldKinds]?: Kinds[(typeof fieldKinds)[Name]];
};
const fieldNames = Object.keys(fieldKinds) as (keyof VectorFields)[];

/** The fields in the order in which they are signed, then the keys, then what a peer of garner 0.2 does not know. */
export function signedFields(
  fields: VectorFields,
  keys: unknown,
): readonly (Uint8Array | number | boolean | undefined)[] {
  const signedAs = (name: keyof VectorFields) => {
    const value = fields[name];
    if (typeof value === 'string') return Buffer.from(value);
    // Items that publishers have signed are covered too: one item less would be one object less.
    return Array.isArray(value) ? itemsHash(value) : (value as Exclude<typeof value, Items>);
  };
  const signed = fieldNames.filter((name) => name !== 'withdrawn').map(signedAs);
  const added = fields.withdrawn === undefined ? [] : [signedAs('withdrawn')];
  return [...signed, keys instanceof Uint8Array ? keys : undefined, ...added];
}

/** A hash of lists of bytes and numbers, each with its length. */
function itemsHash(list: Items): Uint8Array {
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
 * Whether a message has statements that no publisher has signed: present and deleted objects, keys, a new
 * life of the store, and the end. In a vector of everything each element also says that nothing lies before
 * it.
 */
export function needsSignature(fields: VectorFields, keys: unknown, scheme: Scheme): boolean {
  const { s, part, some, gone, ids, lost, groups, end, withdrawn } = fields;
  if (sendsEverything(scheme)) return true;
  if (end === true || keys !== undefined || (s !== undefined && saysEpoch(s))) return true;
  return [part, fields.new, some, gone, ids, lost, groups, withdrawn].some((field) => field !== undefined);
}

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
 * The fields for elements of a vector, with sequence numbers if `numbered`; `project` reduces an object. Withdrawals
 * are mere deletions for a client that does not know them.
 */
export function vectorFields(
  elements: readonly VectorElement[],
  speaker: ServerId,
  project: ((object: PublishedObject) => PublishedObject) | undefined,
  { numbered, withdrawals }: { readonly numbered: boolean; readonly withdrawals: boolean },
): VectorFields {
  type List = (readonly unknown[])[];
  const [put, part, mend, refresh, withdrawn]: [List, List, List, List, List] = [[], [], [], [], []];
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
      else if (change.kind === 'delete' && change.withdrawal !== undefined && withdrawals)
        withdrawn.push(withdrawalItem(change.oid, change.withdrawal, speaker));
      else if (change.kind === 'delete') gone.push(handleBytesOf(change.oid));
      else if (project !== undefined) part.push(partItem(project(change.object), speaker));
      else if (change.delta !== undefined) mend.push(deltaItem(change.object, change.delta, speaker));
      else put.push(objectItem(change.object, speaker));
    }
  }
  return present({
    put: some(put),
    part: some(part),
    mend: some(mend),
    refresh: some(refresh),
    new: joined(fresh),
    some: joined(handles),
    gone: joined(gone),
    ids: ids.length === 0 ? undefined : encodeShortIds(ids),
    lost: lost.length === 0 ? undefined : encodeShortIds(lost),
    lsn: numbered ? lsn : undefined,
    withdrawn: some(withdrawn),
  });
}
const handleBytesOf = (oid: string) => Buffer.from(oid, 'base64url').subarray(0, handleBytes);
/** Without the fields that are undefined. */
const present = (fields: Readonly<Record<string, unknown>>): VectorFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** The fields of a message as received, each of the right kind. */
export function readVectorMessage(message: Message): {
  readonly fields: VectorFields;
  readonly signature: Uint8Array | undefined;
} {
  const { type, sig } = message;
  const read = (name: keyof VectorFields) => {
    const value = message[name];
    if (value === undefined) return undefined;
    switch (fieldKinds[name]) {
      case 'bytes':
        return bytesField(value, type, name);
      case 'count':
        return countField(value, type, name);
      case 'items':
        return some(itemsField(value, type, name));
      case 'text':
        return typeof value === 'string' ? value : bad(type, 'has no valid scheme');
      case 'flag':
        return value === true ? value : bad(type, `has no valid ${name}`);
    }
  };
  return {
    fields: present(Object.fromEntries(fieldNames.map((name) => [name, read(name)]))),
    signature: sig === undefined ? undefined : bytesField(sig, type, 'sig', 64),
  };
}

/** A list of lists of bytes and numbers; each item's own reader checks its meaning. */
function itemsField(value: unknown, type: string, name: string): Items {
  return listField(value, type, name).map((item) => {
    const values = listField(item ?? 0, type, name);
    if (!values.every((each) => typeof each === 'number' || each instanceof Uint8Array))
      bad(type, `has no valid ${name}`);
    return values;
  });
}

export function readVector(fields: VectorFields, type: string, speaker: ServerId): ReceivedVector {
  const handles = (bytes: unknown, name: string) =>
    chunks(recordsField(bytes, type, name, handleBytes), handleBytes).map(handleFrom);
  return {
    objects: (fields.put ?? []).map((item) => readObjectItem(item, type, speaker)),
    parts: (fields.part ?? []).map((item) => readPartItem(item, type, speaker)),
    deltas: (fields.mend ?? []).map((item) => readDeltaItem(item, type, speaker)),
    refreshes: (fields.refresh ?? []).map((item) => readRefreshItem(item, type, speaker)),
    withdrawn: (fields.withdrawn ?? []).map((item) => readRefreshItem(item, type, speaker, 'withdrawal')),
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
