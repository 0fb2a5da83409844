import {
  type ClientStatement,
  cellBytes,
  estimateBytes,
  type PublishedObject,
  type Scheme,
  type SourceState,
  type StoreDialogue,
  type StoreStatement,
  type VectorElement,
} from '../awareness/index.ts';
import type { ServerId } from '../soif/index.ts';
import type { Channel } from '../wire/index.ts';
import { bad, bytesField, countField, unexpected } from './fields.ts';
import { decodeSplits, encodeGroups } from './group-codec.ts';
import type { KeyAnnouncements } from './key-announcements.ts';
import { messageBytes } from './settings.ts';
import { encodeSourceState } from './state-codec.ts';
import type { Transcript } from './transcript.ts';
import {
  elementBytes,
  needsSignature,
  signedFields,
  type VectorFields,
  vectorFields,
} from './vector-message.ts';

type Keys = Awaited<ReturnType<KeyAnnouncements['of']>>;

export interface Answering {
  readonly channel: Channel;
  readonly serverId: ServerId;
  readonly sign: (bytes: Uint8Array) => Uint8Array;
  readonly introductions: KeyAnnouncements;
  readonly transcript: Transcript;
  readonly scheme: Scheme;
  readonly expected: boolean;
  readonly state: SourceState;
  /** Whether the client knows the epoch. */
  readonly sameLife: boolean;
  /** Whether the client knows withdrawals. */
  readonly withdrawals: boolean;
  readonly project: ((object: PublishedObject) => PublishedObject) | undefined;
}

function* publishersOf(elements: readonly VectorElement[], withdrawals: boolean): Iterable<ServerId> {
  for (const element of elements) {
    if (element.kind !== 'record') continue;
    const { change } = element;
    if (change.kind === 'put') yield change.object.publisher;
    else if (change.kind === 'refresh') yield change.refresh.publisher;
    else if (change.withdrawal !== undefined && withdrawals) yield change.withdrawal.publisher;
  }
}

/** The store's end of one run: its statements go in as few messages as fit, the last with the end. */
export class StoreChannel implements StoreDialogue {
  readonly #answering: Answering;
  #waiting: VectorFields | undefined;
  #keys: Keys = {};
  #begun = false;
  elements = 0;
  /** Whether the client has received the whole answer. */
  complete = false;

  constructor(answering: Answering) {
    this.#answering = answering;
  }

  async say(statement: Exclude<StoreStatement, { kind: 'vector' }>): Promise<void> {
    const { kind } = statement;
    if (kind === 'groups') await this.#queue({ groups: encodeGroups(statement.groups) });
    else if (kind === 'cells') await this.#finish({ cells: statement.needed }, false);
    else if (kind === 'unsuited') {
      const { differences, sums } = statement;
      await this.#finish({ unsuited: differences, ...(sums && { sums }) }, true);
    }
    // Among groups an end is the end of one answer; the client speaks last.
    else {
      const last = this.#answering.scheme.refines !== 'groups';
      await this.#finish({ end: true }, last);
      this.complete = last;
    }
  }

  async sayVector(elements: AsyncIterable<readonly VectorElement[]>): Promise<void> {
    const { serverId, introductions, project, scheme, withdrawals } = this.#answering;
    const numbered = scheme.refines === 'nothing' && scheme.selects.startsWith('later');
    for await (const list of packed(elements, elementBytes)) {
      this.elements += list.length;
      const keys = await introductions.of(publishersOf(list, withdrawals));
      await this.#queue(vectorFields(list, serverId, project, { numbered, withdrawals }), keys);
    }
  }

  async hear(): Promise<ClientStatement | undefined> {
    const message = await this.#answering.channel.receive();
    if (message === undefined) return undefined;
    const { type } = message;
    if (type === 'split')
      return { kind: 'split', requests: decodeSplits(bytesField(message.groups, type, 'groups'), type) };
    if (type === 'enough') {
      this.complete = this.#answering.scheme.refines === 'groups';
      return { kind: 'end' };
    }
    if (type !== 'cells') throw unexpected(message);
    const cells = bytesField(message.cells, type, 'cells');
    if (cells.length === 0 || cells.length % cellBytes !== 0) bad(type, 'has no valid cells');
    const sums =
      message.sums === undefined ? undefined : bytesField(message.sums, type, 'sums', estimateBytes);
    return { kind: 'cells', from: countField(message.from, type, 'from'), cells, ...(sums && { sums }) };
  }

  /** One message is held back, so that the last can carry the end. */
  async #queue(fields: VectorFields, keys: Keys = {}): Promise<void> {
    await this.#flush(false);
    this.#waiting = fields;
    this.#keys = keys;
  }

  async #finish(fields: VectorFields, last: boolean): Promise<void> {
    this.#waiting = { ...this.#waiting, ...fields };
    await this.#flush(last);
  }

  async #flush(last: boolean): Promise<void> {
    if (this.#waiting === undefined) return;
    const { channel, transcript, scheme, sign } = this.#answering;
    const fields: VectorFields = { ...this.#opening(), ...this.#waiting };
    this.#waiting = undefined;
    const { keys } = this.#keys;
    const said = transcript.say(signedFields(fields, keys));
    const sig = needsSignature(fields, keys, scheme) ? { sig: sign(said) } : {};
    await channel.send({ type: 'tell', ...fields, ...this.#keys, ...sig }, { end: last });
    this.#keys = {};
  }

  #opening(): VectorFields {
    if (this.#begun) return {};
    this.#begun = true;
    const { state, sameLife, scheme, expected } = this.#answering;
    return { s: encodeSourceState(state, !sameLife), ...(expected ? {} : { by: scheme.name }) };
  }
}

/** Pack items, which come in lists, into lists of about one message's bytes; a larger item goes alone. */
export async function* packed<Item>(
  lists: AsyncIterable<readonly Item[]>,
  sizeOf: (item: Item) => number,
): AsyncIterable<readonly Item[]> {
  let list: Item[] = [];
  let size = 0;
  for await (const items of lists)
    for (const item of items) {
      const bytes = sizeOf(item);
      if (list.length > 0 && size + bytes > messageBytes) {
        yield list;
        list = [];
        size = 0;
      }
      list.push(item);
      size += bytes;
    }
  if (list.length > 0) yield list;
}
