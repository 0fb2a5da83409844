import { answerVerbs, type PushNews, pushChanges, type Verb } from '../../exchange/index.ts';
import { type Clock, GarnerError, type Random } from '../../kernel/index.ts';
import type { DataFolder } from '../../store/index.ts';
import { connect, type WireLimits } from '../../wire/index.ts';

/** Status of one Broker that changes are pushed to. */
export interface PushLinkStatus {
  readonly url: string;
  /** The Broker's name; null until it was first reached. */
  readonly name: string | null;
  readonly state: 'connecting' | 'connected' | 'down';
  /** Everything up to this LSN has been pushed since this Gatherer was started. */
  readonly lsn: number | null;
  /** Time of that push, in seconds since 1970. */
  readonly at: number | null;
  /** The last error, until a push succeeds. */
  readonly error: string | null;
  /** The cure of the error. */
  readonly hint: string | null;
}

/** The state of pushing to a Broker, for people. */
export function pushedWords({ lsn, at }: Pick<PushLinkStatus, 'lsn' | 'at'>): string {
  if (lsn === null || at === null) return 'nothing pushed yet';
  return `pushed to LSN ${lsn} (${new Date(at * 1000).toISOString()})`;
}

export interface PushLinksOptions {
  /** Addresses of the Brokers, normalised. */
  readonly brokers: readonly string[];
  /** The pushed store, and the identity of this server. */
  readonly folder: Pick<DataFolder, 'store' | 'identity'>;
  /** The verbs that a Broker may call over the session: those of a source. */
  readonly verbs: Readonly<Record<string, Verb>>;
  /** The name of this Gatherer. */
  readonly name: string;
  /** Sent to a Broker that requires one. */
  readonly token?: string;
  readonly limits?: Partial<WireLimits>;
  readonly clock: Clock;
  readonly random: Random;
}

interface Link {
  status: PushLinkStatus;
}

const unexpectedHint = 'see the log of this Gatherer';

/** Sessions to the Brokers that a Gatherer pushes every change to, until this is disposed. */
export class PushLinks implements AsyncDisposable {
  readonly #options: PushLinksOptions;
  readonly #links: readonly Link[];
  readonly #abort = new AbortController();
  #done: Promise<unknown> = Promise.resolve();

  constructor(options: PushLinksOptions) {
    this.#options = options;
    this.#links = options.brokers.map((url) => ({
      status: { url, name: null, state: 'connecting', lsn: null, at: null, error: null, hint: null },
    }));
  }

  /** Start pushing. */
  start(): void {
    this.#done = Promise.all(this.#links.map((link) => this.#push(link)));
  }

  get status(): readonly PushLinkStatus[] {
    return this.#links.map(({ status }) => status);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#done;
  }

  #push(link: Link): Promise<void> {
    const { folder, verbs, name, token, limits, clock, random } = this.#options;
    const { store, identity } = folder;
    const { url } = link.status;
    return pushChanges({
      ...{ source: store, self: identity, client: url, clock, random, signal: this.#abort.signal },
      open: (signal) =>
        connect({
          ...{ url, identity, name, role: 'gatherer', clock, random, signal },
          ...(token === undefined ? {} : { token }),
          ...(limits === undefined ? {} : { limits }),
          onChannel: answerVerbs(verbs),
        }),
      onNews: (news) => this.#note(link, news),
    });
  }

  #note(link: Link, news: PushNews): void {
    const { status } = link;
    if (news.kind === 'connected') link.status = { ...status, state: 'connected', name: news.peer.name };
    else if (news.kind === 'pushed') {
      const at = Math.floor(this.#options.clock.now() / 1000);
      link.status = { ...status, lsn: news.lsn, at, error: null, hint: null };
    } else if (news.error === undefined) link.status = { ...status, state: 'connecting' };
    else {
      const { error } = news;
      const [message, hint] =
        error instanceof GarnerError ? [error.message, error.hint] : [String(error), unexpectedHint];
      link.status = { ...status, state: 'down', error: message, hint };
    }
  }
}
