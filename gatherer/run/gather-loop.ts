import { resolve } from 'node:path';
import { type Clock, GarnerError } from '../../kernel/index.ts';
import {
  type FolderChanges,
  type FolderEnumerator,
  FolderWatcher,
  isProviderFault,
} from '../enumerate/index.ts';
import { gathererFault, type RunReport } from '../events.ts';
import { type ClassicStream, Tally } from '../publish/index.ts';
import type { Gatherer } from './gatherer.ts';

export interface GatherLoopOptions {
  readonly gatherer: Gatherer;
  readonly stream: ClassicStream;
  readonly clock: Clock;
  /** Watched folders; a change in one is gathered at once. */
  readonly folders: readonly {
    readonly root: string;
    readonly hidden: boolean;
    readonly enumerator: FolderEnumerator;
  }[];
  /** Max time between two runs. */
  readonly intervalSeconds: number;
  /** Age up to which the store remembers deletions. */
  readonly tombstoneSeconds: number;
  /** Ends the current run, and the loop. */
  readonly signal?: AbortSignal;
}

/** Interval of removing expired summaries and old tombstones. */
const cleaningMs = 60_000;

/** The compressed stream is made again when nothing has changed for this time. */
const quietMs = 5_000;

/** Interval of walking a folder whose watch has failed. */
const pollSeconds = 5;

/** Pause after a run that failed or could not read its root. */
const retrySeconds = 60;

/** Keeps a production store fresh: a run at start, at each interval, and updates from watched folders. */
export class GatherLoop implements AsyncDisposable {
  readonly #options: GatherLoopOptions;
  readonly #abort = new AbortController();
  readonly #watchers: FolderWatcher[] = [];
  #polling = false;
  #again = false;
  #retry = false;
  #complaint: string | undefined;
  #wake: (() => void) | undefined;
  #done: Promise<unknown> = Promise.resolve();
  #quiet: AbortController | undefined;
  #lastRun: RunReport | undefined;

  private constructor(options: GatherLoopOptions) {
    this.#options = options;
  }

  /** Watch, run once and continue. `first` rejects if the root is unreadable and there are no summaries. */
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
          onChange: (changes) => loop.#changed(enumerator, changes),
          onFault: (error) => {
            gathererFault.publish({ where: `watching ${root}`, error });
            loop.#polling = true;
          },
        }),
      );
    }
    const first = loop.#run().catch((error: unknown) => loop.#withoutProvider(error));
    loop.#done = Promise.all([loop.#repeat(first), loop.#clean()]);
    return Object.assign(loop, { first });
  }

  get lastRun(): RunReport | undefined {
    return this.#lastRun;
  }

  /** Run now, or again after the current run. */
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
    try {
      this.#retry = true;
      const report = await this.#options.gatherer.run(this.#abort.signal);
      this.#retry = !report.complete;
      this.#lastRun = report;
      await this.#options.stream.prepare();
      return report;
    } finally {
      for (const watcher of this.#watchers) await watcher.checkRoot();
    }
  }

  /** The report of a run whose root could not be read, if there are summaries of earlier runs; else throws `error`. */
  async #withoutProvider(error: unknown): Promise<RunReport> {
    const { gatherer, stream } = this.#options;
    const objects = gatherer.options.folder.store.count;
    if (!(error instanceof GarnerError) || !isProviderFault(error) || objects === 0) throw error;
    const tally = new Tally();
    tally.failWhole(gatherer.options.name, error);
    const report = tally.report({ ms: 0, objects });
    this.#lastRun = report;
    await stream.prepare();
    return report;
  }

  async #repeat(first: Promise<RunReport>): Promise<void> {
    const { clock, intervalSeconds } = this.#options;
    const { signal } = this.#abort;
    await first.catch(() => undefined);
    while (!signal.aborted) {
      const nap = new AbortController();
      this.#wake = () => nap.abort();
      const pause = this.#polling ? pollSeconds : this.#retry ? retrySeconds : intervalSeconds;
      const seconds = Math.min(pause, intervalSeconds);
      if (!this.#again) await clock.sleep(seconds * 1000, nap.signal).catch(() => undefined);
      this.#again = false;
      if (signal.aborted) return;
      await this.#run()
        .then((report) => this.#complain(report))
        .catch((error: unknown) => {
          if (!signal.aborted) gathererFault.publish({ where: 'a run', error });
        });
    }
  }

  /** Report why a root cannot be read, once for each reason. */
  #complain({ complete, failures }: RunReport): void {
    const [failed] = complete || this.#abort.signal.aborted ? [] : failures;
    if (failed !== undefined && failed.reason !== this.#complaint)
      gathererFault.publish({ where: `gathering ${failed.url}`, error: new Error(failed.reason) });
    this.#complaint = failed?.reason;
  }

  async #clean(): Promise<void> {
    const { gatherer, clock, tombstoneSeconds } = this.#options;
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await clock.sleep(cleaningMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      await gatherer.clean(tombstoneSeconds).catch((error: unknown) => {
        gathererFault.publish({ where: 'removing expired summaries', error });
      });
    }
  }

  /** Prepare the stream when changes have ceased; an earlier request prepares it itself. */
  async #prepareLater(): Promise<void> {
    this.#quiet?.abort();
    const quiet = new AbortController();
    this.#quiet = quiet;
    await this.#options.clock.sleep(quietMs, quiet.signal).catch(() => undefined);
    const { stream } = this.#options;
    if (!quiet.signal.aborted && !this.#abort.signal.aborted && stream.isWanted) await stream.prepare();
  }

  #runSoon(): void {
    this.#again = true;
    this.#wake?.();
  }

  #changed(enumerator: FolderEnumerator, changes: FolderChanges | undefined): void {
    if (changes === undefined || enumerator.isCounted) {
      this.#runSoon();
      return;
    }
    const { gatherer } = this.#options;
    const below = changes.folders.map((folder) => enumerator.prefixOf(folder));
    gatherer
      .update(enumerator.changed(changes, gatherer.memory), below, this.#abort.signal)
      .then((complete) => {
        // A run reports the fault of the root, and runs are repeated until it is repaired.
        if (!complete) this.#runSoon();
        return this.#prepareLater();
      })
      .catch((error: unknown) => {
        gathererFault.publish({ where: 'a changed file', error });
        // The change is lost; a run finds it.
        this.#runSoon();
      });
  }
}
