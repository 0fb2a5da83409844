import type { CheckFindings, DataRole, MendedDatabase } from '../../store/index.ts';
import { count, number } from '../text/number-formats.ts';
import { terminalSafe } from '../text/output.ts';

/** What the checks of all servers report. */
export interface DataCheck {
  readonly damagedFiles: readonly string[];
  readonly mended: readonly MendedDatabase[];
  readonly store: CheckFindings | null;
  readonly ok: boolean;
}

/** A report of damaged files that nothing has opened. */
const unopened = (files: readonly string[]): DataCheck => ({
  ...{ damagedFiles: files, mended: [], store: null, ok: false },
});

/**
 * Look at the files of a data folder that no process holds before its databases are opened: LevelDB would change them.
 * Resolves to a report where they are damaged; with `repair` they are made again from what can be read, so that the
 * folder can be opened. Throws STORE_LOCKED.
 */
export async function checkFiles(
  path: string,
  {
    repair,
    signal,
    unused,
  }: { readonly repair: boolean; readonly signal: AbortSignal; readonly unused?: (name: string) => boolean },
): Promise<DataCheck | undefined> {
  const { damagedFiles, damagedSmallFiles, databasesIn, freeDataFolder, mendDatabases } = await import(
    '../../store/index.ts'
  );
  const { systemClock: clock } = await import('../../kernel/index.ts');
  const names = (await databasesIn(path)).filter((name) => unused?.(name) !== true);
  const files = await damagedFiles(path, names, { clock, signal });
  const small = await damagedSmallFiles(path);
  if (files.length + small.length === 0) return undefined;
  await freeDataFolder(path);
  // A small file is restored from its second copy when the folder is opened.
  if (repair) await mendDatabases(path, files);
  return unopened([...files, ...small]);
}

/** The lines of a check that those of all servers have. */
export function checkLines({ damagedFiles, mended, store }: DataCheck, repair: boolean): readonly string[] {
  return [
    ...damagedFiles.map((file) => `  damaged   ${terminalSafe(file)}`),
    ...mended.map(
      ({ name, rows }) =>
        `  repaired  ${terminalSafe(name)}: ${count(rows, 'row')} could be read and ${rows === 1 ? 'is' : 'are'} kept`,
    ),
    store === null
      ? '  store     not compared: its files are damaged'
      : `  store     ${count(store.objects, 'object')}, ${number(store.rows)} rows, ${count(store.faults, 'fault')}${repair && store.faults > 0 ? `, ${number(store.left)} left` : ''}`,
    ...(store?.sample ?? []).map((what) => `            ${terminalSafe(what)}`),
  ];
}

/** The last line: what to do next. */
export function checkVerdict({ ok, damagedFiles }: DataCheck, repair: boolean, role: DataRole): string {
  if (ok) return '  ok';
  if (!repair) return `  garner ${role} check --repair repairs what can be repaired`;
  return damagedFiles.length > 0
    ? `  stop the server, then garner ${role} check --repair: files in use cannot be replaced`
    : '  some faults remain';
}
