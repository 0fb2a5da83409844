import { rename, rm, stat } from 'node:fs/promises';
import { AnnotationStore } from '../../gatherer/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { openDataFolder } from '../../store/index.ts';

/** Where the Gatherer and the Broker of one place keep their data. */
export interface RolePaths {
  readonly gatherer: string;
  readonly broker: string;
}

/** Data that has made room for that of another site, and comes back unless the other one is kept. */
export interface Replacement extends AsyncDisposable {
  /** How many annotations go with it. */
  readonly annotations: number;
  /** The new data counts: remove the old. */
  keep(): Promise<void>;
}

/** Where data waits until what has taken its place counts. */
function waiting(path: string): string {
  return `${path}.before`;
}

/** Where data waits to be removed. */
function retired(path: string): string {
  return `${path}.replaced`;
}

// The Broker moves first: a crash between leaves the Gatherer whole, from which a Broker collects again.
const inOrder = ({ gatherer, broker }: RolePaths) => [broker, gatherer];

/**
 * How many annotations the Gatherer holds, looked up while both roles are locked. Throws STORE_LOCKED. Both are closed
 * again before anything moves: a database that is moved while it is open goes on writing where it was.
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

/** Whether a replacement was cut short, so that the data from before still waits. */
export async function isUnsettled(paths: RolePaths): Promise<boolean> {
  for (const path of inOrder(paths)) if (await exists(waiting(path))) return true;
  return false;
}

/**
 * Bring back what waits, in place of what has come since. `agree` is told how many annotations that holds, and throws
 * when they may not go. Throws STORE_LOCKED.
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

/** Remove what waits, each role in one step: what counts now is in its place. */
export async function settle(paths: RolePaths): Promise<void> {
  await clear(paths);
  for (const path of inOrder(paths))
    if (await exists(waiting(path))) await rename(waiting(path), retired(path));
  await clear(paths);
}

/**
 * Make room for another site. Both roles are locked before anything happens: throws STORE_LOCKED, with both as they
 * were, while somebody uses one. `agree` is told how many annotations would go, and throws when they may not. Disposing
 * brings the old data back unless the new is kept; what a crash leaves is told by isUnsettled.
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
