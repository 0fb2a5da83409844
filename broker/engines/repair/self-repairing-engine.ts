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

export interface MendingOptions<Engine extends SearchEngine> {
  readonly database: RenewableDatabase;
  readonly clock: Clock;
  /** Open the engine over the database; called again when that was begun anew. */
  open(database: RenewableDatabase): Promise<Engine>;
  /** Told each time that the index is begun anew, with why. */
  renewed?(reason: string): void;
}

/** After a renewal that failed, as on a full disk, the next is tried when so long has passed. */
const retryMs = 5_000;

/** Files are looked at for an error that may come from damage no more often than this. */
const lookMs = 600_000;

/** Damage that comes back is no accident: no more renewals than these in so long. */
const maxRenewals = 3;
const renewalsMs = 3_600_000;

/**
 * An engine that outlives its index: what cannot be opened or read is thrown away and begun anew, and whoever follows
 * the store fills it again. Meanwhile queries are answered from what is there.
 */
export class SelfRepairingEngine<Engine extends SearchEngine> implements SearchEngine {
  readonly #options: MendingOptions<Engine>;
  readonly #watchers = new Set<() => void>();
  #inner: Engine;
  #renewing: Promise<void> | undefined;
  /** When it was begun anew; milliseconds since 1970. */
  #renewals: number[] = [];
  /** The engine is closed, since beginning anew has failed. */
  #lost: { readonly error: unknown; readonly at: number } | undefined;
  /** When the files were looked at for an error; milliseconds since 1970. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  private constructor(options: MendingOptions<Engine>, inner: Engine) {
    this.#options = options;
    this.#inner = inner;
  }

  static async open<Engine extends SearchEngine>(
    options: MendingOptions<Engine>,
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

  /** The engine itself, as it is now. */
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

  /** Throw the index away and begin anew. */
  async renew(reason: string): Promise<void> {
    this.#renewing ??= this.#renew(reason).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Read every file of the index once; begin anew when one is damaged. Resolves to the bytes read. */
  async verify(signal?: AbortSignal): Promise<number> {
    let bytes = 0;
    const damage = await this.#damage((more) => {
      bytes += more;
    }, signal);
    if (damage !== undefined) await this.#renewFor(damage);
    return bytes;
  }

  /** Read every file of the index up to the first that is damaged. */
  async #damage(read: (bytes: number) => void, signal?: AbortSignal): Promise<Error | undefined> {
    const { database, clock } = this.#options;
    for await (const name of damagedTables(database.path, { clock, read, ...(signal && { signal }) }))
      return new Error(`${name} is damaged`);
    return undefined;
  }

  apply(changes: readonly IndexChange[], lsn: Lsn, after?: Lsn): Promise<void> {
    return this.#guarded(async (engine) => {
      // Gathered for an index that is no more: in the new one all that went before would be missing for ever.
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
    return this.#inner.oids === undefined ? undefined : () => this.#oids();
  }

  async *#oids(): AsyncIterable<Oid> {
    await this.#ready();
    const asked = this.#inner;
    try {
      yield* asked.oids?.() ?? [];
    } catch (error) {
      // What was named before is of an index that is no more: who asked begins anew.
      if (await this.#isDamage(error)) await this.#mended(asked, error);
      throw error;
    }
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

  /** Do it; when the index turns out to be damaged begin that anew, and do it again or fail. */
  async #guarded<Result>(
    task: (engine: Engine) => Promise<Result>,
    then: 'again' | 'fails',
    signal?: AbortSignal,
  ): Promise<Result> {
    await this.#ready();
    const asked = this.#inner;
    try {
      return await task(asked);
    } catch (error) {
      if (signal?.aborted || !(await this.#isDamage(error))) throw error;
      await this.#mended(asked, error);
      if (then === 'fails') throw error;
      return task(this.#inner);
    }
  }

  /** Wait for a renewal; one that has failed is tried again, not at once. */
  async #ready(): Promise<void> {
    await this.#renewing;
    if (this.#lost === undefined) return;
    const { error, at } = this.#lost;
    if (this.#options.clock.now() - at < retryMs) throw error;
    await this.renew(reasonOf(error));
  }

  /** Begin anew for an error that this engine had; whoever came second finds that done already. */
  async #mended(asked: Engine, error: unknown): Promise<void> {
    if (this.#inner === asked && this.#lost === undefined) await this.#renewFor(error);
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

/**
 * What an error says of the files of an index: that they are not what was written; that this may be why, as when a number
 * in them is senseless, or that a program is wrong; or nothing.
 */
function suspicion(error: unknown): 'damage' | 'perhaps' | 'none' {
  if (isGarnerError(error, engineErrors.ENGINE_DAMAGED) || isGarnerError(error, storeErrors.STORE_DAMAGED))
    return 'damage';
  if (error instanceof GarnerError || !(error instanceof Error)) return 'none';
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError)
    return 'perhaps';
  return 'none';
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
