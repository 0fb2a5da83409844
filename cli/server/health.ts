import { readdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Broker, SourceStatus } from '../../broker/index.ts';
import type { HealthCheck, HealthFinding } from '../../http/index.ts';
import { type Clock, isGarnerError, systemClock } from '../../kernel/index.ts';
import { type DataFolder, databasesIn, TableWatch } from '../../store/index.ts';
import type { EffectiveConfig } from '../config/config.ts';
import { openFilesLimit } from '../config/out-of-files.ts';
import { count, size } from '../text/number-formats.ts';

const probeFile = 'health-probe.tmp';
const probeBytes = 4096;

/** /health is public, so that the disk is written at most once in this time. */
const probeMs = 1_000;

/** The part of the descriptors in use from which there are few left. */
const manyFiles = 0.9;

/** Names of sources that are listed. */
const maxNamed = 5;

const codeOf = (error: unknown) =>
  isGarnerError(error) ? error.code : ((error as NodeJS.ErrnoException).code ?? 'unknown');

/** The health of what every server has: its store, disk, files and descriptors. Disposing ends the reading of the files. */
export interface FolderHealth extends AsyncDisposable {
  readonly checks: readonly HealthCheck[];
}

export interface FolderHealthOptions {
  readonly clock: Clock;
  /** Free bytes of the disk below which there is little. */
  readonly minFreeDisk: number;
  /** Whether the server can do its work without writing; then a store that cannot be written is a warning. */
  readonly worksUnwritten?: boolean;
}

/** Check the data folder of a server, and read its tables in the background. */
export async function folderHealth(folder: DataFolder, options: FolderHealthOptions): Promise<FolderHealth> {
  const { path } = folder;
  const { clock, minFreeDisk, worksUnwritten = false } = options;
  const watch = new TableWatch(path, await databasesIn(path), clock);
  let last: { readonly at: number; readonly found: Promise<HealthFinding> } | undefined;

  const probe = async (): Promise<HealthFinding> => {
    try {
      await writeFile(join(path, probeFile), new Uint8Array(probeBytes), { flush: true, mode: 0o600 });
      await rm(join(path, probeFile), { force: true });
      const { count: objects } = await folder.store.state();
      return { state: 'pass', detail: count(objects, 'object') };
    } catch (error) {
      return {
        state: worksUnwritten ? 'warn' : 'fail',
        detail: `the store cannot be written or read (${codeOf(error)})`,
      };
    }
  };
  const store = (): Promise<HealthFinding> => {
    const now = clock.now();
    if (last === undefined || now - last.at >= probeMs) last = { at: now, found: probe() };
    return last.found;
  };
  const disk = async (): Promise<HealthFinding> => {
    const { bavail, bsize } = await statfs(path);
    const free = bavail * bsize;
    const detail = `${size(free)} free`;
    return free < minFreeDisk
      ? { state: 'warn', detail: `${detail}, less than ${size(minFreeDisk)}` }
      : { state: 'pass', detail };
  };
  const files = (): HealthFinding => {
    const { damaged, isChecked } = watch.state;
    if (damaged.length > 0)
      return { state: 'fail', detail: `damaged: ${damaged.slice(0, maxNamed).join(', ')}` };
    const lost = folder.mended.map(({ name }) => name);
    if (lost.length > 0)
      return { state: 'warn', detail: `repaired since the start: ${lost.join(', ')}; check the disk` };
    return { state: 'pass', detail: isChecked ? 'every table is read' : 'tables are being read' };
  };
  return {
    checks: [
      { name: 'store', check: store },
      { name: 'disk', check: disk },
      { name: 'files', check: files },
      { name: 'open-files', check: openFiles },
    ],
    [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  };
}

/** Whether descriptors are left; where the system does not say, nothing is wrong. */
async function openFiles(): Promise<HealthFinding> {
  const limit = openFilesLimit();
  const open = await readdir('/proc/self/fd').catch(() => undefined);
  if (limit === undefined || limit === 0 || open === undefined) return { state: 'pass' };
  const detail = `${open.length} of ${limit} in use`;
  return { state: open.length > limit * manyFiles ? 'warn' : 'pass', detail };
}

/** The health of what a Broker and a Registry have besides: an index, and sources. */
export function brokerHealth(
  { folder, indexer, collector }: Pick<Broker, 'folder' | 'indexer' | 'collector'>,
  config: EffectiveConfig,
): readonly HealthCheck[] {
  const silentSeconds = config.seconds('broker.silent-after');
  return [
    {
      name: 'index',
      check: () => ({
        state: indexer.fault === undefined ? 'pass' : 'fail',
        detail: `${folder.store.lsn - indexer.lsn} changes behind`,
      }),
    },
    sourcesHealth(() => collector.status, { clock: systemClock, silentSeconds }),
  ];
}

/** A Broker with sources that have not answered for this long still answers, with what it has. */
export function sourcesHealth(
  sources: () => readonly SourceStatus[],
  { clock, silentSeconds }: { readonly clock: Clock; readonly silentSeconds: number },
): HealthCheck {
  const since = Math.floor(clock.now() / 1000);
  const isSilent = ({ state, lastLearnedAt }: SourceStatus, now: number) => {
    if (state === 'ok' || state === 'full' || state === 'paused') return false;
    return now - Math.max(since, lastLearnedAt ?? 0) >= silentSeconds;
  };
  return {
    name: 'sources',
    check: () => {
      const all = sources();
      const silent = all.filter((one) => isSilent(one, Math.floor(clock.now() / 1000)));
      if (silent.length === 0) return { state: 'pass', detail: count(all.length, 'source') };
      const named = silent.slice(0, maxNamed).map(({ name, state }) => `${name} (${state})`);
      const more = silent.length - named.length;
      return {
        state: 'warn',
        detail: `${silent.length} of ${count(all.length, 'source')} silent: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}`,
      };
    },
  };
}
