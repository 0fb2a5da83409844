import {
  type Change,
  type Handle,
  handleOf,
  type LearningStep,
  learn,
  type Marker,
  type Noted,
  type Placed,
  type ReplicaState,
  type Request,
  type Scheme,
  type ShortId,
  type SourceState,
  signatureOf,
  type Want,
} from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import type { Oid } from '../soif/index.ts';
import type { ClientChannel } from './client-dialogue.ts';
import type { CollectOptions } from './collect-options.ts';
import { exchangeErrors } from './errors.ts';
import { roundProgress } from './events.ts';
import { getByName, type NamedObjects } from './get.ts';
import { knowsWithdrawals } from './open-request.ts';
import { maxGet } from './settings.ts';
import type { ProvenanceVerifier } from './verify.ts';

/** Fewer deletions than this are never a burst. */
const smallBurst = 100;

const writeBytes = 1024 * 1024;

type Step = Change | Noted;

/** One run of one scheme: applies its lessons to the replica. */
export class SchemeRun {
  learned = 0;
  refreshed = 0;
  forgotten = 0;
  requests = 0;
  /** Objects forgotten on the source's word alone. */
  #dropped = 0;
  readonly #options: CollectOptions;
  readonly #dialogue: ClientChannel;
  readonly #state: SourceState;
  readonly #scheme: Scheme;
  readonly #before: ReplicaState;
  readonly #verifier: ProvenanceVerifier;
  #batch: Step[] = [];
  #batchBytes = 0;
  #wanted: (Handle | ShortId)[] = [];
  #doomed: (Handle | ShortId)[] = [];
  #withdrawn: (Change & { readonly kind: 'delete' })[] = [];
  #marker: Marker;

  constructor(
    options: CollectOptions,
    dialogue: ClientChannel,
    { state, scheme }: { readonly state: SourceState; readonly scheme: Scheme },
    before: ReplicaState,
    verifier: ProvenanceVerifier,
  ) {
    this.#options = options;
    this.#dialogue = dialogue;
    this.#state = state;
    this.#scheme = scheme;
    this.#before = before;
    this.#verifier = verifier;
    // A vector that is not in LSN order does not show where it stopped: until its end the old marker holds.
    this.#marker = before.marker?.epoch === state.epoch ? before.marker : { epoch: state.epoch, lsn: 0 };
  }

  async run(request: Request): Promise<void> {
    const { replica } = this.#options;
    // Under another epoch elements have other names: the copy is renamed before it is compared.
    if (this.#before.marker?.epoch !== this.#state.epoch) await replica.apply([], this.#marker);
    const lessons = learn(
      this.#scheme,
      replica,
      { ...request, epoch: this.#state.epoch, count: this.#state.count },
      this.#dialogue,
      (handles) => this.#learnNow(handles),
    );
    try {
      for await (const list of lessons) for (const lesson of list) await this.#follow(lesson);
    } catch (error) {
      // Complete objects are stored, so that a cut costs no more than the message in which it happened.
      await this.#write().catch(() => undefined);
      // The engine throws it for an answer that no honest store would send.
      if (error instanceof TypeError)
        throw failure(exchangeErrors.EXCHANGE_MESSAGE, { type: 'tell', reason: error.message }, error);
      throw error;
    }
    await this.#write();
    await this.#fetchWanted();
    await this.#forgetDoomed();
    const { epoch, lsn } = this.#state;
    if (this.#marker.lsn !== lsn) await replica.apply([], { epoch, lsn });
  }

  async #follow(lesson: LearningStep): Promise<void> {
    if (lesson.kind === 'apply' && lesson.change.kind === 'delete') {
      if (lesson.change.withdrawal !== undefined) this.#withdrawn.push(lesson.change);
      else this.#doomed.push(handleOf(lesson.change.oid));
    } else if (lesson.kind === 'apply') {
      this.#batch.push(lesson.change);
      this.#batchBytes += lesson.change.kind === 'put' ? lesson.change.object.body.length : 0;
      if (this.#batch.length >= maxGet || this.#batchBytes >= writeBytes) await this.#write();
    } else if (lesson.kind === 'note') {
      this.#batch.push(lesson);
      if (this.#batch.length >= 4 * maxGet) await this.#write();
    } else if (lesson.kind === 'fetch') {
      this.#wanted.push(lesson.object);
      if (this.#wanted.length >= maxGet) await this.#fetchWanted();
    } else if (lesson.kind === 'forget') this.#doomed.push(lesson.object);
    else if (lesson.kind === 'reached') await this.#reached(lesson.lsn);
    else if (lesson.kind === 'passed') await this.#passed(lesson.oid);
  }

  /** Everything up to a sequence number is known: once written, the marker moves; a cut repeats nothing. */
  async #reached(lsn: number): Promise<void> {
    const marker = { epoch: this.#state.epoch, lsn };
    if (this.#wanted.length + this.#doomed.length + this.#withdrawn.length > 0) {
      await this.#write();
      await this.#fetchWanted();
      // Deletions go first: the marker must not pass them.
      await this.#forgetDoomed();
    }
    this.#marker = marker;
    if (this.#batch.length > 0) await this.#write();
    else await this.#options.replica.apply([], marker);
  }

  /** Everything up to a place in the order of everything is done: the next attempt starts after it. */
  async #passed(after: Oid): Promise<void> {
    await this.#write();
    await this.#fetchWanted();
    await this.#forgetDoomed();
    const { resume } = this.#options;
    if (resume !== undefined) resume.place = { scheme: this.#scheme.name, epoch: this.#state.epoch, after };
  }

  async #write(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    if (batch.length === 0) return;
    const { replica } = this.#options;
    const refreshes = batch.flatMap((change) => (change.kind === 'refresh' ? [change.refresh] : []));
    const oids = refreshes.map(({ oid }) => oid);
    const digests = await replica.digests(oids);
    const held = (await replica.known?.(oids.map(handleOf))) ?? [];
    const valid = new Set<Oid>();
    for (const [i, refresh] of refreshes.entries()) {
      const digest = digests[i];
      if (digest !== undefined && (await this.#verifier.refresh(refresh, digest, held[i]?.url)))
        valid.add(refresh.oid);
    }
    const accepted = batch.filter((change) => change.kind !== 'refresh' || valid.has(change.refresh.oid));
    await replica.apply(accepted, this.#marker);
    this.#count(accepted);
  }

  async #fetchWanted(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = [];
    for (let i = 0; i < wanted.length; i += maxGet)
      await this.#get(wanted.slice(i, i + maxGet), (found) => this.#learnFound(found));
  }

  async #learnFound(found: NamedObjects): Promise<void> {
    const changes = this.#changesOf(found);
    await this.#options.replica.apply(changes, this.#marker);
    this.#count(changes);
  }

  #changesOf({ objects, noted }: NamedObjects): readonly Step[] {
    const { lsn } = this.#state;
    return [
      ...objects.map((object): Change => ({ kind: 'put', lsn, object })),
      ...noted.map(({ handle, signature }): Noted => ({ kind: 'note', lsn, handle, signature })),
    ];
  }

  /** Learn objects at once, for a scheme that needs their new versions to continue. */
  async #learnNow(handles: readonly Handle[]): Promise<readonly Placed[]> {
    const placed: Placed[] = [];
    for (let i = 0; i < handles.length; i += maxGet)
      await this.#get(handles.slice(i, i + maxGet), async (found) => {
        await this.#learnFound(found);
        for (const { oid, digest } of found.objects)
          placed.push({ position: handleOf(oid), handle: handleOf(oid), signature: signatureOf(digest) });
        for (const { handle, signature } of found.noted) placed.push({ position: handle, handle, signature });
      });
    return placed;
  }

  /**
   * What publishers have withdrawn. Each is signed with the key of the version that is held, which the source need not
   * have: so the guard, which is against the word of a source, does not count it.
   */
  async #forgetWithdrawn(): Promise<void> {
    const changes = this.#withdrawn;
    this.#withdrawn = [];
    if (changes.length === 0) return;
    const { replica } = this.#options;
    const held = await replica.digests(changes.map(({ oid }) => oid));
    for (let i = 0; i < changes.length; i += maxGet)
      await replica.apply(changes.slice(i, i + maxGet), this.#marker);
    this.forgotten += held.filter((digest) => digest !== undefined).length;
  }

  async #forgetDoomed(): Promise<void> {
    await this.#forgetWithdrawn();
    const names = this.#doomed;
    this.#doomed = [];
    if (names.length === 0) return;
    const { replica, deleteGuard } = this.#options;
    // By now a replaced version has another name: an object still found under the old name was deleted.
    const absent = (await replica.find(names)).flatMap((entry) => (entry === undefined ? [] : [entry.oid]));
    const doomed = await this.#unsigned(absent);
    if (doomed.length === 0) return;
    const limit = Math.max(smallBurst, this.#before.count * deleteGuard);
    if (this.#dropped + doomed.length > limit) await this.#confirmGone(doomed);
    for (let i = 0; i < doomed.length; i += maxGet)
      await replica.apply(
        doomed.slice(i, i + maxGet).map((oid): Change => ({ kind: 'delete', lsn: this.#state.lsn, oid })),
        this.#marker,
      );
    this.#dropped += doomed.length;
    this.forgotten += doomed.length;
  }

  /**
   * Where a deletion shows by absence it comes without its signature: ask for the signatures, and forget what was
   * withdrawn. Resolves to the other objects.
   */
  async #unsigned(absent: readonly Oid[]): Promise<readonly Oid[]> {
    const scheme = this.#scheme;
    const isSaid = scheme.refines === 'nothing' && scheme.forgets === 'tombstone';
    const { replica, want } = this.#options;
    if (isSaid || !knowsWithdrawals(replica, want)) return absent;
    const withdrawn = new Set<Oid>();
    for (let i = 0; i < absent.length; i += maxGet)
      await this.#get(
        absent.slice(i, i + maxGet).map(handleOf),
        async (found) => {
          this.#withdrawn.push(...found.withdrawn);
          for (const { oid } of found.withdrawn) withdrawn.add(oid);
        },
        { kind: 'handles' },
        true,
      );
    await this.#forgetWithdrawn();
    return absent.filter((oid) => !withdrawn.has(oid));
  }

  /** Confirm a burst of deletions: request each of the objects from the source. */
  async #confirmGone(doomed: readonly Oid[]): Promise<void> {
    for (let i = 0; i < doomed.length; i += maxGet)
      await this.#get(
        doomed.slice(i, i + maxGet).map(handleOf),
        async ({ objects, noted }) => {
          if (objects.length + noted.length === 0) return;
          throw failure(exchangeErrors.EXCHANGE_DELETE_BURST, {
            deletes: doomed.length,
            held: this.#before.count,
          });
        },
        { kind: 'handles' },
      );
  }

  #get(
    names: readonly (Handle | ShortId)[],
    receive: (found: NamedObjects) => Promise<void>,
    want?: Want,
    withdrawn = false,
  ): Promise<void> {
    this.requests++;
    return getByName(this.#options, this.#verifier, names, receive, want, withdrawn);
  }

  #count(changes: readonly Step[]): void {
    for (const { kind } of changes) kind === 'refresh' ? this.refreshed++ : this.learned++;
    roundProgress.publish({ source: this.#options.name, learned: this.learned, count: this.#state.count });
  }
}
