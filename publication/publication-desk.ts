import type { Keyring } from '../exchange/index.ts';
import { type Clock, failure, TaskQueue } from '../kernel/index.ts';
import { digestOf, encodeObject, type Oid, oidOf, provenanceBytes, verifier } from '../soif/index.ts';
import type { ObjectStore, StoreOperation } from '../store/index.ts';
import { publicationErrors } from './errors.ts';
import type { Publication } from './publication.ts';

export interface DeskOptions {
  readonly store: Pick<ObjectStore, 'apply' | 'describe'>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /**
   * Judges a verified publication before it is stored, and returns the time-to-live of its object in seconds. Throws
   * for one that this server does not take.
   */
  readonly admit: (publication: Publication) => number;
}

/** Effect of a publication. */
export interface Published {
  readonly oid: Oid;
  readonly outcome: 'stored' | 'refreshed';
}

/** Max seconds that a publisher's clock may be ahead. */
const maxAheadSeconds = 300;

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

  async #publish({ object, ...publication }: Publication): Promise<Published> {
    const { store, clock, admit } = this.#options;
    const { publisher, url, updatedAt, signature } = publication;
    const refused = (reason: string) => failure(publicationErrors.PUBLICATION_REFUSED, { url, reason });
    const oid = oidOf(publisher, url);
    const held = await store.describe(oid);
    if (object === undefined && held === undefined)
      throw refused('there is nothing to refresh, so send the object');
    const digest = object === undefined ? (held?.digest as Uint8Array) : digestOf(object);
    await this.#verify(publication, provenanceBytes(oid, digest, updatedAt));
    if (updatedAt > clock.now() / 1000 + maxAheadSeconds) throw refused('its Update-Time is in the future');
    if (held !== undefined && updatedAt <= held.updatedAt)
      throw refused('its Update-Time is not newer than that of the stored object');
    const ttlSeconds = admit({ ...publication, ...(object && { object }) });
    const operation: StoreOperation =
      object === undefined
        ? { kind: 'refresh', oid, updatedAt, signature }
        : {
            kind: 'put',
            object: { oid, digest, body: encodeObject(object), updatedAt, publisher, signature },
            ...{ url, ttlSeconds },
          };
    await this.#options.keyring.learn(publisher, publication.key);
    await store.apply([operation]);
    return { oid, outcome: object === undefined ? 'refreshed' : 'stored' };
  }

  /** Whether the signature and the key are those of the publisher. */
  async #verify({ publisher, url, key, signature }: Publication, bytes: Uint8Array): Promise<void> {
    const refused = (reason: string) => failure(publicationErrors.PUBLICATION_REFUSED, { url, reason });
    const known = await this.#options.keyring.keyOf(publisher);
    if (known !== undefined && Buffer.compare(known, key) !== 0)
      throw refused(`another key is known for server ${publisher}`);
    if (!verifier(key)(bytes, signature)) throw refused('the signature does not match');
  }
}
