import type { RoundReport } from '../../exchange/index.ts';
import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import { CollectedSource, type Collecting } from './collected-source.ts';
import type { SourceAddress } from './source-address.ts';

const stateAfter = { begins: 'connecting', learned: 'ok', failed: 'down', gone: 'waiting' } as const;

/** A source that opens the session itself, as one behind a firewall must: it is waited for and never connected to. */
export class PushedSource extends CollectedSource {
  /** What its last round met, until one ends well. */
  #fault: unknown;
  #done: Promise<void> = Promise.resolve();
  #nap = new AbortController();

  constructor(address: SourceAddress, collecting: Collecting) {
    super(address, collecting, 'waiting');
  }

  start(): void {
    this.isStarted = true;
    this.#done = this.#run();
  }

  /** Over the session that the source has open. Throws BROKER_AWAITS_PUSH while it has none. */
  async round(scheme?: string): Promise<RoundReport> {
    const session = this.pushSession;
    if (session === undefined) throw failure(brokerErrors.BROKER_AWAITS_PUSH, { source: this.address.url });
    return scheme === undefined ? this.pushed(session) : this.run(session, scheme);
  }

  async stop(reason?: Error): Promise<void> {
    this.abort.abort(reason);
    await this.#done;
  }

  paced(): void {
    this.#nap.abort();
  }

  protected pushMeant(news: keyof typeof stateAfter, error?: unknown): void {
    if (news === 'learned') this.#fault = undefined;
    else if (error !== undefined) this.#fault = error;
    this.become(stateAfter[news], this.#fault);
  }

  /** What a filter's greatest age makes leave, and what a lost push meant, shows at the next round. */
  async #run(): Promise<void> {
    const { clock } = this.options;
    const { signal } = this.abort;
    while (!signal.aborted) {
      this.#nap = new AbortController();
      const either = AbortSignal.any([signal, this.#nap.signal]);
      await clock.sleep(Math.max(1, this.intervalSeconds) * 1000, either).catch(() => undefined);
      if (signal.aborted || this.pushSession === undefined) continue;
      // What goes wrong is told by how the source stands.
      await this.round().catch(() => undefined);
    }
  }
}
