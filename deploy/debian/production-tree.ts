import { existsSync, readFileSync } from 'node:fs';
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';

// The libraries that Garner needs where it runs, out of the node_modules of a checkout.

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

type Lock = Readonly<Record<string, LockedPackage>>;

/** Compiled for one version of Node.js alone; Garner works without it. */
const leftOut = new Set(['zlib-sync']);

/** Where node finds a library that is imported from a package of the lock. */
function placeOf(lock: Lock, from: string, name: string): string | undefined {
  for (let at = from; ; ) {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (lock[place] !== undefined) return place;
    if (at === '') return undefined;
    const cut = at.lastIndexOf('/node_modules/');
    at = cut < 0 ? '' : at.slice(0, cut);
  }
}

/** The places of all libraries that the package itself leads to, such as `node_modules/level`, sorted. */
export function productionPlaces(root: string): string[] {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { packages: lock } = JSON.parse(text) as { packages: Lock };
  const found = new Set<string>();
  const visit = (from: string): void => {
    const { dependencies, optionalDependencies, peerDependencies } = lock[from] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
      const place = leftOut.has(name) ? undefined : placeOf(lock, from, name);
      // An optional library of another system is in the lock and not on this machine.
      if (place === undefined || found.has(place) || !existsSync(join(root, place))) continue;
      found.add(place);
      visit(place);
    }
  };
  visit('');
  return [...found].sort();
}

/** At the top of a library: tests, examples, documents, and sources of add-ons that are compiled already. */
const unusedTops =
  /^(?:\..*|__tests__|tests?|test.*\.js|integration|examples?|bench|benchmarks?|docs?|types|deps|node_modules)$/;

/** Files that only compilers and people read. Licences stay. */
const unusedFiles =
  /(?:^\..*|\.(?:map|[cm]?ts|flow|cc|c|h|gyp|sh|html|ya?ml)|(?<!LICEN[CS]E|NOTICE)\.(?:md|markdown)|\.musl\.node)$/i;

const platform = `${process.platform}-${process.arch}`;

/** Whether a file of a library is of no use where Garner runs. `path` is below the library. */
function isUnused(path: string): boolean {
  const [top = '', second] = path.split(sep);
  if (unusedTops.test(top)) return true;
  return top === 'prebuilds' && second !== undefined && !second.split('+').includes(platform);
}

/** Copy the libraries to `target`, which becomes the folder above a node_modules. Returns their places. */
export async function copyProductionTree(root: string, target: string): Promise<string[]> {
  const places = productionPlaces(root);
  for (const place of places) {
    const from = join(root, place);
    for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
      const path = relative(from, join(entry.parentPath, entry.name));
      if (!entry.isFile() || unusedFiles.test(entry.name) || isUnused(path)) continue;
      await mkdir(dirname(join(target, place, path)), { recursive: true });
      await copyFile(join(from, path), join(target, place, path));
    }
  }
  return places;
}

/** The licences of the copied libraries: `level 10.0.0: MIT`. */
export function licences(root: string, places: readonly string[]): string[] {
  return places.map((place) => {
    const text = readFileSync(join(root, place, 'package.json'), 'utf8');
    const { name, version, license } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const said = typeof license === 'string' ? license : 'see its folder';
    return `${String(name)} ${String(version)}: ${said}`;
  });
}
