import { exchangeErrors, type RoundReport, watchHints } from '../../exchange/index.ts';
import { type Clock, failure, isGarnerError } from '../../kernel/index.ts';
import { connect, wireErrors } from '../../wire/index.ts';
import { brokerErrors } from '../errors.ts';
import { CollectedSource, type Collecting } from './collected-source.ts';
import { connectionAddress, type SourceAddress } from './source-address.ts';

/** Who waits for a round, and what they ask of it. */
interface Waiter {
  readonly scheme: string | undefined;
  done(report: RoundReport): void;
  fail(error: unknown): void;
}

const firstRetryMs = 500;
const lastRetryMs = 60_000;

/** Whether a source refused the scheme that it was asked for. */
function isSchemeRefused(error: unknown): boolean {
  if (!isGarnerError(error, wireErrors.WIRE_REMOTE)) return false;
  return (error.data as { readonly code?: unknown }).code === exchangeErrors.EXCHANGE_SCHEME.code;
}

/** A source with an address: connects, collects, listens for hints, and begins again when the line is lost. */
export class DialledSource extends CollectedSource {
  #asked = false;
  #wake: (() => void) | undefined;
  #waiters: Waiter[] = [];
  #done: Promise<void> = Promise.resolve();

  constructor(address: SourceAddress, collecting: Collecting) {
    super(address, collecting, 'connecting');
  }

  start(): void {
    this.isStarted = true;
    this.#done = this.#run();
  }

  round(scheme?: string): Promise<RoundReport> {
    return new Promise((done, fail) => {
      this.#waiters.push({ scheme, done, fail });
      this.#ask();
    });
  }

  async stop(reason?: Error): Promise<void> {
    this.abort.abort(reason);
    this.#wake?.();
    await this.#done;
    this.#settle(({ fail }) => fail(this.abort.signal.reason));
  }

  paced(): void {
    this.#wake?.();
  }

  /** How its own session stands is told beside it. */
  protected pushMeant(): void {}

  async #run(): Promise<void> {
    const { clock, random } = this.options;
    const { signal } = this.abort;
    let retryMs = firstRetryMs;
    while (!signal.aborted) {
      this.#asked = false;
      try {
        if (this.state !== 'down') this.become('connecting');
        await this.#session(() => {
          retryMs = firstRetryMs;
        });
      } catch (error) {
        if (signal.aborted) return;
        this.become('down', error);
        this.#settle(({ fail }) => fail(error));
      }
      if (signal.aborted) return;
      const wait = retryMs * (0.5 + random.next());
      retryMs = Math.min(retryMs * 2, lastRetryMs);
      // A round asked for by hand does not wait for the retry.
      await this.#sleep(wait, clock);
    }
  }

  async #session(connected: () => void): Promise<void> {
    const { identity, name, clock, random, table, wire } = this.options;
    const { signal } = this.abort;
    await using session = await connect({
      url: connectionAddress(this.address.url),
      identity,
      role: 'broker',
      name,
      clock,
      random,
      signal,
      ...(wire === undefined ? {} : { limits: wire }),
      ...(this.address.token === undefined ? {} : { token: this.address.token }),
    });
    const { serverId, publicKey } = session.peer;
    if (serverId === identity.serverId) throw failure(brokerErrors.BROKER_SELF, { source: this.address.url });
    // Before it counts as that server: whoever shows its id alone must not be taken for it.
    if (!(await table.learn(serverId, publicKey)))
      throw failure(exchangeErrors.EXCHANGE_KEY, { server: serverId });
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
      this.#wake?.();
    });
    for (;;) {
      this.#asked = false;
      // Who asks while a round is under way waits for the next: this one may not see what they mean.
      const asking = this.#waiters;
      this.#waiters = [];
      try {
        const report = await this.run(session, asking.find(({ scheme }) => scheme !== undefined)?.scheme);
        connected();
        this.become('ok');
        for (const { done } of asking) done(report);
      } catch (error) {
        for (const { fail } of asking) fail(error);
        // A scheme that somebody asked for by hand and that cannot be is no fault of the source.
        const byHand = asking.some(({ scheme }) => scheme !== undefined);
        if (!byHand || !isSchemeRefused(error)) throw error;
      }
      if (!this.#asked && lost === undefined) await this.#sleep(this.intervalSeconds * 1000, clock);
      signal.throwIfAborted();
      if (lost !== undefined) throw lost;
    }
  }

  #ask(): void {
    this.#asked = true;
    this.#wake?.();
  }

  /** Wait until the time has passed or somebody wants something. */
  async #sleep(ms: number, clock: Clock): Promise<void> {
    const nap = new AbortController();
    this.#wake = () => nap.abort();
    if (this.#asked || this.abort.signal.aborted) nap.abort();
    await clock.sleep(ms, nap.signal).catch(() => undefined);
    this.#wake = undefined;
  }

  #settle(tell: (waiter: Waiter) => void): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) tell(waiter);
  }
}
