import { resolve } from 'node:path';
import type { Clock } from '../kernel/index.ts';
import type { ClassicStream } from './classic-stream.ts';
import type { Enumerated } from './enumerator.ts';
import { gathererFault, type RunReport } from './events.ts';
import type { FolderEnumerator } from './folder-enumerator.ts';
import { FolderWatcher } from './folder-watcher.ts';
import type { Gatherer } from './gatherer.ts';

export interface GatherLoopOptions {
  readonly gatherer: Gatherer;
  readonly stream: ClassicStream;
  readonly clock: Clock;
  /** Folders are watched; a change in one is gathered at once. */
  readonly folders: readonly {
    readonly root: string;
    readonly hidden: boolean;
    readonly enumerator: FolderEnumerator;
  }[];
  /** Longest time between two runs. */
  readonly intervalSeconds: number;
  /** How long the store remembers deletions. */
  readonly tombstoneSeconds: number;
  /** Ends a run that is under way, and the loop. */
  readonly signal?: AbortSignal;
}

/** How often expired summaries and old tombstones are looked for. */
const cleaningMs = 60_000;

/** The compressed stream is made anew when nothing has changed for so long. */
const quietMs = 5_000;

/** Watching cannot be relied on once it has failed: the folder is then walked this often. */
const pollSeconds = 5;

/** Keeps a production store fresh by itself: a run at start, at each interval, and what a watched folder reports. */
export class GatherLoop implements AsyncDisposable {
  readonly #options: GatherLoopOptions;
  readonly #abort = new AbortController();
  readonly #watchers: FolderWatcher[] = [];
  #polling = false;
  #again = false;
  #wake: (() => void) | undefined;
  #done: Promise<unknown> = Promise.resolve();
  #quiet: AbortController | undefined;
  #lastRun: RunReport | undefined;

  private constructor(options: GatherLoopOptions) {
    this.#options = options;
  }

  /** Watch, then run once in the background and go on; `first` resolves when the first run has ended. */
  static async start(
    options: GatherLoopOptions,
  ): Promise<GatherLoop & { readonly first: Promise<RunReport> }> {
    const loop = new GatherLoop(options);
    options.signal?.addEventListener('abort', () => loop.#abort.abort(), { once: true });
    if (options.signal?.aborted) loop.#abort.abort();
    for (const { root, hidden, enumerator } of options.folders) {
      loop.#watchers.push(
        await FolderWatcher.start({
          root: resolve(root),
          hidden,
          onChange: (paths) => loop.#changed(enumerator, paths),
          onFault: (error) => {
            gathererFault.publish({ where: `watching ${root}`, error });
            loop.#polling = true;
          },
        }),
      );
    }
    const first = loop.#run();
    loop.#done = Promise.all([loop.#repeat(first), loop.#clean()]);
    return Object.assign(loop, { first });
  }

  get lastRun(): RunReport | undefined {
    return this.#lastRun;
  }

  /** Run now, or once more after the run that is under way. */
  runNow(): Promise<RunReport> {
    return this.#run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    this.#quiet?.abort();
    this.#wake?.();
    for (const watcher of this.#watchers) await watcher[Symbol.asyncDispose]();
    await this.#done;
    await this.#options.gatherer.idle();
  }

  async #run(): Promise<RunReport> {
    const report = await this.#options.gatherer.run(this.#abort.signal);
    this.#lastRun = report;
    await this.#options.stream.prepare();
    return report;
  }

  async #repeat(first: Promise<RunReport>): Promise<void> {
    const { clock, intervalSeconds } = this.#options;
    const { signal } = this.#abort;
    await first.catch(() => undefined);
    while (!signal.aborted) {
      const nap = new AbortController();
      this.#wake = () => nap.abort();
      const seconds = this.#polling ? Math.min(pollSeconds, intervalSeconds) : intervalSeconds;
      if (!this.#again) await clock.sleep(seconds * 1000, nap.signal).catch(() => undefined);
      this.#again = false;
      if (signal.aborted) return;
      await this.#run().catch((error: unknown) => {
        if (!signal.aborted) gathererFault.publish({ where: 'a run', error });
      });
    }
  }

  async #clean(): Promise<void> {
    const { gatherer, clock, tombstoneSeconds } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await clock.sleep(cleaningMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await gatherer.clean(tombstoneSeconds).catch((error: unknown) => {
        gathererFault.publish({ where: 'forgetting what has expired', error });
      });
    }
  }

  /** Make the stream ready again once the changes have come to rest; who asks earlier waits for it then. */
  async #prepareLater(): Promise<void> {
    this.#quiet?.abort();
    const quiet = new AbortController();
    this.#quiet = quiet;
    await this.#options.clock.sleep(quietMs, quiet.signal).catch(() => undefined);
    const { stream } = this.#options;
    if (!quiet.signal.aborted && !this.#abort.signal.aborted && stream.isWanted) await stream.prepare();
  }

  #changed(enumerator: FolderEnumerator, paths: readonly string[] | undefined): void {
    if (paths === undefined) {
      this.#again = true;
      this.#wake?.();
      return;
    }
    const { gatherer } = this.#options;
    const look = async function* (): AsyncIterable<Enumerated> {
      for (const path of paths) {
        const item = await enumerator.look(path, gatherer.memory);
        if (item !== undefined) yield item;
      }
    };
    gatherer
      .update(look())
      .then(() => this.#prepareLater())
      .catch((error: unknown) => gathererFault.publish({ where: 'a changed file', error }));
  }
}
