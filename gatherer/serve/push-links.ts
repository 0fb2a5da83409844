import { answerVerbs, type PushNews, pushChanges, type Verb } from '../../exchange/index.ts';
import { type Clock, GarnerError, type Random } from '../../kernel/index.ts';
import type { DataFolder } from '../../store/index.ts';
import { connect, type WireLimits } from '../../wire/index.ts';

/** How it stands with one Broker that is told of changes. */
export interface PushLinkStatus {
  readonly url: string;
  /** As the Broker calls itself; null until it was first reached. */
  readonly name: string | null;
  readonly state: 'connecting' | 'connected' | 'down';
  /** Everything up to this LSN has been pushed since this Gatherer was started. */
  readonly lsn: number | null;
  /** When that was, in seconds since 1970. */
  readonly at: number | null;
  /** What last went wrong, until a push succeeds. */
  readonly error: string | null;
  /** What to do about it. */
  readonly hint: string | null;
}

/** How far a Broker has been told, for people. */
export function pushedWords({ lsn, at }: Pick<PushLinkStatus, 'lsn' | 'at'>): string {
  if (lsn === null || at === null) return 'nothing pushed yet';
  return `pushed to LSN ${lsn} (${new Date(at * 1000).toISOString()})`;
}

export interface PushLinksOptions {
  /** Addresses of the Brokers, normalised. */
  readonly brokers: readonly string[];
  /** Whose store is pushed, and as whom. */
  readonly folder: Pick<DataFolder, 'store' | 'identity'>;
  /** What a Broker may ask over the session: the verbs of a source. */
  readonly verbs: Readonly<Record<string, Verb>>;
  /** What this Gatherer is called. */
  readonly name: string;
  /** Shown to a Broker that asks for one. */
  readonly token?: string;
  readonly limits?: Partial<WireLimits>;
  readonly clock: Clock;
  readonly random: Random;
}

interface Link {
  status: PushLinkStatus;
}

const unexpectedHint = 'see the log of this Gatherer';

/** Sessions to the Brokers that a Gatherer pushes to; each is told of every change until this is disposed. */
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

  /** Begin to push. */
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
