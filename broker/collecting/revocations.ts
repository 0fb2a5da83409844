import { dropRevoked } from '../../exchange/index.ts';
import { TaskQueue } from '../../kernel/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { brokerFault, revokedDropped } from '../events.ts';
import type { ObjectTable } from './object-table.ts';

interface RevocationsOptions {
  readonly store: ObjectStore;
  readonly table: ObjectTable;
  /** Asks the sources for what was dropped: they may have it with a valid signature. */
  readonly collect: () => Promise<unknown>;
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
    const { table } = this.#options;
    const check = () => {
      this.#turns
        .run(() => this.#dropAll())
        .catch((error: unknown) => {
          if (!this.#abort.signal.aborted) brokerFault.publish({ where: 'dropping revoked objects', error });
        });
    };
    table.onRevocation = check;
    check();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#options.table.onRevocation = () => {};
    this.#abort.abort();
    await this.#turns.run(async () => undefined);
  }

  async #dropAll(): Promise<void> {
    const { store, table, collect } = this.#options;
    const { signal } = this.#abort;
    for (const server of await table.revoking()) {
      const succession = await table.successionOf(server);
      const objects = succession ? await dropRevoked(store, server, succession, { signal }) : 0;
      await table.revoked(server);
      if (objects === 0) continue;
      revokedDropped.publish({ server, objects });
      // Each source reports its own failure.
      void collect().catch(() => undefined);
    }
  }
}
