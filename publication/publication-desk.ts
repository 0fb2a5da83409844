import type { Keyring } from '../exchange/index.ts';
import { type Clock, failure, isGarnerError, TaskQueue } from '../kernel/index.ts';
import {
  applyDelta,
  decodeObject,
  digestOf,
  encodeObject,
  type Oid,
  oidOf,
  provenanceBytes,
  type ServerId,
  verifier,
  withdrawalBytes,
} from '../soif/index.ts';
import type { ObjectStore, StoredObject, StoreOperation } from '../store/index.ts';
import { publicationErrors } from './errors.ts';
import type { Publication } from './publication.ts';

export interface DeskOptions {
  readonly store: Pick<ObjectStore, 'apply' | 'describe' | 'get' | 'withdrawnAt'>;
  readonly keyring: Pick<Keyring, 'keyOf' | 'learn' | 'succeed'>;
  readonly clock: Clock;
  /**
   * Judges a verified publication before it is stored, and returns the time-to-live of its object in seconds. Throws
   * for one that this server does not take.
   */
  readonly admit: (publication: Publication) => number | Promise<number>;
  /** Max age of the Update-Time of what is not a withdrawal; any when absent. */
  readonly maxAgeSeconds?: number;
  /** Other publishers of a URL, to recognise a copy of what they signed. */
  readonly publishersOf?: (url: string) => Iterable<ServerId>;
}

/** Effect of a publication. */
export interface Published {
  readonly oid: Oid;
  readonly outcome: 'stored' | 'refreshed' | 'withdrawn';
}

interface Step {
  readonly outcome: Published['outcome'];
  /** The bytes that the publisher must have signed for it, or another publisher of the same URL. */
  signedBy(oid: Oid): Uint8Array;
  /** The change of the store. Throws the errors of `admit`. */
  operation(): Promise<StoreOperation>;
}

/** Max seconds that a publisher's clock may be ahead. */
const maxAheadSeconds = 300;

/** Max bytes of an object that a change makes: its sender is not verified before it is made. */
const maxChangedBytes = 1024 * 1024;

/** Other publishers of a URL whose signature is tried. */
const maxOthers = 4;

const otherKey = (publisher: ServerId) => `another key is known for server ${publisher}`;

/** Takes signed objects from publishers without a wire session, such as those of `POST /publish`. */
export class PublicationDesk {
  readonly #options: DeskOptions;
  // One at a time: a check of what is stored and the write that depends on it are one step.
  readonly #queue = new TaskQueue();

  constructor(options: DeskOptions) {
    this.#options = options;
  }

  /**
   * Verify a publication and store it. Throws PUBLICATION_REFUSED for a signature, key or time that does not hold,
   * and the errors of `admit`.
   */
  publish(publication: Publication): Promise<Published> {
    return this.#queue.run(() => this.#publish(publication));
  }

  async #publish(given: Publication): Promise<Published> {
    const { store, clock, keyring, maxAgeSeconds = Number.POSITIVE_INFINITY } = this.#options;
    const publication = given.delta === undefined ? given : await this.#whole(given, given.delta);
    const { publisher, key, url, updatedAt } = publication;
    const refused = (reason: string) => failure(publicationErrors.PUBLICATION_REFUSED, { url, reason });
    const oid = oidOf(publisher, url);
    const held = await store.describe(oid);
    if (publication.object === undefined && held === undefined)
      throw refused('there is no such object here, so send the object');
    const { succession } = publication;
    // Links hold by their own signatures, whatever comes with them.
    const follow = () => succession && keyring.succeed?.(publisher, succession);
    const outcome = await follow();
    if (outcome === 'rival') throw refused('it shows another successor of a key than the one known here');
    const step = this.#step(publication, oid, held);
    await this.#verify(publication, step);
    const now = clock.now() / 1000;
    if (updatedAt > now + maxAheadSeconds) throw refused('its Update-Time is in the future');
    if (step.outcome !== 'withdrawn' && updatedAt < now - maxAgeSeconds)
      throw refused(`its Update-Time is more than ${maxAgeSeconds} seconds old`);
    const stale = refused('its Update-Time is not newer than the last one known here');
    if (!isNext(publication, held, await store.withdrawnAt(oid))) throw stale;
    const operation = await step.operation();
    // Another key may have followed since the check above.
    if (!(await keyring.learn(publisher, key))) throw refused(otherKey(publisher));
    // Of a server whose key was unknown.
    if (outcome === 'foreign') await follow();
    // A source may have sent a later version since the check above.
    const { changed, refreshed, deleted } = await store.apply([operation], { ifNewer: true });
    if (changed + refreshed + deleted === 0) throw stale;
    return { oid, outcome: step.outcome };
  }

  /** The publication with the object that its change makes of the stored one. The signature covers the result. */
  async #whole({ delta: _, ...publication }: Publication, delta: Uint8Array): Promise<Publication> {
    const { publisher, url } = publication;
    const held = await this.#options.store.get(oidOf(publisher, url));
    try {
      if (held !== undefined)
        return { ...publication, object: decodeObject(applyDelta(held.body, delta, maxChangedBytes)) };
    } catch (error) {
      if (!isGarnerError(error)) throw error;
    }
    const reason = 'its change does not fit an object here, so send the object';
    throw failure(publicationErrors.PUBLICATION_REFUSED, { url, reason });
  }

  /** What a publication does, and the bytes that its publisher must have signed for that. */
  #step(publication: Publication, oid: Oid, held: StoredObject | undefined): Step {
    const { publisher, url, updatedAt, signature, object, isWithdrawn } = publication;
    if (isWithdrawn === true) {
      const withdrawal = { publisher, updatedAt, signature };
      return {
        outcome: 'withdrawn',
        signedBy: (signed) => withdrawalBytes(signed, updatedAt),
        operation: async () => ({ kind: 'delete', oid, withdrawal }),
      };
    }
    const digest = object === undefined ? (held?.digest ?? new Uint8Array(32)) : digestOf(object);
    return {
      outcome: object === undefined ? 'refreshed' : 'stored',
      signedBy: (signed) => provenanceBytes(signed, digest, updatedAt),
      operation: async () => {
        const ttlSeconds = await this.#options.admit(publication);
        if (object === undefined) return { kind: 'refresh', oid, updatedAt, signature, digest };
        const body = encodeObject(object);
        return {
          ...{ kind: 'put', url, ttlSeconds },
          object: { oid, digest, body, updatedAt, publisher, signature },
        };
      },
    };
  }

  /** Whether the signature and the key are those of the publisher. */
  async #verify({ publisher, url, key, signature }: Publication, { signedBy }: Step): Promise<void> {
    const { keyring, publishersOf } = this.#options;
    const refused = (reason: string) => failure(publicationErrors.PUBLICATION_REFUSED, { url, reason });
    const known = await keyring.keyOf(publisher);
    if (known !== undefined && Buffer.compare(known, key) !== 0) throw refused(otherKey(publisher));
    if (verifier(known ?? key)(signedBy(oidOf(publisher, url)), signature)) return;
    let tried = 0;
    for (const other of publishersOf?.(url) ?? []) {
      if (++tried > maxOthers) break;
      const otherKey = await keyring.keyOf(other);
      if (otherKey !== undefined && verifier(otherKey)(signedBy(oidOf(other, url)), signature))
        throw refused(`it is copied from server ${other}, which signed it`);
    }
    throw refused('the signature does not match');
  }
}

/** Whether a publication follows what is held; a withdrawal may be of the very version. */
function isNext(
  { updatedAt, isWithdrawn, object }: Publication,
  held: StoredObject | undefined,
  withdrawnAt: number,
): boolean {
  const last = Math.max(held?.updatedAt ?? 0, withdrawnAt);
  if (isWithdrawn === true) return held !== undefined && updatedAt >= last;
  return updatedAt > last && (object !== undefined || held !== undefined);
}
