import { type Fetch, retryAfterMs } from '../fetch/index.ts';
import { alarm, type Clock, failure, isGarnerError, Nap, type Random } from '../kernel/index.ts';
import {
  type PublicationFailure,
  publicationErrors,
  publicationOf,
  publish,
  withdrawalOf,
} from '../publication/index.ts';
import { digestOf, type Identity, type SummaryObject } from '../soif/index.ts';
import { descriptionObject, type ServerDescription } from './descriptions/index.ts';
import { registryErrors } from './errors.ts';
import { registrationFailed } from './events.ts';

export interface RegistrationOptions {
  readonly identity: Identity;
  /** The address of each Registry. */
  readonly registries: readonly string[];
  /** What this server is now. */
  readonly describe: () => ServerDescription | Promise<ServerDescription>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly random: Random;
}

const firstRetryMs = 1000;

/** Changes of this time are sent together. */
const settleMs = 1000;
/** The longest Retry-After that is obeyed. */
const maxDemandedMs = 3_600_000;

/** Part of the time between two renewals that is chance: servers that began together do not stay together. */
const renewalChance = 0.1;

/** Max time for the withdrawal of a server that ends; a Registry that does not answer removes it by its lease. */
const farewellMs = 2000;

/** One message to a Registry. */
interface Sent {
  readonly object: SummaryObject;
  readonly digest: string;
  readonly updatedAt: number;
}

/** The refusing answer of a Registry; undefined where none came. */
const refusalIn = (error: unknown): PublicationFailure | undefined =>
  isGarnerError(error, publicationErrors.PUBLICATION_FAILED) ? (error.data as PublicationFailure) : undefined;

/** A server without the path of registrations is not a Registry: the error says that, and not what was refused. */
const strangeOr = (error: unknown, address: string): unknown =>
  refusalIn(error)?.status === 404
    ? failure(registryErrors.REGISTRY_REMOTE, { address, why: 'another server listens there' }, error)
    : error;

function sentAt(description: ServerDescription, updatedAt: number): Sent {
  const object = descriptionObject(description, updatedAt);
  return { object, digest: Buffer.from(digestOf(object)).toString('base64url'), updatedAt };
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
  /** The last Update-Time. Registries may pass statements on, so that no two of them are sent with the same one. */
  #lastSecond = 0;

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
    const { clock, random, describe } = this.#options;
    const nap = new Nap(clock, signal);
    /** What the Registry has. */
    let taken: Sent | undefined;
    /** What it may have: the answer may be lost. */
    let attempted: Sent | undefined;
    let retryMs = firstRetryMs;
    let wholeMs = firstRetryMs;
    let renewAt = 0;
    while (!signal.aborted) {
      const before = attempted;
      try {
        const updatedAt = await this.#nextSecond(nap);
        const changes = this.#changes;
        const description = await describe();
        wholeMs = description.refreshSeconds * 1000;
        attempted = sentAt(description, updatedAt);
        await this.#send(registry, attempted, taken);
        taken = attempted;
        retryMs = firstRetryMs;
        if (changes !== this.#changes) continue;
        const now = clock.now();
        // What is sent between two renewals does not put off the next one.
        if (now >= renewAt || renewAt > now + wholeMs)
          renewAt = now + wholeMs * (1 - renewalChance * random.next());
        this.#resting.add(nap);
        await nap.sleep(renewAt - now);
        this.#resting.delete(nap);
      } catch (error) {
        if ((refusalIn(error)?.status ?? 500) < 500) attempted = before;
        if (signal.aborted) break;
        // It has another version than it had, from another Registry perhaps: the next one is sent whole.
        if (taken !== undefined && refusalIn(error)?.status === 403) {
          taken = undefined;
          continue;
        }
        registrationFailed.publish({ registry, error: strangeOr(error, registry) });
        const demandedMs = this.#demandedMs(error);
        // A Registry that lost its store has no object to refresh; one that is only busy has it.
        if (demandedMs === undefined) taken = undefined;
        // Half of it by chance: a Registry that returns does not meet all servers at one moment.
        await nap.sleep(Math.max(retryMs, demandedMs ?? 0) * (1 + random.next()));
        retryMs = Math.min(2 * retryMs, Math.max(firstRetryMs, wholeMs / 2));
      }
    }
    if (attempted !== undefined) await this.#withdraw(registry, attempted);
  }

  /** Wait for an Update-Time of its own: a Registry refuses what is not newer, and a change may follow at once. */
  async #nextSecond(nap: Nap): Promise<number> {
    const { clock, registries } = this.#options;
    for (const _ of registries) {
      const waitMs = (this.#lastSecond + 1) * 1000 - clock.now();
      // The clock may have been set back.
      if (waitMs > 0) await nap.sleep(Math.min(waitMs, 1000));
      this.#abort.signal.throwIfAborted();
    }
    this.#lastSecond = Math.floor(clock.now() / 1000);
    return this.#lastSecond;
  }

  /** How long a Registry that is overloaded wants to be left alone; undefined for any other failure. */
  #demandedMs(error: unknown): number | undefined {
    const { status, retryAfter } = refusalIn(error) ?? {};
    if (status !== 429 && status !== 503) return undefined;
    return Math.min(retryAfterMs(retryAfter, this.#options.clock.now()) ?? 0, maxDemandedMs);
  }

  /** Sign off at a Registry. Nobody waits for one that does not answer. */
  async #withdraw(registry: string, { object }: Sent): Promise<void> {
    const { identity, registries, fetch, clock } = this.#options;
    const end = new AbortController();
    await using _alarm = alarm(clock, farewellMs, () => end.abort());
    try {
      // The time is that of the last version anywhere, so that a server that starts again at once is newer.
      await publish(registry, withdrawalOf(identity, object.url, this.#lastSecond), {
        fetch,
        signal: end.signal,
      });
    } catch (error) {
      // Where Registries collect from each other, the withdrawal from one reaches the others.
      if (registries.length === 1 || refusalIn(error)?.status !== 403)
        registrationFailed.publish({ registry, error });
    }
  }

  /** Send the description, or only its change, or a refresh where it is the one `taken` before. */
  async #send(registry: string, { object, digest, updatedAt }: Sent, taken: Sent | undefined): Promise<void> {
    const { identity, fetch } = this.#options;
    const publication = publicationOf(identity, object, {
      ...{ updatedAt, isUnchanged: taken?.digest === digest, last: taken?.object },
    });
    await publish(registry, publication, { fetch, signal: this.#abort.signal });
  }
}
