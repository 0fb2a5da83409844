import { rm } from 'node:fs/promises';
import { collect, MemoryKeyring, type RoundReport } from '../../exchange/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { ObjectStore, openDatabase } from '../../store/index.ts';
import { connect, type Session } from '../../wire/index.ts';

/** A store with a session to one Gatherer, like a Broker's, without index and pages. */
export class CopyOfSource implements AsyncDisposable {
  readonly store: ObjectStore;
  readonly session: Session;
  readonly #keyring = new MemoryKeyring();
  readonly #path: string;

  private constructor(path: string, store: ObjectStore, session: Session) {
    this.#path = path;
    this.store = store;
    this.session = session;
  }

  /** Connect with an empty store at `path`, which is deleted when this is disposed. */
  static async open(path: string, url: string): Promise<CopyOfSource> {
    const [clock, random] = [systemClock, systemRandom];
    const store = await ObjectStore.open(await openDatabase(path), { clock, random });
    const identity = identityFrom(newIdentitySecret());
    const session = await connect({ url, identity, role: 'broker', name: 'bench', clock, random });
    return new CopyOfSource(path, store, session);
  }

  /** One round of awareness. */
  async collect(): Promise<RoundReport> {
    return collect({
      session: this.session,
      replica: await this.store.replica(this.session.peer.serverId),
      keyring: this.#keyring,
      clock: systemClock,
      name: 'gatherer',
      deleteGuard: 0.2,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    await this.store[Symbol.asyncDispose]();
    await rm(this.#path, { recursive: true, force: true });
  }
}
