import { TokenBucket } from '../fetch/index.ts';
import { type Clock, RecentMap } from '../kernel/index.ts';

const minute = 60;
/** Reports of one client a minute, and of all clients. */
const perClient = 4;
const perMinute = 12;
const maxClients = 4096;

/**
 * Reports refused publications, so few that strangers cannot fill a log or push other entries out of it. Refusals that
 * are not reported are counted, and the next report has their number.
 */
export class RefusalReports {
  readonly #clock: Clock;
  readonly #write: (note: string) => void;
  readonly #clients = new RecentMap<string, TokenBucket>(maxClients);
  readonly #all: TokenBucket;
  #unreported = 0;

  constructor({ clock, write }: { readonly clock: Clock; readonly write: (note: string) => void }) {
    this.#clock = clock;
    this.#write = write;
    this.#all = this.#bucket(perMinute);
  }

  report(client: string, note: string): void {
    const own = this.#clients.get(client) ?? this.#bucket(perClient);
    this.#clients.set(client, own);
    if (own.debtMs > 0 || this.#all.debtMs > 0) {
      this.#unreported++;
      return;
    }
    own.take();
    this.#all.take();
    const more = this.#unreported === 0 ? '' : `; ${this.#unreported} more were refused before it`;
    this.#unreported = 0;
    this.#write(`${note.slice(0, 400)}${more}`);
  }

  #bucket(count: number): TokenBucket {
    return new TokenBucket({ clock: this.#clock, perSecond: count / minute, burst: count });
  }
}
