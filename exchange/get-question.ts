import {
  bytesOfHandle,
  decodeShortIds,
  encodeShortIds,
  type Handle,
  handleBytes,
  handleFrom,
  type ShortId,
  shortIdBytes,
} from '../awareness/index.ts';
import type { Message } from '../wire/index.ts';
import { bad, listField, recordsField } from './fields.ts';
import { maxGet } from './settings.ts';

/** Objects requested by name, and their wanted form. */
export interface GetQuestion {
  readonly names: readonly (Handle | ShortId)[];
  /** Handle and signature are enough. */
  readonly bare: boolean;
  /** Only these attributes; all when there are none. */
  readonly attributes: readonly string[];
  /** The set whose epoch the short ids refer to: that of a filter, or the whole store. */
  readonly filter: string | undefined;
  /** Of those that are deleted, the signatures of their publishers. A source of garner 0.2 ignores it. */
  readonly withdrawn?: boolean;
}

const maxAttributes = 64;

export function getMessage({ names, bare, attributes, filter, withdrawn }: GetQuestion): Message {
  const handles = Buffer.concat(names.filter((name) => typeof name === 'string').map(bytesOfHandle));
  const ids = encodeShortIds(names.filter((name) => typeof name === 'number'));
  return {
    type: 'get',
    ...(handles.length > 0 ? { handles } : {}),
    ...(ids.length > 0 ? { ids } : {}),
    ...(bare ? { bare: true } : {}),
    ...(attributes.length > 0 ? { attributes: [...attributes] } : {}),
    ...(filter === undefined ? {} : { filter }),
    ...(withdrawn === true ? { withdrawn } : {}),
  };
}

export function readGet({ type, handles, ids, bare, attributes, filter, withdrawn }: Message): GetQuestion {
  const joined = recordsField(handles, type, 'handles', handleBytes);
  const named = Array.from({ length: joined.length / handleBytes }, (_, i) =>
    handleFrom(joined.slice(i * handleBytes, (i + 1) * handleBytes)),
  );
  const names = [...named, ...decodeShortIds(recordsField(ids, type, 'ids', shortIdBytes))];
  if (names.length > maxGet) bad(type, 'asks for too many objects');
  const wanted = listField(attributes, type, 'attributes');
  if (wanted.length > maxAttributes || !wanted.every((name) => typeof name === 'string'))
    bad(type, 'has no valid attributes');
  if (filter !== undefined && typeof filter !== 'string') bad(type, 'has no valid filter');
  return {
    ...{ names, bare: bare === true, attributes: wanted as string[], filter: filter as string | undefined },
    withdrawn: withdrawn === true,
  };
}

/** The question as both sides hash it before the signed answer, in the form of garner 0.2. */
export function questionBytes({ names, bare, attributes, filter }: GetQuestion): Uint8Array {
  return Buffer.from(JSON.stringify([names, bare, attributes, filter ?? null]));
}
