import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { layers } from './layers.ts';
import { rooms } from './rooms.ts';

/** One source file of the repository. */
export interface SourceFile {
  /** Below the repository's root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** These lie outside the layers and may import any folder's door; nothing may import them. */
const outside = ['test', 'bench', 'deploy'];

/** In these, files of one room import files of another: they have a law, but no doors. */
const withoutDoors = ['cli', 'bench'];

/** Every source file below `root`, but this law's own planted faults. */
export function sourceFiles(root: string): SourceFile[] {
  const skipped = /^(dist|\.build|build|node_modules|\.git|garner-data)(\/|$)/;
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !skipped.test(path))
    .filter((path) => path !== 'test/architecture.test.ts')
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Every module specifier of a file: static, type-only, dynamic, re-exported and required. */
export function specifiers(text: string): { readonly name: string; readonly isType: boolean }[] {
  const patterns = [
    /^\s*(?:import|export)\b([^'";]*?)\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*()['"]([^'"]+)['"]/gm,
    /\b(?:import|require)\(()\s*['"]([^'"]+)['"]/g,
  ];
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, clause = '', name = '']) => ({
      name,
      isType: /^\s*type\b/.test(clause),
    })),
  );
}

/** The files that a file imports, by path. */
export function importsOf({ path, text }: SourceFile): { readonly path: string; readonly isType: boolean }[] {
  return specifiers(text)
    .filter(({ name }) => name.startsWith('.'))
    .map(({ name, isType }) => ({ path: normalize(join(dirname(path), name)), isType }));
}

export const folderOf = (path: string) => path.split('/')[0] as string;
const rowOf = (folder: string) => layers.findIndex((row) => row.includes(folder));

/** The room of a file, such as `store/rows`; undefined for a file that lies loose in its top folder. */
export function roomOf(path: string): string | undefined {
  const [top = '', room = '', ...rest] = path.split('/');
  return rest.length === 0 ? undefined : `${top}/${room}`;
}

/** The doors of a room: its `index.ts`; the office formats are five rooms in one. */
function isDoor(path: string): boolean {
  return /^readers\/office\/[^/]+\/index\.ts$/.test(path) || /^[^/]+\/[^/]+\/index\.ts$/.test(path);
}

const isLight = (path: string) =>
  /(^|\/)(events|settings|errors)\.ts$/.test(path) && folderOf(path) !== 'readers';
const isTesting = (path: string) => /(^|\/)testing\//.test(path);

/** Whether only tests run this file. */
export const isForTests = (path: string) =>
  path.endsWith('.test.ts') || isTesting(path) || folderOf(path) === 'test';

/** What is wrong with an import between two top folders. */
function folderFault(from: string, target: string): string | undefined {
  const [a, b] = [folderOf(from), folderOf(target)];
  if (b.startsWith('..') || !target.includes('/'))
    return target.endsWith('.json') ? undefined : `${from} imports ${target}: outside the house`;
  if (outside.includes(b) || isTesting(target))
    return outside.includes(a) || isForTests(from)
      ? undefined
      : `${from} imports ${target}: ${b} is for tests only`;
  const isOpen =
    target === `${b}/index.ts` ||
    (b === 'readers' && isDoor(target)) ||
    target === 'web/client/broker-client.ts' ||
    b === 'library' ||
    (a === 'cli' && isLight(target) && target.split('/').length === 2);
  if (!isOpen) return `${from} imports ${target}: a folder is entered only through its index.ts`;
  if (outside.includes(a)) return undefined;
  if (rowOf(a) < 0) return `${from}: folder ${a} is in no layer`;
  if (rowOf(b) < 0) return `${from} imports ${target}: folder ${b} is in no layer`;
  return rowOf(b) >= rowOf(a) ? `${from} imports ${target}: ${a} may not see ${b}` : undefined;
}

/** What is wrong with an import between two rooms of one top folder. */
function roomFault(from: string, target: string): string | undefined {
  const top = folderOf(from);
  const law = rooms[top];
  if (law === undefined || isForTests(from)) return undefined;
  const [a, b] = [roomOf(from), roomOf(target)];
  // A loose file is the top folder's own door, or light: lightFault judges it.
  if (a === undefined || b === undefined || a === b) return undefined;
  if (isTesting(target)) return `${from} imports ${target}: testing is for tests only`;
  if (isLight(target)) return undefined;
  const name = b.slice(top.length + 1);
  if (!(law[a.slice(top.length + 1)] ?? '').split(' ').includes(name))
    return `${from} imports ${target}: ${a} may not see ${b}`;
  return withoutDoors.includes(top) || isDoor(target)
    ? undefined
    : `${from} imports ${target}: a room is entered only through its index.ts`;
}

/** A light door loads nothing of its own house: only the rows below, other light doors and types. */
function lightFault(from: string, target: string, isType: boolean): string | undefined {
  if (!isLight(from) || isType || folderOf(from) === 'cli') return undefined;
  if (folderOf(from) !== folderOf(target) || isLight(target) || roomOf(target) === undefined)
    return undefined;
  return `${from} imports ${target}: a light door loads nothing of its own folder`;
}

/** What is wrong with one file's imports of our own files, as sentences. */
export function importFaults(file: SourceFile): string[] {
  return importsOf(file).flatMap(({ path: target, isType }) => {
    const isSame = folderOf(target) === folderOf(file.path);
    const faults = isSame
      ? [roomFault(file.path, target), lightFault(file.path, target, isType)]
      : [folderFault(file.path, target)];
    return faults.filter((fault) => fault !== undefined);
  });
}

/** Imports of one room by another, test code left out: `broker/views -> broker/requests`. */
export function roomEdges(files: readonly SourceFile[]): ReadonlySet<string> {
  const edges = files
    .filter(({ path }) => !isForTests(path))
    .flatMap((file) => {
      const from = roomOf(file.path);
      return importsOf(file)
        .map(({ path }) => path)
        .filter((path) => from !== undefined && folderOf(path) === folderOf(file.path) && !isLight(path))
        .map((path) => roomOf(path))
        .filter((to) => to !== undefined && to !== from)
        .map((to) => `${from} -> ${to}`);
    });
  return new Set(edges);
}

/** Files that import each other in a circle, types included. */
export function circles(files: readonly SourceFile[]): string[] {
  const edges = new Map(files.map((file) => [file.path, importsOf(file).map(({ path }) => path)]));
  return circlesOf(edges);
}

/** Rooms that may see each other in a circle by the law of rooms. */
export function roomCircles(): string[] {
  return Object.entries(rooms).flatMap(([top, law]) =>
    circlesOf(
      new Map(Object.entries(law).map(([room, seen]) => [room, seen.split(' ').filter(Boolean)])),
    ).map((circle) => `${top}: ${circle}`),
  );
}

function circlesOf(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (node: string, trail: readonly string[]): void => {
    const at = trail.indexOf(node);
    if (at >= 0) {
      found.push([...trail.slice(at), node].join(' -> '));
      return;
    }
    if (done.has(node)) return;
    for (const next of edges.get(node) ?? []) visit(next, [...trail, node]);
    done.add(node);
  };
  for (const node of edges.keys()) visit(node, []);
  return found;
}

/** The folders of the law that are not there, and those that are there and not in it. */
export function unknownRooms(root: string, files: readonly SourceFile[]): string[] {
  const present = new Set(files.map(({ path }) => roomOf(path)).filter((room) => room !== undefined));
  const lawful = Object.entries(rooms).flatMap(([top, law]) =>
    Object.keys(law).map((room) => `${top}/${room}`),
  );
  const unlawful = [...present].filter(
    (room) => rooms[folderOf(room)] !== undefined && !room.endsWith('/testing') && !lawful.includes(room),
  );
  return [...lawful.filter((room) => !existsSync(join(root, room))), ...unlawful];
}
