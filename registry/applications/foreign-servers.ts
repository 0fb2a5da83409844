import type { Fetch } from '../../fetch/index.ts';
import { type Clock, Nap } from '../../kernel/index.ts';
import { type PublicationDesk, publicationOf } from '../../publication/index.ts';
import { decodeObject, type Identity } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { Directory, ListedServer } from '../directory.ts';
import { foreignServerSilent } from '../events.ts';

export interface ForeignServersOptions {
  readonly store: Pick<ObjectStore, 'get'>;
  readonly directory: Pick<Directory, 'list' | 'row' | 'onChange' | 'upToDate'>;
  readonly desk: Pick<PublicationDesk, 'publish'>;
  readonly identity: Identity;
  /** Strangers named the addresses, so this client refuses private ones. */
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** Max time between two looks for servers whose renewal is due; one that did not answer is asked again then. */
const lookMs = 3_600_000;
const maxAnswerBytes = 64 * 1024;

/** Asks approved servers at once, and renews their leases while they answer; the lease of a silent one ends. */
export class ForeignServers implements AsyncDisposable {
  readonly #options: ForeignServersOptions;
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;

  constructor(options: ForeignServersOptions) {
    this.#options = options;
    this.#done = this.#keep();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#done;
  }

  async #keep(): Promise<void> {
    const { signal } = this.#abort;
    const { clock, directory } = this.#options;
    const nap = new Nap(clock, signal);
    let isNew = false;
    const stop = directory.onChange((described) => {
      if (![...described].some((id) => directory.row(id)?.unreached === true)) return;
      isNew = true;
      nap.wake();
    });
    signal.addEventListener('abort', stop, { once: true });
    while (!signal.aborted) {
      // One may have come while others were asked.
      if (!isNew) await nap.sleep(lookMs);
      isNew = false;
      await directory.upToDate();
      for (const server of this.#due()) {
        if (signal.aborted) return;
        await this.#renew(server).catch((error) => {
          if (!signal.aborted) foreignServerSilent.publish({ url: server.url, error });
        });
      }
    }
  }

  #due(): readonly ListedServer[] {
    const { directory, identity, clock } = this.#options;
    const now = clock.now() / 1000;
    const all = directory.list();
    const registered = new Set(all.filter(({ unsigned }) => unsigned !== true).map(({ url }) => url));
    return all.filter(
      ({ unsigned, serverId, url, updatedAt, refreshSeconds, unreached }) =>
        unsigned === true &&
        serverId === identity.serverId &&
        // A server that came to register itself is no longer described by others.
        !registered.has(url) &&
        (unreached === true || now >= updatedAt + refreshSeconds),
    );
  }

  /** Renew the lease of a server that answers. Throws FETCH_* for one that does not. */
  async #renew({ id, url, updatedAt: last }: ListedServer): Promise<void> {
    const { fetch, store, desk, identity, clock } = this.#options;
    const { signal } = this.#abort;
    // Any answer shows that the server is there; the content is not looked at.
    await (await fetch({ url, redirect: 'manual', maxBytes: maxAnswerBytes, signal }))[Symbol.asyncDispose]();
    const stored = await store.get(id);
    if (stored === undefined) return;
    // It may answer in the second in which it was listed.
    const updatedAt = Math.max(Math.floor(clock.now() / 1000), last + 1);
    const object = decodeObject(stored.body);
    await desk.publish(publicationOf(identity, object, { updatedAt, isUnchanged: true }));
  }
}
