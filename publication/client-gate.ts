import { TokenBucket } from '../fetch/index.ts';
import { ClientSlots, type Clock, failure, RecentMap } from '../kernel/index.ts';
import { publicationErrors } from './errors.ts';

/** Clients that are remembered, about 100 bytes each; one that is forgotten starts again with a full burst. */
const maxClients = 4096;
/** Publications of one client that wait or are verified at once, and of all clients. */
const slotLimits = { max: 64, perClient: 8 };
/** A client may send what it gets in this time at once. */
const burstSeconds = 10;

/** Bounds what each client network may send: a rate, and a number at once. */
export class ClientGate {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #buckets = new RecentMap<string, TokenBucket>(maxClients);
  readonly #slots = new ClientSlots(slotLimits);

  constructor({ clock, perSecond }: { readonly clock: Clock; readonly perSecond: number }) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Do the work of a client. Throws PUBLICATION_RATE and PUBLICATION_BUSY in its place. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const bucket = this.#bucket(name);
    const { debtMs } = bucket;
    if (debtMs > 0)
      throw failure(publicationErrors.PUBLICATION_RATE, { retrySeconds: Math.ceil(debtMs / 1000) });
    bucket.take();
    const slot = this.#slots.enter(name);
    if (typeof slot === 'string') throw failure(publicationErrors.PUBLICATION_BUSY, { retrySeconds: 1 });
    using _slot = slot;
    return await work();
  }

  #bucket(name: string): TokenBucket {
    const known = this.#buckets.get(name);
    if (known !== undefined) return known;
    const [clock, perSecond] = [this.#clock, this.#perSecond];
    const bucket = new TokenBucket({ clock, perSecond, burst: perSecond * burstSeconds });
    this.#buckets.set(name, bucket);
    return bucket;
  }
}
