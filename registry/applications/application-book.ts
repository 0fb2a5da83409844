import { type Clock, failure, type Random, TaskQueue } from '../../kernel/index.ts';
import { type Database, type Write, within } from '../../store/index.ts';
import { registryErrors } from '../errors.ts';
import { type Applicant, type Application, readApplicant } from './application.ts';

/** Max applications held in all. */
const maxHeld = 200;
/** An application is dropped after this time; seconds. */
const heldSeconds = 30 * 86_400;
/** Who is refused may return after a day at the latest: an administrator may have decided by then. */
const maxRetrySeconds = 86_400;
/** Max applications of one IPv6 /48, which has 65,536 client networks, as a multiple of those of one. */
const wideFactor = 4;

const bytes = (text: string) => Buffer.from(text);

export interface BookOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  /** Max applications held of one client network. */
  readonly maxOfClient: number;
}

/** Applications of strangers that wait for an administrator: bounded, and kept over a restart. */
export class ApplicationBook {
  readonly #rows: Database;
  readonly #options: BookOptions;
  readonly #held = new Map<string, Application>();
  // One at a time: the bounds are checked and the row is written in one step.
  readonly #turns = new TaskQueue();

  private constructor(options: BookOptions) {
    this.#options = options;
    this.#rows = within(options.database, 'application');
  }

  static async open(options: BookOptions): Promise<ApplicationBook> {
    const book = new ApplicationBook(options);
    const lost: Write[] = [];
    for await (const [key, value] of book.#rows.entries()) {
      const row = applicationFrom(value);
      if (row === undefined) lost.push({ type: 'del', key });
      else book.#held.set(row.id, row);
    }
    // A row that cannot be read would be counted and never shown.
    if (lost.length > 0) await book.#rows.batch(lost);
    return book;
  }

  /** The held applications, oldest first. */
  list(): readonly Application[] {
    return this.#current().sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  }

  /**
   * Hold an application. One for the same address from the same network replaces the earlier one. Throws
   * REGISTRY_HOLDS_ENOUGH.
   */
  hold(applicant: Applicant, client: string): Promise<Application> {
    return this.#turns.run(async () => {
      await this.#drop(this.#ended());
      const { clock, random, maxOfClient } = this.#options;
      const others = this.#current().filter((row) => row.client !== client || row.url !== applicant.url);
      const ofClient = others.filter((row) => row.client === client);
      const wide = wideNetwork(client);
      const ofWide = wide === undefined ? [] : others.filter((row) => wideNetwork(row.client) === wide);
      this.#check(others, maxHeld, 'everybody');
      this.#check(ofClient, maxOfClient, 'your network');
      this.#check(ofWide, wideFactor * maxOfClient, 'your /48 network');
      const earlier = this.#current().find((row) => !others.includes(row));
      const id = earlier?.id ?? Buffer.from(random.bytes(6)).toString('hex');
      const row = { ...applicant, id, client, at: Math.floor(clock.now() / 1000) };
      const value = bytes(JSON.stringify(row));
      await this.#rows.batch([{ type: 'put', key: bytes(id), value }], { sync: true });
      this.#held.set(id, row);
      return row;
    });
  }

  /** Let `decide` judge an application, and remove it when that succeeds. Throws REGISTRY_NO_APPLICATION. */
  settle<Result>(id: string, decide: (application: Application) => Promise<Result>): Promise<Result> {
    return this.#turns.run(async () => {
      const row = this.#current().find((one) => one.id === id);
      if (row === undefined) throw failure(registryErrors.REGISTRY_NO_APPLICATION, { id: id.slice(0, 40) });
      const result = await decide(row);
      await this.#drop([id]);
      return result;
    });
  }

  /** Throws REGISTRY_HOLDS_ENOUGH where so many are the max, with the time until the oldest of them ends. */
  #check(held: readonly Application[], max: number, from: string): void {
    if (held.length < max) return;
    const oldest = Math.min(...held.map(({ at }) => at));
    const endsIn = oldest + heldSeconds - this.#options.clock.now() / 1000;
    const retrySeconds = Math.min(maxRetrySeconds, Math.ceil(endsIn));
    throw failure(registryErrors.REGISTRY_HOLDS_ENOUGH, { max, from, retrySeconds });
  }

  #current(): Application[] {
    const ended = new Set(this.#ended());
    return [...this.#held.values()].filter(({ id }) => !ended.has(id));
  }

  #ended(): readonly string[] {
    const since = this.#options.clock.now() / 1000 - heldSeconds;
    return [...this.#held.values()].filter(({ at }) => at < since).map(({ id }) => id);
  }

  async #drop(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#rows.batch(
      ids.map((id) => ({ type: 'del', key: bytes(id) })),
      { sync: true },
    );
    for (const id of ids) this.#held.delete(id);
  }
}

/** The /48 of a client network that is an IPv6 /64; undefined for others. */
function wideNetwork(client: string): string | undefined {
  return client.endsWith('::/64') ? client.split(':').slice(0, 3).join(':') : undefined;
}

/** Read a stored row; undefined for one that this version cannot publish. */
function applicationFrom(value: Uint8Array): Application | undefined {
  try {
    const row = JSON.parse(Buffer.from(value).toString()) as Application;
    const { id, client, at } = row;
    const isRow = typeof id === 'string' && typeof client === 'string' && typeof at === 'number';
    return isRow ? { ...readApplicant({ ...row }), id, client, at } : undefined;
  } catch {
    return undefined;
  }
}
