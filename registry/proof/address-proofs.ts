import type { Keyring } from '../../exchange/index.ts';
import type { Fetch } from '../../fetch/index.ts';
import { type Clock, Nap, yieldToEventLoop } from '../../kernel/index.ts';
import { ProofBook, type ProofState } from '../../publication/index.ts';
import type { Oid } from '../../soif/index.ts';
import type { Directory } from '../directory.ts';
import { directoryFailed } from '../events.ts';
import { Claims } from './claims.ts';
import { DueServers } from './due-servers.ts';

export interface AddressProofsOptions {
  readonly directory: Pick<Directory, 'ids' | 'row' | 'onChange'>;
  readonly keyring: Pick<Keyring, 'keyOf'>;
  /** Strangers named the addresses, so this client refuses private ones; it ends a request after ten seconds. */
  readonly fetch: Fetch;
  readonly clock: Clock;
}

const maxSites = 50_000;
const lanes = 8;
/** Between two passes: registrations of this time are looked at together. */
const gapMs = 1000;
const lookMs = 60_000;
/** Lanes whose servers are done wait no longer than this, and one request, for those of silent sites. */
const passMs = 30_000;

/** Asks the sites of the registered servers whether they name them. A registration never waits for that. */
export class AddressProofs implements AsyncDisposable {
  readonly #options: AddressProofsOptions;
  readonly #book: ProofBook;
  /** Of every description that a server signed. */
  readonly #claims = new Map<Oid, Claims>();
  readonly #due: DueServers;
  readonly #abort = new AbortController();
  readonly #done: Promise<void>;

  constructor(options: AddressProofsOptions) {
    this.#options = options;
    this.#book = new ProofBook({ fetch: options.fetch, clock: options.clock, maxSites });
    this.#due = new DueServers(options.clock);
    this.#note(options.directory.ids());
    this.#done = this.#keep();
  }

  /** Proved when every site of a server names it; undefined for one that signed nothing. */
  stateOf({ id }: { readonly id: Oid }): ProofState | undefined {
    return this.#claims.get(id)?.state((site) => this.#book.answerOf(site));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#done;
  }

  /** Read the claims of descriptions that came, changed or went. */
  #note(described: Iterable<Oid>): void {
    const { directory, clock } = this.#options;
    for (const id of described) {
      const row = directory.row(id);
      const before = this.#claims.get(id);
      this.#claims.delete(id);
      if (row === undefined || row.unsigned === true) continue;
      this.#claims.set(id, new Claims(row, clock.now(), before));
      this.#due.plan(id, 0);
    }
  }

  async #keep(): Promise<void> {
    const { directory, clock } = this.#options;
    const { signal } = this.#abort;
    const nap = new Nap(clock, signal);
    const stop = directory.onChange((described) => {
      this.#note(described);
      if (described.size > 0) nap.wake();
    });
    while (!signal.aborted) {
      await this.#pass();
      await clock.sleep(gapMs, signal).catch(() => undefined);
      if (!this.#due.isAny) await nap.sleep(lookMs);
    }
    stop();
  }

  /** Visit the servers that are due. Those for whom there is no time are the first of the next pass. */
  async #pass(): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#abort;
    const ends = clock.now() + passMs;
    const due = this.#due.take();
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (const id of due) {
          await this.#visit(id).catch((error) => {
            this.#due.plan(id, clock.now() + lookMs);
            if (!signal.aborted) directoryFailed.publish({ error });
          });
          await yieldToEventLoop();
          if (signal.aborted || clock.now() >= ends) return;
        }
      }),
    );
  }

  /** Ask one site of a server, the longest due; a server with many sites goes behind the others for the next one. */
  async #visit(id: Oid): Promise<void> {
    const { keyring } = this.#options;
    const { signal } = this.#abort;
    const claims = this.#claims.get(id);
    if (claims === undefined) return;
    claims.key = Buffer.from((await keyring.keyOf(claims.serverId)) ?? []).toString('base64url');
    const next = () => {
      const sites = Array.from(claims.sites, ([site, { since }]) => {
        return { site, since, at: this.#book.dueAt(site, since) };
      });
      return sites.sort((a, b) => a.at - b.at)[0];
    };
    const first = next();
    if (first === undefined) return;
    await this.#book.look(first.site, { since: first.since, signal });
    if (this.#claims.get(id) === claims) this.#due.plan(id, next()?.at ?? 0);
  }
}
