import { rename, rm, stat } from 'node:fs/promises';
import { AnnotationStore } from '../../gatherer/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { openDataFolder } from '../../store/index.ts';

/** The data folders of the Gatherer and the Broker of one place. */
export interface RolePaths {
  readonly gatherer: string;
  readonly broker: string;
}

/** Data that was moved away for another site; it comes back unless the other site is kept. */
export interface Replacement extends AsyncDisposable {
  /** The number of annotations that go with it. */
  readonly annotations: number;
  /** Keep the new data: remove the old. */
  keep(): Promise<void>;
}

/** The place of the old data until the new data is kept. */
function waiting(path: string): string {
  return `${path}.before`;
}

/** The place of data that is to be removed. */
function retired(path: string): string {
  return `${path}.replaced`;
}

// The Broker moves first: a crash between leaves the Gatherer whole, from which a Broker collects again.
const inOrder = ({ gatherer, broker }: RolePaths) => [broker, gatherer];

/**
 * The number of annotations of the Gatherer, read while both roles are locked. Throws STORE_LOCKED. Both are closed
 * again before anything moves: a database that is moved while it is open goes on writing at its old place.
 */
async function heldBoth({ gatherer, broker }: RolePaths): Promise<number> {
  const clocks = { create: true, clock: systemClock, random: systemRandom };
  await using folder = await openDataFolder(gatherer, { role: 'gatherer', ...clocks });
  await using _broker = await openDataFolder(broker, { role: 'broker', ...clocks });
  return (await AnnotationStore.open(await folder.database('annotations'))).count;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function clear(paths: RolePaths): Promise<void> {
  for (const path of inOrder(paths)) await rm(retired(path), { recursive: true, force: true });
}

/** Whether a replacement was interrupted, so that the old data still waits. */
export async function isUnsettled(paths: RolePaths): Promise<boolean> {
  for (const path of inOrder(paths)) if (await exists(waiting(path))) return true;
  return false;
}

/**
 * Bring the old data back in place of the new. `agree` gets the number of annotations in the new data, and throws when
 * they may not be deleted. Throws STORE_LOCKED.
 */
export async function bringBack(paths: RolePaths, agree: (annotations: number) => void): Promise<void> {
  await clear(paths);
  agree(await heldBoth(paths));
  for (const path of inOrder(paths)) {
    if (!(await exists(waiting(path)))) continue;
    await rename(path, retired(path));
    await rename(waiting(path), path);
  }
  await clear(paths);
}

/** Remove the old data, each role in one step: the new data is kept. */
export async function settle(paths: RolePaths): Promise<void> {
  await clear(paths);
  for (const path of inOrder(paths))
    if (await exists(waiting(path))) await rename(waiting(path), retired(path));
  await clear(paths);
}

/**
 * Make room for another site. Both roles are locked before anything moves: throws STORE_LOCKED, with both unchanged,
 * while another process uses one. `agree` gets the number of annotations that would be deleted, and throws when they
 * may not be. Disposing brings the old data back unless the new is kept; isUnsettled finds what a crash left.
 */
export async function replaceData(
  paths: RolePaths,
  agree: (annotations: number) => void,
): Promise<Replacement> {
  await clear(paths);
  const annotations = await heldBoth(paths);
  agree(annotations);
  for (const path of inOrder(paths)) {
    await rm(waiting(path), { recursive: true, force: true });
    await rename(path, waiting(path));
  }
  let isKept = false;
  return {
    annotations,
    keep: async () => {
      isKept = true;
      await settle(paths);
    },
    [Symbol.asyncDispose]: async () => {
      if (!isKept) await bringBack(paths, () => {});
    },
  };
}
