import {
  type ClientDialogue,
  type ClientStatement,
  type Epoch,
  estimateBytes,
  type Handle,
  handleOf,
  lastOidOf,
  oidBefore,
  type Replica,
  type Scheme,
  type ShortId,
  type SourceState,
  type StoreStatement,
  sameBytes,
  schemeNamed,
  signatureOf,
  Unsuited,
  type VectorElement,
  type Want,
} from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import { applyDelta, decodeObject, digestOf, type Oid } from '../soif/index.ts';
import type { Channel, Message } from '../wire/index.ts';
import { exchangeErrors } from './errors.ts';
import { ExpectedFields } from './expected-fields.ts';
import { bad, unexpected } from './fields.ts';
import { decodeGroups, encodeSplits } from './group-codec.ts';
import { type ReceivedDelta, type ReceivedRefresh, readKeys, readLinks } from './object-items.ts';
import { decodeSourceState } from './state-codec.ts';
import type { Transcript } from './transcript.ts';
import {
  needsSignature,
  type ReceivedVector,
  readVector,
  readVectorMessage,
  sendsEverything,
  signedFields,
  type VectorFields,
} from './vector-message.ts';
import type { ProvenanceVerifier } from './verify.ts';

/** The means by which a client's end checks its input. */
export interface Hearing {
  readonly channel: Channel;
  readonly source: string;
  readonly replica: Replica;
  readonly verifier: ProvenanceVerifier;
  readonly transcript: Transcript;
  /** Whether the store that proved its key at the start of the session has signed this. */
  readonly signedByStore: (bytes: Uint8Array, signature: Uint8Array) => boolean;
  readonly speaker: Parameters<typeof readVector>[2];
  readonly epoch: Epoch | undefined;
  /** The scheme that the store runs unless it names another. */
  readonly expected: Scheme | undefined;
  /** The wanted form of objects, where the signed question does not define it. */
  readonly want?: Want;
  /** Whether withdrawals were asked for, by name. */
  readonly withdrawn?: boolean;
  readonly signal: AbortSignal | undefined;
}

/** A store that about doubles the requested cells each time has them all after fewer questions. */
const maxQuestions = 32;

/** The client's end of one run: every message is checked whole before the first of its statements is returned. */
export class ClientChannel implements ClientDialogue {
  readonly #hearing: Hearing;
  #statements: StoreStatement[] = [];
  #last = 0;
  #lastAt: Handle | number | undefined;
  #state: SourceState | undefined;
  #scheme: Scheme | undefined;
  #expected: ExpectedFields | undefined;
  /** Number of the store's requests for cells. */
  #questions = 0;
  #ended = false;
  /** Times that this end has waited for an answer; the question that opened the channel is the first. */
  rounds = 0;
  #isWaiting = true;

  constructor(hearing: Hearing) {
    this.#hearing = hearing;
  }

  /** The store's first message: its state and its scheme, or undefined when nothing has changed. */
  async begin(): Promise<{ readonly state: SourceState; readonly scheme: Scheme } | undefined> {
    const message = await this.#receive();
    if (message.type === 'same') return undefined;
    if (message.type !== 'tell') throw unexpected(message);
    const { fields } = readVectorMessage(message);
    const { epoch, expected } = this.#hearing;
    if (fields.s === undefined) bad('tell', 'does not name its state');
    this.#state = decodeSourceState(fields.s, 'tell', epoch);
    this.#scheme = fields.by === undefined ? expected : schemeNamed(fields.by);
    if (this.#scheme === undefined) bad('tell', 'names no known scheme');
    const more = this.#hearing.withdrawn === true ? (['withdrawn'] as const) : [];
    this.#expected = new ExpectedFields(this.#scheme, this.#state.count, this.#hearing.want, more);
    await this.#take(message);
    return { state: this.#state, scheme: this.#scheme };
  }

  async say(statement: ClientStatement): Promise<void> {
    const { channel } = this.#hearing;
    this.#ended ||= statement.kind === 'end';
    this.#isWaiting = true;
    if (statement.kind === 'split')
      await channel.send({ type: 'split', groups: encodeSplits(statement.requests) });
    else if (statement.kind === 'end') await channel.send({ type: 'enough' });
    else {
      const { from, cells, sums } = statement;
      await channel.send({ type: 'cells', from, cells, ...(sums && { sums }) });
    }
  }

  async hear(): Promise<StoreStatement> {
    for (;;) {
      const statement = this.#statements.shift();
      if (statement?.kind === 'unsuited') throw new Unsuited(statement.differences, statement.sums);
      if (statement !== undefined) return statement;
      const message = await this.#receive();
      if (message.type !== 'tell') throw unexpected(message);
      await this.#take(message);
    }
  }

  async #receive(): Promise<Message> {
    const { channel, source, signal } = this.#hearing;
    const message = await channel.receive(signal);
    if (message === undefined) throw failure(exchangeErrors.EXCHANGE_CUT, { source });
    if (this.#isWaiting) this.rounds++;
    this.#isWaiting = false;
    return message;
  }

  async #take(message: Message): Promise<void> {
    const { fields, signature } = readVectorMessage(message);
    const { transcript, signedByStore, source } = this.#hearing;
    const scheme = this.#scheme as Scheme;
    this.#expected?.check(fields);
    // A client of a one-vector scheme says nothing more, so the answer may only name another scheme.
    if (this.#hearing.expected?.refines === 'nothing' && scheme.refines !== 'nothing')
      if (fields.unsuited === undefined) bad('tell', 'asks a question where the client cannot answer');
    const said = transcript.say(signedFields(fields, message.keys));
    const isSigned = () => signature !== undefined && signedByStore(said, signature);
    if (needsSignature(fields, message.keys, scheme) && !isSigned())
      throw failure(exchangeErrors.EXCHANGE_UNSIGNED, { source });
    const elements = await this.#elements(message, fields);
    if (elements.length > 0) this.#statements.push({ kind: 'vector', elements });
    if (fields.groups !== undefined)
      this.#statements.push({ kind: 'groups', groups: decodeGroups(fields.groups, 'tell') });
    if (fields.cells !== undefined) {
      if (this.#ended || ++this.#questions > maxQuestions) bad('tell', 'asks for cells too often');
      this.#statements.push({ kind: 'cells', needed: fields.cells });
    }
    if (fields.sums !== undefined && (fields.sums.length !== estimateBytes || fields.unsuited === undefined))
      bad('tell', 'has no valid sums');
    if (fields.unsuited !== undefined)
      this.#statements.push({ kind: 'unsuited', differences: fields.unsuited, sums: fields.sums });
    if (fields.end === true) this.#statements.push({ kind: 'end' });
  }

  async #elements(message: Message, fields: VectorFields): Promise<readonly VectorElement[]> {
    const { verifier, speaker, replica } = this.#hearing;
    const vector = readVector(fields, 'tell', speaker);
    const state = this.#state as SourceState;
    const lsn = vector.lsn ?? 0;
    if (lsn > state.lsn) bad('tell', 'has an LSN beyond its own state');
    if (vector.lsn !== undefined && lsn <= this.#last) bad('tell', 'is out of order');
    this.#last = Math.max(this.#last, lsn);
    const { objects, parts, deltas, refreshes, withdrawn } = vector;
    const items = [objects, parts, deltas, refreshes, withdrawn].reduce((sum, { length }) => sum + length, 0);
    verifier.introduce(readKeys(message, items), readLinks(message, items));
    const elements: VectorElement[] = [];
    for (const received of vector.objects)
      elements.push({
        kind: 'record',
        change: { kind: 'put', lsn, object: await verifier.object(received) },
      });
    for (const part of vector.parts)
      elements.push({ kind: 'record', change: { kind: 'put', lsn, object: await verifier.part(part) } });
    for (const element of await this.#mended(vector.deltas, lsn)) elements.push(element);
    const known = await replica.find(vector.refreshes.map(({ handle }) => handle));
    for (const [i, { publisher, updatedAt, signature }] of vector.refreshes.entries()) {
      const oid = known[i]?.oid;
      // A refresh of an object that this client lacks is ignored.
      if (oid === undefined) continue;
      const refresh = { oid, publisher, updatedAt, signature };
      elements.push({ kind: 'record', change: { kind: 'refresh', lsn, refresh } });
    }
    for (const element of await this.#withdrawn(vector.withdrawn, lsn)) elements.push(element);
    for (const { handle, signature } of await this.#unknown(vector))
      elements.push({ kind: 'described', handle, signature, lsn, gone: false });
    for (const handle of vector.handles) elements.push({ kind: 'described', handle, lsn, gone: false });
    for (const handle of vector.gone) elements.push({ kind: 'described', handle, lsn, gone: true });
    for (const id of vector.ids) elements.push({ kind: 'short', id, gone: false });
    for (const id of vector.lost) elements.push({ kind: 'short', id, gone: true });
    if (this.#scheme !== undefined && sendsEverything(this.#scheme)) {
      this.#checkOrder(elements);
      const passed = passedAt(this.#lastAt);
      if (elements.length > 0 && passed !== undefined) elements.push({ kind: 'passed', oid: passed });
    }
    if (vector.lsn !== undefined) elements.push({ kind: 'reached', lsn });
    return elements;
  }

  /** The objects that this client does not hold in this version: an attempt that was cut may have learned some. */
  async #unknown({ fresh, lsn }: ReceivedVector): Promise<ReceivedVector['fresh']> {
    if (lsn === undefined || fresh.length === 0) return fresh;
    const held = await this.#hearing.replica.find(fresh.map(({ handle }) => handle));
    return fresh.filter(({ signature }, i) => {
      const digest = held[i]?.digest;
      return digest === undefined || !sameBytes(signatureOf(digest), signature);
    });
  }

  /** Withdrawals of objects that this client knows; of others the source only says that it has them no longer. */
  async #withdrawn(received: readonly ReceivedRefresh[], lsn: number): Promise<readonly VectorElement[]> {
    if (received.length === 0) return [];
    const { replica, verifier } = this.#hearing;
    const known = (await replica.known?.(received.map(({ handle }) => handle))) ?? [];
    const elements: VectorElement[] = [];
    for (const [i, { handle, ...withdrawal }] of received.entries()) {
      const object = known[i];
      if (object === undefined || !(await verifier.withdrawal(object, withdrawal)))
        elements.push({ kind: 'described', handle, lsn, gone: true });
      else elements.push({ kind: 'record', change: { kind: 'delete', lsn, oid: object.oid, withdrawal } });
    }
    return elements;
  }

  /** Objects made from their held versions; those whose last version is not held are fetched. */
  async #mended(deltas: readonly ReceivedDelta[], lsn: number): Promise<readonly VectorElement[]> {
    if (deltas.length === 0) return [];
    const { replica, verifier } = this.#hearing;
    const found = await replica.find(deltas.map(({ handle }) => handle));
    const held = found.filter((entry) => entry !== undefined);
    const bodies = await replica.bodies(held.map(({ oid }) => oid));
    let next = 0;
    const elements: VectorElement[] = [];
    for (const [i, { handle, base, delta, ...rest }] of deltas.entries()) {
      const digest = found[i]?.digest;
      const body = found[i] === undefined ? undefined : bodies[next++];
      // Another source may have sent another version meanwhile: the digest shows whether it is the right one.
      const same = body !== undefined && digest !== undefined && sameBytes(signatureOf(digest), base);
      if (!same || !sameBytes(signatureOf(digestOf(decodeObject(body))), base)) {
        elements.push({ kind: 'described', handle, lsn, gone: false });
        continue;
      }
      const object = await verifier.object({ ...rest, body: applyDelta(body, delta) });
      elements.push({ kind: 'record', change: { kind: 'put', lsn, object } });
    }
    return elements;
  }

  /** A vector of everything is compared in one pass: an element out of order would make its neighbours vanish. */
  #checkOrder(elements: readonly VectorElement[]): void {
    for (const element of elements) {
      const at = placeOf(element);
      const last = this.#lastAt;
      if (at === undefined || (last !== undefined && (typeof at !== typeof last || at <= last)))
        bad('tell', 'is out of order');
      this.#lastAt = at;
    }
  }
}

/** The place from which a run that was cut after this element can continue. Neighbours by short id are repeated. */
function passedAt(last: Handle | number | undefined): Oid | undefined {
  if (last === undefined) return undefined;
  return typeof last === 'string' ? lastOidOf(last) : oidBefore(last as ShortId);
}

function placeOf(element: VectorElement): Handle | number | undefined {
  if (element.kind === 'short') return element.id;
  if (element.kind === 'described') return element.handle;
  if (element.kind === 'record' && element.change.kind === 'put') return handleOf(element.change.object.oid);
  return undefined;
}
