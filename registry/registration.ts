import type { Fetch } from '../fetch/index.ts';
import { type Clock, Nap } from '../kernel/index.ts';
import { publicationOf, publish } from '../publication/index.ts';
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

/** Keeps one server listed at its Registries: registers it, renews its lease, and sends what changed. */
export class Registration implements AsyncDisposable {
  readonly #options: RegistrationOptions;
  readonly #abort = new AbortController();
  readonly #loops: readonly Promise<void>[];

  constructor(options: RegistrationOptions) {
    this.#options = options;
    this.#loops = options.registries.map((registry) => this.#keep(registry));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#loops);
  }

  async #keep(registry: string): Promise<void> {
    const { signal } = this.#abort;
    const nap = new Nap(this.#options.clock, signal);
    let sent: string | undefined;
    let retryMs = firstRetryMs;
    while (!signal.aborted) {
      const description = await this.#options.describe();
      const wholeMs = description.refreshSeconds * 1000;
      try {
        sent = await this.#send(registry, description, sent);
        retryMs = firstRetryMs;
        await nap.sleep(wholeMs);
      } catch (error) {
        if (signal.aborted) return;
        registrationFailed.publish({ registry, error });
        // A Registry that lost its store has no object to refresh.
        sent = undefined;
        await nap.sleep(retryMs);
        retryMs = Math.min(2 * retryMs, wholeMs);
      }
    }
  }

  /** Send the description, or only a refresh where it is the one `sent` before. Returns what identifies it. */
  async #send(registry: string, description: ServerDescription, sent: string | undefined): Promise<string> {
    const { identity, fetch, clock } = this.#options;
    const updatedAt = Math.floor(clock.now() / 1000);
    const object = descriptionObject(description, updatedAt);
    const digest = Buffer.from(digestOf(object)).toString('base64url');
    const publication = publicationOf(identity, object, { updatedAt, isUnchanged: sent === digest });
    await publish(registry, publication, { fetch, signal: this.#abort.signal });
    return digest;
  }
}
