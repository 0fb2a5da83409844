import { dropRevoked } from '../../exchange/index.ts';
import { TaskQueue } from '../../kernel/index.ts';
import { type KeyLink, type ServerId, successionOf } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { brokerFault, revokedDropped } from '../events.ts';
import type { ObjectTable } from './object-table.ts';

interface RevocationsOptions {
  readonly store: ObjectStore;
  readonly table: ObjectTable;
  /** Asks the sources for what was dropped: they may have it with a valid signature. */
  readonly collect: () => Promise<unknown>;
  /** Resolves when the rounds that run now have ended; undefined where there is none. */
  readonly rounds: () => Promise<void> | undefined;
}

/** Drops the objects that only revoked keys have signed, in the background, and after a restart what was left. */
export class Revocations implements AsyncDisposable {
  readonly #options: RevocationsOptions;
  readonly #abort = new AbortController();
  readonly #turns = new TaskQueue();

  constructor(options: RevocationsOptions) {
    this.#options = options;
  }

  /** Begin; from now on each revocation is followed at once. */
  start(): void {
    this.#options.table.onRevocation = () => this.#check();
    this.#check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.table.onRevocation = () => {};
    this.#abort.abort();
    await this.#turns.run(async () => undefined);
  }

  #check(): void {
    const { table, rounds } = this.#options;
    this.#run(async () => {
      const revoking = await table.revoking();
      const begun = rounds();
      await this.#drop(revoking, begun === undefined);
      // A round that began before may still store what it has verified with a key that is revoked since.
      void begun?.then(() => this.#run(() => this.#drop(revoking, true)));
    });
  }

  #run(work: () => Promise<void>): void {
    const { signal } = this.#abort;
    this.#turns
      .run(async () => {
        if (!signal.aborted) await work();
      })
      .catch((error: unknown) => {
        if (!signal.aborted) brokerFault.publish({ where: 'dropping revoked objects', error });
      });
  }

  /** Drop what only revoked keys of these servers have signed. After the last time they are checked. */
  async #drop(revoking: ReadonlyMap<ServerId, readonly KeyLink[]>, isLast: boolean): Promise<void> {
    const { store, table, collect } = this.#options;
    const { signal } = this.#abort;
    for (const [server, links] of revoking) {
      const succession = successionOf(server, links);
      const objects = succession ? await dropRevoked(store, server, succession, { signal }) : 0;
      if (isLast) await table.revoked(server, links);
      if (objects === 0) continue;
      revokedDropped.publish({ server, objects });
      // Each source reports its own failure.
      void collect().catch(() => undefined);
    }
  }
}
