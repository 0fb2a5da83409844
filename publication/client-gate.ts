import { TokenBucket } from '../fetch/index.ts';
import { type Clock, failure, RecentMap } from '../kernel/index.ts';
import { publicationErrors } from './errors.ts';

interface Client {
  readonly bucket: TokenBucket;
  open: number;
}

/** Clients that are remembered, about 100 bytes each; one that is forgotten starts again with a full burst. */
const maxClients = 4096;
/** Publications of one client that wait or are verified at once, and of all clients. */
const clientSlots = 8;
const slots = 64;
/** A client may send what it gets in this time at once. */
const burstSeconds = 10;

/** Bounds what each client network may send: a rate, and a number at once. */
export class ClientGate {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #clients = new RecentMap<string, Client>(maxClients);
  #open = 0;

  constructor({ clock, perSecond }: { readonly clock: Clock; readonly perSecond: number }) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Do the work of a client. Throws PUBLICATION_RATE and PUBLICATION_BUSY in its place. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const client = this.#client(name);
    const { debtMs } = client.bucket;
    if (debtMs > 0)
      throw failure(publicationErrors.PUBLICATION_RATE, { retrySeconds: Math.ceil(debtMs / 1000) });
    client.bucket.take();
    if (client.open >= clientSlots || this.#open >= slots)
      throw failure(publicationErrors.PUBLICATION_BUSY, { retrySeconds: 1 });
    client.open++;
    this.#open++;
    try {
      return await work();
    } finally {
      client.open--;
      this.#open--;
    }
  }

  #client(name: string): Client {
    const known = this.#clients.get(name);
    if (known !== undefined) return known;
    const [clock, perSecond] = [this.#clock, this.#perSecond];
    const client = {
      bucket: new TokenBucket({ clock, perSecond, burst: perSecond * burstSeconds }),
      open: 0,
    };
    this.#clients.set(name, client);
    return client;
  }
}
