import type { Lsn } from '../../awareness/index.ts';
import { type Clock, failure, GarnerError, isGarnerError } from '../../kernel/index.ts';
import type { Language } from '../../query/index.ts';
import type { Oid } from '../../soif/index.ts';
import { damagedTables, type RenewableDatabase } from '../../store/index.ts';
import type {
  EngineAnswer,
  EngineCapabilities,
  IndexChange,
  MatchRequest,
  Ranker,
  SearchEngine,
  SearchRequest,
  WordKnowledge,
} from '../search-engine.ts';
import { engineErrors } from './errors.ts';

export interface MendingOptions<Engine extends SearchEngine> {
  readonly database: RenewableDatabase;
  readonly clock: Clock;
  /** Open the engine over the database; called again when that was begun anew. */
  open(database: RenewableDatabase): Promise<Engine>;
  /** Told each time that the index is begun anew, with why. */
  renewed?(reason: string): void;
}

/** Damage that comes back is no accident: no more renewals than these in so long. */
const mostRenewals = 3;
const renewalsMs = 3_600_000;

/**
 * An engine that outlives its index: what cannot be opened or read is thrown away and begun anew, and whoever follows
 * the store fills it again. Meanwhile queries are answered from what is there.
 */
export class MendingEngine<Engine extends SearchEngine> implements SearchEngine {
  readonly #options: MendingOptions<Engine>;
  readonly #watchers = new Set<() => void>();
  #inner: Engine;
  #renewing: Promise<void> | undefined;
  /** When it was begun anew; milliseconds since 1970. */
  #renewals: number[] = [];

  private constructor(options: MendingOptions<Engine>, inner: Engine) {
    this.#options = options;
    this.#inner = inner;
  }

  static async open<Engine extends SearchEngine>(
    options: MendingOptions<Engine>,
  ): Promise<MendingEngine<Engine>> {
    const { database, renewed } = options;
    if (database.renewedAtOpen !== undefined) renewed?.(database.renewedAtOpen);
    try {
      return new MendingEngine(options, await options.open(database));
    } catch (error) {
      if (!isDamage(error)) throw error;
      renewed?.(reasonOf(error));
      await database.renew();
      return new MendingEngine(options, await options.open(database));
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
    return this.#inner.ranker;
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
    const { database, clock } = this.#options;
    let bytes = 0;
    const read = (more: number) => {
      bytes += more;
    };
    for await (const name of damagedTables(database.path, { clock, read, ...(signal && { signal }) })) {
      await this.#renewFor(new Error(`${name} is damaged`));
      break;
    }
    return bytes;
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
    return this.#inner.oids?.bind(this.#inner);
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
    await this.#renewing;
    const asked = this.#inner;
    try {
      return await task(asked);
    } catch (error) {
      if (signal?.aborted || !isDamage(error)) throw error;
      // Whoever came second finds it begun anew already.
      if (this.#inner === asked) await this.#renewFor(error);
      else await this.#renewing;
      if (then === 'fails') throw error;
      return task(this.#inner);
    }
  }

  async #renewFor(error: unknown): Promise<void> {
    const now = this.#options.clock.now();
    this.#renewals = this.#renewals.filter((at) => now - at < renewalsMs);
    if (this.#renewing === undefined && this.#renewals.length >= mostRenewals) throw error;
    await this.renew(reasonOf(error));
  }

  async #renew(reason: string): Promise<void> {
    const { database, clock, open, renewed } = this.#options;
    this.#renewals.push(clock.now());
    renewed?.(reason);
    await this.#inner[Symbol.asyncDispose]();
    await database.renew();
    this.#inner = await open(database);
    for (const watcher of this.#watchers) watcher();
  }
}

/** Whether an error says that what lies on disk is not what was written: values that cannot be read, or files. */
function isDamage(error: unknown): boolean {
  if (isGarnerError(error, engineErrors.ENGINE_DAMAGED)) return true;
  if (error instanceof GarnerError || !(error instanceof Error)) return false;
  if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) return true;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (code === 'LEVEL_CORRUPTION') return true;
    // A file that is gone or cut; what else the system refuses, such as room or more files, is no damage.
    if (code === 'LEVEL_IO_ERROR' && /No such file|Invalid argument/i.test(at.message)) return true;
  }
  return false;
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
