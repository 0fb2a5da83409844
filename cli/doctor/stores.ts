import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ControlDoor, callControl, type HealthFinding } from '../../http/index.ts';
import { isGarnerError, systemClock, systemRandom } from '../../kernel/index.ts';
import {
  type DataRole,
  type Holder,
  nameOfRole,
  openDataFolder,
  serverRoles,
  storeErrors,
} from '../../store/index.ts';
import { checkFiles } from '../command/check-data.ts';
import { doorOf } from '../command/open-or-ask.ts';
import { count, size } from '../text/number-formats.ts';
import { patienceMs } from './cache-peers.ts';
import { type Finding, faulty, noted, well } from './doctor-check.ts';

/** Rows of larger stores are compared by `check` alone: that takes minutes. */
const maxComparedBytes = 256e6;

/** Damaged files that are named. */
const maxNamed = 3;

interface Folder {
  readonly role: DataRole;
  readonly path: string;
  /** The process that serves it. */
  readonly held: Holder | undefined;
}

const isServer = (role: DataRole) => serverRoles.some((one) => one === role);

/** Whether each data folder can be opened, and what a check of it finds. A running server reports its own health. */
export async function storeFindings(
  folders: readonly Folder[],
  { engine, signal }: { readonly engine: string; readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const folder of folders) {
    if ((await stat(folder.path).catch(() => undefined))?.isDirectory() !== true) continue;
    const door = doorOf(folder.held);
    found.push(
      ...(folder.held === undefined
        ? await closed(folder, engine, signal)
        : door === undefined
          ? [noted(`the ${nameOfRole(folder.role)} runs, and cannot be asked for its health`)]
          : await serving(nameOfRole(folder.role), door)),
    );
  }
  return found;
}

/** The health of a running server, check by check where one is not well. */
async function serving(name: string, door: ControlDoor): Promise<readonly Finding[]> {
  const cure = 'see its log; http-api.md of the manual lists the checks of /health';
  try {
    const { status, checks } = (await callControl(door, '/health', {
      signal: AbortSignal.timeout(patienceMs),
      takesRefusal: true,
    })) as { readonly status: string; readonly checks: Readonly<Record<string, HealthFinding>> };
    const unwell = Object.entries(checks).filter(([, { state }]) => state !== 'pass');
    if (unwell.length === 0) return [well(`the ${name} runs, and its health is ${status}`)];
    return unwell.map(([check, { state, detail = '' }]) => {
      const what = `the ${name} runs; its check ${check}: ${state}${detail === '' ? '' : `, ${detail}`}`;
      return state === 'fail' ? faulty(what, cure) : noted(what, cure);
    });
  } catch (error) {
    return [noted(`the ${name} runs, and does not answer yet: ${(error as Error).message}`)];
  }
}

async function closed(
  { role, path }: Folder,
  engine: string,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const name = nameOfRole(role);
  const cure =
    role === 'gatherer' || role === 'broker'
      ? `garner ${role} check --repair: identity, annotations and everything else that can be read stay`
      : 'check the disk, and start the server: it repairs what it opens';
  try {
    // An index is rebuilt by the server that opens it; that of another engine is not in use.
    const unused = (database: string) => database.startsWith('index') && database !== engine;
    const files = (await checkFiles(path, { repair: false, signal, unused }))?.damagedFiles ?? [];
    if (files.length > 0) {
      const more = files.length > maxNamed ? `, and ${files.length - maxNamed} more` : '';
      return [
        faulty(
          `files of the ${name} in ${path} are damaged: ${files.slice(0, maxNamed).join(', ')}${more}`,
          cure,
        ),
      ];
    }
    if (!isServer(role)) return [well(`no file of the ${name} in ${path} is damaged`)];
    return [await opened(role, path, { cure, signal })];
  } catch (error) {
    if (isGarnerError(error, storeErrors.STORE_LOCKED)) return [well(`a process has ${path} open`)];
    if (isGarnerError(error, storeErrors.STORE_MISSING)) return [];
    return [
      faulty(
        `the data of the ${name} in ${path} cannot be opened: ${(error as Error).message}`,
        isGarnerError(error) ? error.hint : 'let this user read and write that folder',
      ),
    ];
  }
}

/** Open a data folder, and compare the rows of its store. */
async function opened(
  role: DataRole,
  path: string,
  { cure, signal }: { readonly cure: string; readonly signal: AbortSignal },
): Promise<Finding> {
  const named = `the data of the ${nameOfRole(role)} in ${path}`;
  // Opening it writes files, which its owner could not change.
  if (process.geteuid?.() !== (await stat(path)).uid)
    return noted(`no file of ${named} is damaged; it belongs to another user and was not opened`);
  await using folder = await openDataFolder(path, {
    ...{ role, clock: systemClock, random: systemRandom, heals: false },
  });
  const bytes = await bytesOf(join(path, 'store'));
  if (bytes > maxComparedBytes)
    return well(`${named} can be opened; its ${size(bytes)} were not compared, which ${role} check does`);
  const { objects, faults } = await folder.store.check({ repair: false, signal });
  const what = `${named} can be opened: ${count(objects, 'object')}, ${count(faults, 'fault')}`;
  return faults === 0 ? well(what) : faulty(what, cure);
}

async function bytesOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
}
