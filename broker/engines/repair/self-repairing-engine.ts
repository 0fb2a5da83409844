import type { Lsn } from '../../../awareness/index.ts';
import { type Clock, failure, GarnerError, isGarnerError } from '../../../kernel/index.ts';
import type { Language } from '../../../query/index.ts';
import type { Oid } from '../../../soif/index.ts';
import { damagedTables, type RenewableDatabase, storeErrors } from '../../../store/index.ts';
import { engineErrors } from '../errors.ts';
import type {
  EngineAnswer,
  EngineCapabilities,
  IndexChange,
  MatchRequest,
  Ranker,
  SearchEngine,
  SearchRequest,
  WordKnowledge,
} from '../model/search-engine.ts';

export interface RepairOptions<Engine extends SearchEngine> {
  readonly database: RenewableDatabase;
  readonly clock: Clock;
  /** Open the engine over the database. Called again after the database was restarted. */
  open(database: RenewableDatabase): Promise<Engine>;
  /** Called with the reason each time that the index is restarted. */
  renewed?(reason: string): void;
}

/** Time until another try after a failed renewal, for example on a full disk. */
const retryMs = 5_000;

/** Min time between two checks of the files after an error that may come from damage. */
const lookMs = 600_000;

/** Max renewals in `renewalsMs`. Returning damage is no accident. */
const maxRenewals = 3;
const renewalsMs = 3_600_000;

/**
 * An engine that outlives its index: an index that cannot be opened or read is thrown away and restarted, and
 * the follower of the store refills it. Meanwhile queries are answered from the objects indexed so far.
 */
export class SelfRepairingEngine<Engine extends SearchEngine> implements SearchEngine {
  readonly #options: RepairOptions<Engine>;
  readonly #watchers = new Set<() => void>();
  #inner: Engine;
  #renewing: Promise<void> | undefined;
  /** Times of restarts; milliseconds since 1970. */
  #renewals: number[] = [];
  /** The engine is closed, because a restart has failed. */
  #lost: { readonly error: unknown; readonly at: number } | undefined;
  /** The last check of the files after an error; milliseconds since 1970. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  private constructor(options: RepairOptions<Engine>, inner: Engine) {
    this.#options = options;
    this.#inner = inner;
  }

  static async open<Engine extends SearchEngine>(
    options: RepairOptions<Engine>,
  ): Promise<SelfRepairingEngine<Engine>> {
    const { database, renewed } = options;
    if (database.renewedAtOpen !== undefined) renewed?.(database.renewedAtOpen);
    try {
      return new SelfRepairingEngine(options, await options.open(database));
    } catch (error) {
      // Nothing but the index has been read.
      if (suspicion(error) === 'none') throw error;
      renewed?.(reasonOf(error));
      await database.renew();
      return new SelfRepairingEngine(options, await options.open(database));
    }
  }

  /** The current engine itself. */
  get inner(): Engine {
    return this.#inner;
  }

  get name(): string {
    return this.#inner.name;
  }

  get capabilities(): EngineCapabilities {
    return this.#inner.capabilities;
  }

  get ranker(): Ranker | undefined {
    if (this.#inner.ranker === undefined) return undefined;
    const rankerOf = (engine: Engine) => engine.ranker as Ranker;
    return {
      statistics: (query) => this.#guarded((engine) => rankerOf(engine).statistics(query), 'again'),
      explain: (request) =>
        this.#guarded((engine) => rankerOf(engine).explain(request), 'again', request.signal),
    };
  }

  get lsn(): Lsn {
    return this.#inner.lsn;
  }

  get count(): number {
    return this.#inner.count;
  }

  get languages(): ReadonlyMap<Language, number> {
    return this.#inner.languages;
  }

  get fallback(): Language {
    return this.#inner.fallback;
  }

  onRenewed(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  /** Throw the index away and restart it. */
  async renew(reason: string): Promise<void> {
    this.#renewing ??= this.#renew(reason).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Read every file of the index once, and restart it when one is damaged. Resolves to the bytes read. */
  async verify(signal?: AbortSignal): Promise<number> {
    let bytes = 0;
    const damage = await this.#damage((more) => {
      bytes += more;
    }, signal);
    if (damage !== undefined) await this.#renewFor(damage);
    return bytes;
  }

  /** Read every file of the index up to the first damaged one. */
  async #damage(read: (bytes: number) => void, signal?: AbortSignal): Promise<Error | undefined> {
    const { database, clock } = this.#options;
    for await (const name of damagedTables(database.path, { clock, read, ...(signal && { signal }) }))
      return new Error(`${name} is damaged`);
    return undefined;
  }

  apply(changes: readonly IndexChange[], lsn: Lsn, after?: Lsn): Promise<void> {
    return this.#guarded(async (engine) => {
      // The batch was gathered for a former index. A new one would lack all earlier changes for ever.
      if (after !== undefined && engine.lsn !== after)
        throw failure(engineErrors.ENGINE_ANEW, { lsn: engine.lsn, after });
      await engine.apply(changes, lsn, after);
    }, 'fails');
  }

  search(request: SearchRequest): Promise<EngineAnswer> {
    return this.#guarded((engine) => engine.search(request), 'again', request.signal);
  }

  matches(request: MatchRequest): Promise<Iterable<Oid>> {
    return this.#guarded((engine) => engine.matches(request), 'again', request.signal);
  }

  complete(prefix: string, limit: number): Promise<readonly string[]> {
    return this.#guarded((engine) => engine.complete(prefix, limit), 'again');
  }

  get oids(): SearchEngine['oids'] {
    return this.#inner.oids === undefined ? undefined : () => this.#listed((engine) => engine.oids?.() ?? []);
  }

  async *#listed<Item>(
    list: (engine: Engine) => AsyncIterable<Item> | Iterable<Item>,
  ): AsyncGenerator<Item, undefined> {
    await this.#ready();
    const used = this.#inner;
    try {
      yield* list(used);
    } catch (error) {
      // Items listed before are of a former index, so the caller starts over.
      if (await this.#isDamage(error)) await this.#repaired(used, error);
      throw error;
    }
  }

  get vocabulary(): SearchEngine['vocabulary'] {
    return this.#inner.vocabulary === undefined
      ? undefined
      : () => this.#listed((engine) => engine.vocabulary?.() ?? []);
  }

  get facetAttributes(): readonly string[] {
    return this.#inner.facetAttributes ?? [];
  }

  lookUp(word: string, limit: number): Promise<WordKnowledge> {
    const unknown = { objects: 0, similar: [] };
    return this.#guarded(async (engine) => (await engine.lookUp?.(word, limit)) ?? unknown, 'again');
  }

  clear(): Promise<void> {
    return this.#guarded((engine) => engine.clear(), 'again');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#renewing?.catch(() => undefined);
    await this.#inner[Symbol.asyncDispose]();
  }

  /** Run the task. When the index turns out to be damaged, restart it, and run the task again or fail. */
  async #guarded<Result>(
    task: (engine: Engine) => Promise<Result>,
    then: 'again' | 'fails',
    signal?: AbortSignal,
  ): Promise<Result> {
    await this.#ready();
    const used = this.#inner;
    try {
      return await task(used);
    } catch (error) {
      if (signal?.aborted || !(await this.#isDamage(error))) throw error;
      await this.#repaired(used, error);
      if (then === 'fails') throw error;
      return task(this.#inner);
    }
  }

  /** Wait for a renewal. A failed one is tried again after a delay. */
  async #ready(): Promise<void> {
    await this.#renewing;
    if (this.#lost === undefined) return;
    const { error, at } = this.#lost;
    if (this.#options.clock.now() - at < retryMs) throw error;
    await this.renew(reasonOf(error));
  }

  /** Restart for an error of this engine. A second caller finds that done already. */
  async #repaired(used: Engine, error: unknown): Promise<void> {
    if (this.#inner === used && this.#lost === undefined) await this.#renewFor(error);
    else await this.#ready();
  }

  async #isDamage(error: unknown): Promise<boolean> {
    const suspected = suspicion(error);
    if (suspected !== 'perhaps') return suspected === 'damage';
    const { clock } = this.#options;
    if (clock.now() - this.#lookedAt < lookMs) return false;
    this.#lookedAt = clock.now();
    return (await this.#damage(() => undefined)) !== undefined;
  }

  async #renewFor(error: unknown): Promise<void> {
    const now = this.#options.clock.now();
    this.#renewals = this.#renewals.filter((at) => now - at < renewalsMs);
    if (this.#renewing === undefined) {
      if (this.#renewals.length >= maxRenewals) throw error;
      this.#renewals.push(now);
    }
    await this.renew(reasonOf(error));
  }

  async #renew(reason: string): Promise<void> {
    const { database, clock, open, renewed } = this.#options;
    renewed?.(reason);
    try {
      await this.#inner[Symbol.asyncDispose]();
      await database.renew();
      this.#inner = await open(database);
    } catch (error) {
      this.#lost = { error, at: clock.now() };
      throw error;
    }
    this.#lost = undefined;
    for (const watcher of this.#watchers) watcher();
  }
}

/** The meaning of an error for the index's files: damaged; perhaps, by a senseless number; or nothing. */
function suspicion(error: unknown): 'damage' | 'perhaps' | 'none' {
  if (isGarnerError(error, engineErrors.ENGINE_DAMAGED) || isGarnerError(error, storeErrors.STORE_DAMAGED))
    return 'damage';
  if (error instanceof GarnerError || !(error instanceof Error)) return 'none';
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError)
    return 'perhaps';
  return 'none';
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
