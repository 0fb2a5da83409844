import { resolve } from 'node:path';
import { type Clock, GarnerError } from '../../kernel/index.ts';
import {
  type Enumerator,
  type FolderChanges,
  FolderGroup,
  FolderWatcher,
  isProviderFault,
  type WatchedFolder,
} from '../enumerate/index.ts';
import { gathererFault, type RunReport } from '../events.ts';
import { type ClassicStream, Tally } from '../publish/index.ts';
import type { Gatherer } from './gatherer.ts';

export interface GatherLoopOptions {
  readonly gatherer: Gatherer;
  readonly stream: ClassicStream;
  readonly clock: Clock;
  /** Watched folders; a change in one is gathered at once, without the other roots. */
  readonly folders: readonly WatchedFolder[];
  /** The roots that are not watched, whose documents the change of a folder does not remove. */
  readonly others?: readonly Enumerator[];
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

/** Above this number of noted paths their folder is walked. */
const maxNoted = 1000;

/** Changes that wait for their turn: a file that changes again meanwhile counts once. */
class NotedChanges implements FolderChanges {
  readonly #paths = new Set<string>();
  readonly #folders = new Set<string>();
  isWhole = false;

  constructor(changes: FolderChanges | undefined) {
    this.add(changes);
  }

  /** Note more changes; `undefined`: anything may have changed. */
  add(changes: FolderChanges | undefined): void {
    this.isWhole ||= changes === undefined || this.count + changes.paths.length > maxNoted;
    if (this.isWhole || changes === undefined) return;
    for (const path of changes.paths) this.#paths.add(path);
    for (const folder of changes.folders) this.#folders.add(folder);
  }

  get paths(): readonly string[] {
    return [...this.#paths];
  }

  get folders(): readonly string[] {
    return [...this.#folders];
  }

  get count(): number {
    return this.#paths.size;
  }
}

/** Keeps a production store fresh: a run at start, at each interval, and updates from watched folders. */
export class GatherLoop implements AsyncDisposable {
  readonly #options: GatherLoopOptions;
  readonly #abort = new AbortController();
  readonly #watchers: FolderWatcher[] = [];
  readonly #groups: ReadonlyMap<WatchedFolder, FolderGroup>;
  /** Groups with a folder whose watch has failed. */
  readonly #polled = new Set<FolderGroup>();
  #polls: Promise<void> | undefined;
  /** Changes of groups that wait for their turn, and those that are being gathered. */
  readonly #waiting = new Map<FolderGroup, NotedChanges>();
  #begun: NotedChanges | undefined;
  #again = false;
  #retry = false;
  #complaint: string | undefined;
  #wake: (() => void) | undefined;
  #done: Promise<unknown> = Promise.resolve();
  #quiet: AbortController | undefined;
  #lastRun: RunReport | undefined;

  private constructor(options: GatherLoopOptions) {
    this.#options = options;
    this.#groups = FolderGroup.of(options.folders, options.others ?? []);
  }

  /** Watch, run once and continue. `first` rejects if the root is unreadable and there are no summaries. */
  static async start(
    options: GatherLoopOptions,
  ): Promise<GatherLoop & { readonly first: Promise<RunReport> }> {
    const loop = new GatherLoop(options);
    options.signal?.addEventListener('abort', () => loop.#abort.abort(), { once: true });
    if (options.signal?.aborted) loop.#abort.abort();
    for (const folder of options.folders) {
      const { root, hidden } = folder;
      loop.#watchers.push(
        await FolderWatcher.start({
          root: resolve(root),
          hidden,
          onChange: (changes) => loop.#changed(folder, changes),
          onFault: (error) => {
            gathererFault.publish({ where: `watching ${root}`, error });
            loop.#poll(folder);
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

  /** Changed files and folders that are not gathered yet; of a folder that is walked as a whole, those noted before. */
  get waitingChanges(): number {
    const waiting = [...this.#waiting.values()].reduce((sum, { count }) => sum + count, 0);
    return waiting + (this.#begun?.count ?? 0);
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
    await this.#polls;
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
      const isPolled = this.#isOnlyRoot && this.#polled.size > 0;
      const pause = isPolled ? pollSeconds : this.#retry ? retrySeconds : intervalSeconds;
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

  /** Whether a run over all roots is a walk of one folder. */
  get #isOnlyRoot(): boolean {
    return this.#options.folders.length === 1 && (this.#options.others ?? []).length === 0;
  }

  #changed(folder: WatchedFolder, changes: FolderChanges | undefined): void {
    const group = this.#groups.get(folder);
    if (group === undefined) return;
    // With one root, a run also brings the last report up to date.
    if (this.#isOnlyRoot && (changes === undefined || group.isWalked)) this.#runSoon();
    else void this.#update(group, group.isWalked ? undefined : changes);
  }

  /** Bring a group up to date after changes of its only folder, or by a walk; never rejects. */
  async #update(group: FolderGroup, changes: FolderChanges | undefined): Promise<void> {
    const waiting = this.#waiting.get(group);
    if (waiting !== undefined) return waiting.add(changes);
    const noted = new NotedChanges(changes);
    this.#waiting.set(group, noted);
    const { gatherer } = this.#options;
    const { signal } = this.#abort;
    const begin = () => {
      this.#waiting.delete(group);
      this.#begun = noted;
      const { memory } = gatherer;
      return noted.isWhole ? group.walk(memory, signal) : group.changed(noted, memory);
    };
    try {
      const complete = await gatherer.update(begin, signal);
      // A run reports the fault of the root; a repeated run is due anyway while a root cannot be read.
      if (!complete && !this.#retry) this.#runSoon();
      // It ends when changes have ceased: nothing waits for it.
      void this.#prepareLater().catch((error: unknown) => {
        gathererFault.publish({ where: 'making the stream', error });
      });
    } catch (error) {
      if (signal.aborted) return;
      const isReported = error instanceof GarnerError && isProviderFault(error);
      if (!isReported) gathererFault.publish({ where: 'a changed folder', error });
      // The change is lost; a run finds it.
      if (!isReported || !this.#retry) this.#runSoon();
    } finally {
      if (this.#begun === noted) this.#begun = undefined;
      if (this.#waiting.get(group) === noted) this.#waiting.delete(group);
    }
  }

  /** Walk the group of a folder at intervals, because its watch has failed. */
  #poll(folder: WatchedFolder): void {
    const group = this.#groups.get(folder);
    if (group === undefined) return;
    this.#polled.add(group);
    if (!this.#isOnlyRoot) this.#polls ??= this.#pollGroups();
  }

  async #pollGroups(): Promise<void> {
    const { signal } = this.#abort;
    while (!signal.aborted) {
      await this.#options.clock.sleep(pollSeconds * 1000, signal).catch(() => undefined);
      for (const group of this.#polled) if (!signal.aborted) await this.#update(group, undefined);
    }
  }
}
