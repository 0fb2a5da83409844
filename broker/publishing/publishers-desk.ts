import type { Keyring } from '../../exchange/index.ts';
import { type Caller, httpErrors, type RouteRequest } from '../../http/index.ts';
import { type Clock, failure, isGarnerError, TaskQueue } from '../../kernel/index.ts';
import {
  type Publication,
  PublicationDesk,
  type PublicationTaker,
  type Published,
  publicationErrors,
  publicationOf,
  type UnsignedPublication,
  withdrawalOf,
} from '../../publication/index.ts';
import {
  Attributes,
  attributeNumber,
  attributeText,
  decodeObject,
  digestOf,
  type Identity,
  oidOf,
} from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { BlockList } from '../collecting/index.ts';
import type { PublicationLedger } from './publication-ledger.ts';
import { isBelow, type Publisher } from './publishers.ts';

export interface PublishersDeskOptions {
  readonly store: Pick<ObjectStore, 'apply' | 'describe' | 'withdrawnAt' | 'get' | 'defaultTtlSeconds'>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Signs what a token publishes. */
  readonly identity: Identity;
  readonly blocks: Pick<BlockList, 'unlessBlocked'>;
  readonly publishers: readonly Publisher[];
  readonly ledger: PublicationLedger;
  /** Max objects of each publisher. */
  readonly maxDocuments: number;
  /** The caller of a request with a write token. Throws HTTP_TOKEN_NEEDED, HTTP_FORBIDDEN, HTTP_GUESSING. */
  readonly writer: (request: Pick<RouteRequest, 'headers' | 'client'>) => Promise<Caller>;
  /** Records a publication that was refused. */
  readonly refused: (about: { readonly who: string | undefined; readonly note: string }) => void;
}

/** Max lifetime of a published object. */
const maxTtlSeconds = 366 * 86_400;

const recorded = [
  publicationErrors.PUBLICATION_REFUSED,
  httpErrors.HTTP_TOKEN_NEEDED,
  httpErrors.HTTP_FORBIDDEN,
];

const refusal = (url: string, reason: string) =>
  failure(publicationErrors.PUBLICATION_REFUSED, { url: url.slice(0, 300), reason });

/** Takes objects of known publishers at a Broker, each below the URL prefixes of its publisher. */
export class PublishersDesk implements PublicationTaker {
  readonly #options: PublishersDeskOptions;
  readonly #desk: PublicationDesk;
  readonly #publishers: ReadonlyMap<string, Publisher>;
  // One at a time, so that the number of objects and the Update-Time hold until the write.
  readonly #queue = new TaskQueue();

  constructor(options: PublishersDeskOptions) {
    this.#options = options;
    const { store, keyring, clock, publishers } = options;
    this.#publishers = new Map(
      publishers.map((publisher) => [publisher.server?.id ?? publisher.name, publisher]),
    );
    this.#desk = new PublicationDesk({
      store,
      keyring,
      clock,
      admit: (publication) => this.#ttlOf(publication),
    });
  }

  /** Publish what a listed server has signed. Throws PUBLICATION_REFUSED. */
  publish(publication: Publication): Promise<Published> {
    const { publisher: id, url, key } = publication;
    return this.#recorded(id, async () => {
      const publisher = this.#publishers.get(id);
      if (publisher?.server === undefined) throw refusal(url, `server ${id} is no publisher of this Broker`);
      if (Buffer.from(key).toString('base64url') !== publisher.server.key)
        throw refusal(url, `another key is listed for server ${id}`);
      this.#check(publisher, url);
      return this.#queue.run(() => this.#store(publisher, publication));
    });
  }

  /** Publish objects under this Broker's identity, for a token. The first one that is refused ends it. */
  async publishUnsigned(
    objects: readonly UnsignedPublication[],
    request: Pick<RouteRequest, 'headers' | 'client'>,
  ): Promise<readonly (Published & { readonly url: string })[]> {
    const caller = await this.#recorded(undefined, () => this.#options.writer(request));
    return this.#recorded(caller.name, async () => {
      const publisher = this.#publishers.get(caller.name);
      // Nothing is stored when any of them is outside.
      for (const { object } of objects) {
        if (publisher === undefined || publisher.server !== undefined)
          throw refusal(object.url, `the token ${caller.name} is no publisher of this Broker`);
        this.#check(publisher, object.url);
      }
      const published: (Published & { readonly url: string })[] = [];
      for (const unsigned of objects) {
        const { url } = unsigned.object;
        const done = await this.#queue.run(async () =>
          this.#store(publisher as Publisher, await this.#signed(unsigned)),
        );
        published.push({ url, ...done });
      }
      return published;
    });
  }

  #check({ name, isBlocked, prefixes }: Publisher, url: string): void {
    if (isBlocked) throw refusal(url, `publisher ${name} is blocked`);
    if (!prefixes.some((prefix) => isBelow(url, prefix)))
      throw refusal(url, `it is outside the URL prefixes of publisher ${name}`);
  }

  /** The publication of an object in the name of this Broker, later than the one before. */
  async #signed({ kind, object }: UnsignedPublication): Promise<Publication> {
    const { store, identity, clock } = this.#options;
    const { url } = object;
    const oid = oidOf(identity.serverId, url);
    const last = Math.max((await store.describe(oid))?.updatedAt ?? 0, await store.withdrawnAt(oid));
    const updatedAt = Math.max(Math.floor(clock.now() / 1000), last + 1);
    if (kind === 'withdraw') return withdrawalOf(identity, url, updatedAt);
    if (kind === 'put') return publicationOf(identity, object, { updatedAt });
    const held = await store.get(oid);
    const known = held === undefined ? object : decodeObject(held.body);
    return publicationOf(identity, known, { updatedAt, isUnchanged: true });
  }

  async #store(publisher: Publisher, publication: Publication): Promise<Published> {
    const { ledger, maxDocuments, blocks } = this.#options;
    const { publisher: id, url, object, isWithdrawn } = publication;
    const oid = oidOf(id, url);
    if (object === undefined) {
      const done = await this.#desk.publish(publication);
      if (isWithdrawn) await ledger.forget(oid);
      return done;
    }
    if (!(await ledger.hasRoom(oid, publisher.name, maxDocuments)))
      throw refusal(
        url,
        `publisher ${publisher.name} has ${maxDocuments} objects here, which is the maximum`,
      );
    const done = await blocks.unlessBlocked(oid, digestOf(object), () => this.#desk.publish(publication));
    if (done === undefined) throw refusal(url, 'an administrator has deleted it');
    await ledger.note(oid, publisher.name);
    return done;
  }

  #ttlOf({ url, object }: Publication): number {
    if (object === undefined) return 0;
    if (object.attributes.length === 0) throw refusal(url, 'it has no attributes');
    if (attributeText(object, Attributes.timeToLive) === undefined)
      return this.#options.store.defaultTtlSeconds;
    const seconds = attributeNumber(object, Attributes.timeToLive);
    if (seconds === undefined || seconds < 1) throw refusal(url, 'its Time-to-Live is no number of seconds');
    if (seconds > maxTtlSeconds) throw refusal(url, 'its Time-to-Live is more than 366 days');
    return seconds;
  }

  /** The work; a refusal is recorded. */
  async #recorded<Result>(who: string | undefined, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const kind = recorded.find((one) => isGarnerError(error, one));
      if (kind !== undefined && isGarnerError(error))
        this.#options.refused({ who, note: `${error.code}: ${error.message}` });
      throw error;
    }
  }
}
