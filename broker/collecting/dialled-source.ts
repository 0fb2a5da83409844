import { admitPeerKey, exchangeErrors, type RoundReport, watchHints } from '../../exchange/index.ts';
import { failure, isGarnerError, Nap } from '../../kernel/index.ts';
import { connect, type Session, wireErrors } from '../../wire/index.ts';
import { brokerErrors } from '../errors.ts';
import { CollectedSource, type Collecting } from './collected-source.ts';
import type { CollectorOptions } from './collector-options.ts';
import { connectionAddress, type SourceAddress } from './source-address.ts';

interface Waiter {
  readonly scheme: string | undefined;
  done(report: RoundReport): void;
  fail(error: unknown): void;
}

const firstRetryMs = 500;
const lastRetryMs = 60_000;

/** A source that refuses connections so soon after the start is probably starting too. */
const startMs = 10_000;

/** Whether a source refused the requested scheme. */
function isSchemeRefused(error: unknown): boolean {
  if (!isGarnerError(error, wireErrors.WIRE_REMOTE)) return false;
  return (error.data as { readonly code?: unknown }).code === exchangeErrors.EXCHANGE_SCHEME.code;
}

/** Whether nothing listens at the address of a source. */
function isRefused(error: unknown): boolean {
  if (!isGarnerError(error, wireErrors.WIRE_UNREACHABLE)) return false;
  return (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
}

/** Open a session with a source. Throws as `connect` does. */
export function connectTo(
  { url, token, authority }: SourceAddress,
  { identity, name, clock, random, wire }: CollectorOptions,
  signal: AbortSignal | undefined,
): Promise<Session> {
  return connect({
    ...{ url: connectionAddress(url), identity, role: 'broker', name, clock, random },
    ...(wire === undefined ? {} : { limits: wire }),
    ...(token === undefined ? {} : { token }),
    ...(authority === undefined ? {} : { tls: { ca: authority } }),
    ...(signal && { signal }),
  });
}

/** A source with an address: connects, collects, listens for hints, and reconnects. */
export class DialledSource extends CollectedSource {
  #isRequested = false;
  #waiters: Waiter[] = [];
  readonly #nap: Nap;

  constructor(address: SourceAddress, collecting: Collecting) {
    super(address, collecting, 'connecting');
    this.#nap = new Nap(this.options.clock, this.abort.signal);
  }

  round(scheme?: string): Promise<RoundReport> {
    // No loop would serve the caller.
    if (this.abort.signal.aborted) return Promise.reject(this.abort.signal.reason);
    return new Promise((done, fail) => {
      this.#waiters.push({ scheme, done, fail });
      this.#ask();
    });
  }

  override async stop(reason?: Error): Promise<void> {
    await super.stop(reason);
    this.#settle(({ fail }) => fail(this.abort.signal.reason));
  }

  paced(): void {
    this.#nap.wake();
  }

  /** The state of its own session is the reported one. */
  protected pushMeant(): void {}

  protected async follow(): Promise<void> {
    const { clock, random } = this.options;
    const { signal } = this.abort;
    const started = clock.now();
    let isMet = false;
    let retryMs = firstRetryMs;
    while (!signal.aborted) {
      this.#isRequested = false;
      try {
        // While it is tried again, the last error stays known.
        if (this.state !== 'down' && this.state !== 'connecting') this.become('connecting');
        await this.#session(() => {
          retryMs = firstRetryMs;
          isMet = true;
        });
      } catch (error) {
        if (signal.aborted) return;
        const isStarting = !isMet && clock.now() - started < startMs && isRefused(error);
        this.become(isStarting ? 'connecting' : 'down', error);
        this.#settle(({ fail }) => fail(error));
      }
      if (signal.aborted) return;
      const wait = retryMs * (0.5 + random.next());
      retryMs = Math.min(retryMs * 2, lastRetryMs);
      // A round requested by hand does not wait for the retry.
      if (!this.#isRequested) await this.#nap.sleep(wait);
    }
  }

  async #session(connected: () => void): Promise<void> {
    const { identity, table } = this.options;
    const { signal } = this.abort;
    await using session = await connectTo(this.address, this.options, signal);
    const { serverId } = session.peer;
    if (serverId === identity.serverId) throw failure(brokerErrors.BROKER_SELF, { source: this.address.url });
    // Checked before it counts as that server: the id alone proves nothing.
    await admitPeerKey(table, session.peer);
    this.serverId = serverId;
    this.calledItself = session.peer.name;
    let lost: unknown;
    const hints = watchHints(session, () => this.#ask(), signal, this.address.filter).catch(
      (error: unknown) => {
        lost = error;
      },
    );
    void Promise.race([hints, session.closed]).then((reason) => {
      lost ??= reason ?? new Error('the session ended');
      this.#nap.wake();
    });
    for (;;) {
      this.#isRequested = false;
      // A caller during a round waits for the next one, because this round may miss its change.
      const asking = this.#waiters;
      this.#waiters = [];
      try {
        const report = await this.run(session, asking.find(({ scheme }) => scheme !== undefined)?.scheme);
        connected();
        this.become(...this.learnedState);
        for (const { done } of asking) done(report);
      } catch (error) {
        for (const { fail } of asking) fail(error);
        // A refused scheme that was requested by hand is not a fault of the source.
        const byHand = asking.some(({ scheme }) => scheme !== undefined);
        if (isGarnerError(error, brokerErrors.BROKER_NO_ROOM)) this.become('no room', error);
        else if (!byHand || !isSchemeRefused(error)) throw error;
      }
      if (!this.#isRequested && lost === undefined) await this.#nap.sleep(this.waitSeconds * 1000);
      signal.throwIfAborted();
      if (lost !== undefined) throw lost;
    }
  }

  #ask(): void {
    this.#isRequested = true;
    this.#nap.wake();
  }

  #settle(report: (waiter: Waiter) => void): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) report(waiter);
  }
}
