import type { Keyring } from '../exchange/index.ts';
import { type Clock, failure, TaskQueue } from '../kernel/index.ts';
import {
  digestOf,
  encodeObject,
  type Oid,
  oidOf,
  provenanceBytes,
  verifier,
  withdrawalBytes,
} from '../soif/index.ts';
import type { ObjectStore, StoredObject, StoreOperation } from '../store/index.ts';
import { publicationErrors } from './errors.ts';
import type { Publication } from './publication.ts';

export interface DeskOptions {
  readonly store: Pick<ObjectStore, 'apply' | 'describe' | 'withdrawnAt'>;
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
  readonly outcome: 'stored' | 'refreshed' | 'withdrawn';
}

interface Step {
  readonly outcome: Published['outcome'];
  readonly signed: Uint8Array;
  /** The change of the store. Throws the errors of `admit`. */
  operation(): StoreOperation;
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

  async #publish(publication: Publication): Promise<Published> {
    const { store, clock, keyring } = this.#options;
    const { publisher, key, url, updatedAt } = publication;
    const refused = (reason: string) => failure(publicationErrors.PUBLICATION_REFUSED, { url, reason });
    const oid = oidOf(publisher, url);
    const held = await store.describe(oid);
    if (publication.object === undefined && held === undefined)
      throw refused('there is no such object here, so send the object');
    const step = this.#step(publication, oid, held);
    await this.#verify(publication, step.signed);
    if (updatedAt > clock.now() / 1000 + maxAheadSeconds) throw refused('its Update-Time is in the future');
    const last = Math.max(held?.updatedAt ?? 0, await store.withdrawnAt(oid));
    if (step.outcome === 'withdrawn' ? updatedAt < last : updatedAt <= last)
      throw refused('its Update-Time is not newer than the last one known here');
    const operation = step.operation();
    await keyring.learn(publisher, key);
    // A source may have sent a later version since the check above.
    const { changed, refreshed } = await store.apply([operation], { ifNewer: true });
    if (step.outcome !== 'withdrawn' && changed + refreshed === 0)
      throw refused('a later version came while it was being checked');
    return { oid, outcome: step.outcome };
  }

  /** What a publication does, and the bytes that its publisher must have signed for that. */
  #step(publication: Publication, oid: Oid, held: StoredObject | undefined): Step {
    const { publisher, url, updatedAt, signature, object, isWithdrawn } = publication;
    if (isWithdrawn === true) {
      const withdrawal = { publisher, updatedAt, signature };
      return {
        outcome: 'withdrawn',
        signed: withdrawalBytes(oid, updatedAt),
        operation: () => ({ kind: 'delete', oid, withdrawal }),
      };
    }
    const digest = object === undefined ? (held?.digest ?? new Uint8Array(32)) : digestOf(object);
    return {
      outcome: object === undefined ? 'refreshed' : 'stored',
      signed: provenanceBytes(oid, digest, updatedAt),
      operation: () => {
        const ttlSeconds = this.#options.admit(publication);
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
  async #verify({ publisher, url, key, signature }: Publication, bytes: Uint8Array): Promise<void> {
    const refused = (reason: string) => failure(publicationErrors.PUBLICATION_REFUSED, { url, reason });
    const known = await this.#options.keyring.keyOf(publisher);
    if (known !== undefined && Buffer.compare(known, key) !== 0)
      throw refused(`another key is known for server ${publisher}`);
    if (!verifier(key)(bytes, signature)) throw refused('the signature does not match');
  }
}
