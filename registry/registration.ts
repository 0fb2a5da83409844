import type { Fetch } from '../fetch/index.ts';
import { type Clock, Nap } from '../kernel/index.ts';
import { publicationOf, publish, withdrawalOf } from '../publication/index.ts';
import { digestOf, type Identity } from '../soif/index.ts';
import { descriptionObject, type ServerDescription } from './description.ts';
import { registrationFailed } from './events.ts';

export interface RegistrationOptions {
  readonly identity: Identity;
  /** The address of each Registry. */
  readonly registries: readonly string[];
  /** What this server is now. */
  readonly describe: () => ServerDescription | Promise<ServerDescription>;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

const firstRetryMs = 1000;

/** Changes of this time are sent together. */
const settleMs = 1000;

/** Max time for the withdrawal of a server that ends; a Registry that does not answer removes it by its lease. */
const farewellMs = 2000;

/** What a Registry took last. */
interface Sent {
  readonly url: string;
  readonly digest: string;
  readonly updatedAt: number;
}

/** Keeps one server listed at its Registries: registers it, renews its lease, sends what changed, and withdraws it. */
export class Registration implements AsyncDisposable {
  readonly #options: RegistrationOptions;
  readonly #abort = new AbortController();
  readonly #loops: readonly Promise<void>[];
  /** The sleep of each loop whose Registry has the last description. */
  readonly #resting = new Set<Nap>();
  #settling: Promise<void> | undefined;
  /** Number of changes that were reported. */
  #changes = 0;

  constructor(options: RegistrationOptions) {
    this.#options = options;
    this.#loops = options.registries.map((registry) => this.#keep(registry));
  }

  /** Part of the description has changed that others should see soon: send it in a second, not at the renewal. */
  changed(): void {
    const { clock } = this.#options;
    const { signal } = this.#abort;
    this.#settling ??= clock
      .sleep(settleMs, signal)
      .catch(() => undefined)
      .then(() => {
        this.#settling = undefined;
        this.#changes++;
        for (const nap of this.#resting) nap.wake();
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await Promise.all([...this.#loops, this.#settling]);
  }

  async #keep(registry: string): Promise<void> {
    const { signal } = this.#abort;
    const nap = new Nap(this.#options.clock, signal);
    let sent: Sent | undefined;
    let retryMs = firstRetryMs;
    let wholeMs = firstRetryMs;
    let renewAt = 0;
    while (!signal.aborted) {
      try {
        const changes = this.#changes;
        const description = await this.#options.describe();
        wholeMs = description.refreshSeconds * 1000;
        sent = await this.#send(registry, description, sent);
        retryMs = firstRetryMs;
        if (changes !== this.#changes) continue;
        const now = this.#options.clock.now();
        // What is sent between two renewals does not put off the next one.
        if (now >= renewAt || renewAt > now + wholeMs) renewAt = now + wholeMs;
        this.#resting.add(nap);
        await nap.sleep(renewAt - now);
        this.#resting.delete(nap);
      } catch (error) {
        if (signal.aborted) break;
        registrationFailed.publish({ registry, error });
        // A Registry that lost its store has no object to refresh.
        sent = undefined;
        await nap.sleep(retryMs);
        retryMs = Math.min(2 * retryMs, wholeMs);
      }
    }
    if (sent !== undefined) await this.#withdraw(registry, sent);
  }

  /** Sign off at a Registry. Nobody waits for one that does not answer. */
  async #withdraw(registry: string, { url, updatedAt }: Sent): Promise<void> {
    const { identity, fetch, clock } = this.#options;
    const end = new AbortController();
    const timer = new AbortController();
    const waiting = clock.sleep(farewellMs, timer.signal).then(
      () => end.abort(),
      () => undefined,
    );
    try {
      // The time is that of what is withdrawn, so that a server that starts again at once is newer.
      await publish(registry, withdrawalOf(identity, url, updatedAt), { fetch, signal: end.signal });
    } catch (error) {
      registrationFailed.publish({ registry, error });
    } finally {
      timer.abort();
      await waiting;
    }
  }

  /** Send the description, or only a refresh where it is the one `sent` before. Returns what was taken. */
  async #send(registry: string, description: ServerDescription, sent: Sent | undefined): Promise<Sent> {
    const { identity, fetch, clock } = this.#options;
    // A Registry refuses what is not newer, and a change may follow a renewal in the same second.
    const updatedAt = Math.max(Math.floor(clock.now() / 1000), (sent?.updatedAt ?? 0) + 1);
    const object = descriptionObject(description, updatedAt);
    const digest = Buffer.from(digestOf(object)).toString('base64url');
    const publication = publicationOf(identity, object, { updatedAt, isUnchanged: sent?.digest === digest });
    await publish(registry, publication, { fetch, signal: this.#abort.signal });
    return { url: object.url, digest, updatedAt };
  }
}
