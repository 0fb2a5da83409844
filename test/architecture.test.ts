import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkout } from './checkout.ts';
import {
  circles,
  folderOf,
  importFaults,
  isForTests,
  roomCircles,
  roomEdges,
  roomOf,
  sourceFiles,
  specifiers,
  unknownRooms,
} from './house.ts';
import { layers } from './layers.ts';
import { rooms } from './rooms.ts';

// Each library is entered in few rooms, dynamic imports and createRequire included.
const libraries: Readonly<Record<string, readonly string[]>> = {
  level: ['store/database'],
  ws: ['wire'],
  'zlib-sync': ['wire'],
  msgpackr: ['wire'],
  undici: ['fetch/http'],
  'basic-ftp': ['fetch/file-protocols'],
  fastify: ['http'],
  flexsearch: ['broker/engines'],
  stemmer: ['query/words'],
  '@orama/stemmers': ['query/words'],
  htmlparser2: ['readers'],
  'postal-mime': ['readers/archives', 'gatherer/summarise'],
  yauzl: ['readers/archives'],
  exifreader: ['readers/images'],
  'music-metadata': ['readers/media'],
  jschardet: ['readers/charsets'],
  unpdf: ['readers/pdf'],
  yargs: ['cli/command'],
  zod: ['cli/config', 'gatherer/modules'],
  yaml: ['cli/config'],
  pino: ['cli/server'],
  'prom-client': ['cli'],
  garner: ['gatherer/modules'],
};

const kernelFiles = [
  'bytes.ts',
  'clients.ts',
  'clock.ts',
  'cut-text.ts',
  'errors.ts',
  'events.ts',
  'index.ts',
  'nearest.ts',
  'pacing.ts',
  'random.ts',
  'recent-map.ts',
  'setting.ts',
  'task-queue.ts',
  'units.ts',
];

const maxLines = 400;
const maxLooseFiles = 12;
const maxRoomFiles = 30;
const maxSmallFiles = 60;
const smallLines = 25;

// Rooms with more files than a reader holds in mind, and why they are one room.
const largeRooms: Readonly<Record<string, string>> = {};

const root = checkout(dirname(fileURLToPath(import.meta.url)));
const files = sourceFiles(root);
const sources = files.filter(({ path }) => !isForTests(path));

const linesOf = (text: string) => text.split('\n').length - 1;

test('imports run downhill, through doors, between rooms that may see each other', () => {
  assert.ok(files.length > 1000, `only ${files.length} source files were found in ${root}`);
  assert.deepEqual(files.flatMap(importFaults), []);
});

test('libraries stay in their rooms', () => {
  const faults = sources
    .filter(({ path }) => !/^(bench|deploy)\//.test(path))
    .flatMap(({ path, text }) =>
      specifiers(text)
        .filter(({ name }) => !name.startsWith('.') && !name.startsWith('node:'))
        .map(({ name }) =>
          name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
        )
        .filter((library) => !libraries[library]?.some((room) => path.startsWith(`${room}/`)))
        .map((library) => `${path} imports ${library}`),
    );
  assert.deepEqual(faults, []);
});

test('no file imports itself through others, and no room may', () => {
  assert.deepEqual(circles(files), []);
  assert.deepEqual(roomCircles(), []);
});

test('every room is in the law, and every grant of the law is used', () => {
  assert.deepEqual(unknownRooms(root, files), []);
  const edges = roomEdges(files);
  const grants = Object.entries(rooms).flatMap(([top, law]) =>
    Object.entries(law).flatMap(([room, seen]) =>
      seen
        .split(' ')
        .filter(Boolean)
        .map((other) => `${top}/${room} -> ${top}/${other}`),
    ),
  );
  assert.deepEqual(
    grants.filter((grant) => !edges.has(grant)),
    [],
  );
});

test('the rules fire on planted faults', () => {
  const planted: [string, string, RegExp][] = [
    ['store/bad.ts', "import { Broker } from '../broker/index.ts';", /store may not see broker/],
    ['soif/bad.ts', "import type { Source } from '../awareness/index.ts';", /soif may not see awareness/],
    ['wire/bad.ts', "import { ObjectStore } from '../store/index.ts';", /wire may not see store/],
    ['gatherer/bad.ts', "export { x } from '../broker/index.ts';", /gatherer may not see broker/],
    ['broker/bad.ts', "const engine = await import('../store/level.ts');", /only through its index\.ts/],
    ['broker/bad.ts', "import { events } from '../store/events.ts';", /only through its index\.ts/],
    ['cli/bad.ts', "import {\n  a,\n  b,\n} from '../test/helper.ts';", /for tests only/],
    ['kernel/bad.ts', "import '../soif/index.ts';", /kernel may not see soif/],
    ['readers/pdf/bad.ts', "import '../../soif/index.ts';", /readers may not see soif/],
    ['store/rows/bad.ts', "import { x } from '../sets/index.ts';", /store\/rows may not see store\/sets/],
    ['store/sets/bad.ts', "import { x } from '../rows/row-keys.ts';", /a room is entered only through/],
    ['cli/text/bad.ts', "import { x } from '../config/config.ts';", /cli\/text may not see cli\/config/],
    ['broker/settings.ts', "import { x } from './views/index.ts';", /a light door loads nothing/],
    ['library/bad.ts', "import { x } from '../web/client/ask.ts';", /only through its index\.ts/],
    ['web/bad.ts', "import { x } from '../library/soif.ts';", /web may not see library/],
    ['broker/views/bad.ts', "import { x } from '../testing/x.ts';", /testing is for tests only/],
    ['broker/views/bad.ts', "import { x } from '../../store/testing/x.ts';", /for tests only/],
  ];
  for (const [path, text, expected] of planted)
    assert.match(importFaults({ path, text }).join('\n'), expected, `${path}: ${text}`);
  const lawful: [string, string][] = [
    ['cli/config/good.ts', "import { storeEvents } from '../../store/events.ts';"],
    ['broker/settings.ts', "import type { x } from './views/index.ts';"],
    ['gatherer/summarise/good.ts', "import { x } from '../../readers/office/rtf/index.ts';"],
    ['library/good.ts', "export * from '../web/client/broker-client.ts';"],
    ['store/objects/good.test.ts', "import { x } from '../rows/row-keys.ts';"],
  ];
  for (const [path, text] of lawful) assert.deepEqual(importFaults({ path, text }), [], path);
  const circle = circles([
    { path: 'soif/a.ts', text: "import type { B } from './b.ts';" },
    { path: 'soif/b.ts', text: "export { a } from './a.ts';" },
  ]);
  assert.equal(circle.length, 1);
});

test('only exchange synchronises: nothing above it runs a scheme by itself', () => {
  const runners = /\b(serveVector|learnFrom)\b/;
  const offenders = files
    .filter((file) => !/^(awareness|exchange|test|bench)\//.test(file.path) && runners.test(file.text))
    .map((file) => file.path);
  assert.deepEqual(offenders, []);
});

test('the kernel holds these files and no others', () => {
  const present = sources.map(({ path }) => path).filter((path) => path.startsWith('kernel/'));
  assert.deepEqual(present.map((path) => path.slice('kernel/'.length)).sort(), kernelFiles);
});

test('files stay small', () => {
  const long = files
    .map((file) => ({ path: file.path, lines: linesOf(file.text) }))
    .filter((file) => file.lines > maxLines)
    .map((file) => `${file.path}: ${file.lines} lines`);
  assert.deepEqual(long, []);
});

test('folders stay small: few loose files, rooms that a reader holds in mind, few tiny files', (t) => {
  const count = (paths: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const path of paths) counts.set(path, (counts.get(path) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a);
  };
  const divided = sources.filter(({ path }) => rooms[folderOf(path)] !== undefined);
  const loose = count(
    divided.filter(({ path }) => roomOf(path) === undefined).map(({ path }) => folderOf(path)),
  );
  const folders = count(divided.filter(({ path }) => roomOf(path)).map(({ path }) => dirname(path)));
  const small = sources.filter(({ path, text }) => linesOf(text) < smallLines && !isPlainDoor(path));
  t.diagnostic(
    `${Object.values(rooms).flatMap(Object.keys).length} rooms, ${roomEdges(files).size} edges between them, ` +
      `${circles(files).length} circles; loose files: ${loose.map(([top, n]) => `${top} ${n}`).join(', ')}; ` +
      `largest folders: ${folders
        .slice(0, 4)
        .map(([room, n]) => `${room} ${n}`)
        .join(', ')}; ` +
      `${small.length} files under ${smallLines} lines; ` +
      `${sources.filter(({ path }) => !path.startsWith('bench/')).reduce((sum, { text }) => sum + linesOf(text), 0)} lines of source`,
  );
  assert.deepEqual(
    loose.filter(([, n]) => n > maxLooseFiles),
    [],
  );
  assert.deepEqual(
    folders.filter(([room, n]) => n > maxRoomFiles && largeRooms[room] === undefined),
    [],
  );
  assert.ok(small.length <= maxSmallFiles, small.map(({ path }) => path).join('\n'));
});

/** The lists of the package's exports are doors, and so are those of rooms that are loaded on demand. */
const isPlainDoor = (path: string) =>
  /(^|\/)(index|events|settings|errors|on-demand)\.ts$/.test(path) || path.startsWith('library/');

test('every folder in a layer opens with its door', () => {
  const folders = new Set(
    sources
      .map(({ path }) => folderOf(path))
      .filter((folder) => layers.flat().includes(folder) && !['readers', 'library'].includes(folder)),
  );
  for (const folder of folders)
    assert.ok(
      files.some((file) => file.path === `${folder}/index.ts`),
      `${folder}/index.ts is missing`,
    );
});
