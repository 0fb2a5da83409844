import type { RoundReport } from '../../exchange/index.ts';
import { failure, isGarnerError, Nap } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import { CollectedSource, type Collecting } from './collected-source.ts';
import type { SourceAddress } from './source-address.ts';

const stateAfter = { begins: 'connecting', failed: 'down', disconnected: 'waiting' } as const;

/** A source that opens the session itself, perhaps behind a firewall. The Broker never connects to it. */
export class PushedSource extends CollectedSource {
  /** The error of its last round, until a round succeeds. */
  #fault: unknown;
  readonly #nap: Nap;

  constructor(address: SourceAddress, collecting: Collecting) {
    super(address, collecting, 'waiting');
    this.#nap = new Nap(this.options.clock, this.abort.signal);
  }

  /** Over the open session of the source. Throws BROKER_AWAITS_PUSH while it has none. */
  async round(scheme?: string): Promise<RoundReport> {
    const session = this.pushSession;
    if (session === undefined) throw failure(brokerErrors.BROKER_AWAITS_PUSH, { source: this.address.url });
    return scheme === undefined ? this.pushed(session) : this.run(session, scheme);
  }

  paced(): void {
    this.#nap.wake();
  }

  protected pushMeant(news: keyof typeof stateAfter | 'learned', error?: unknown): void {
    if (news === 'learned') this.#fault = undefined;
    else if (error !== undefined) this.#fault = error;
    if (news === 'learned') this.become(...this.learnedState);
    else if (news === 'failed' && isGarnerError(error, brokerErrors.BROKER_NO_ROOM))
      this.become('no room', error);
    else this.become(stateAfter[news], this.#fault);
  }

  /** Rounds at an interval drop objects past a filter's maximum age, and make up for lost pushes. */
  protected async follow(): Promise<void> {
    const { signal } = this.abort;
    while (!signal.aborted) {
      await this.#nap.sleep(Math.max(1, this.waitSeconds) * 1000);
      if (signal.aborted || this.pushSession === undefined) continue;
      // The source's state reports the error.
      await this.round().catch(() => undefined);
    }
  }
}
