import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { RunReport } from '../../gatherer/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { attributeText, type SummaryObject } from '../../soif/index.ts';
import { openDataFolder, updatedObjects } from '../../store/index.ts';
import { censusOf } from '../gather/folder-census.ts';
import { runTolerant } from '../gather/timed-garner.ts';
import type { Benchmark, Measured, RunOptions } from '../harness/harness.ts';
import { type Figure, Results } from '../harness/results.ts';
import { some, unpackedPackages } from './chosen-packages.ts';
import { type FaultName, faults, type Judged } from './judge.ts';

const seed = 1995;
const base = 'http://packages.example/';
const perFault = 3;
const readByEye = 60;
const section = 'Objects with a fault, of those concerned';
const goal = { atMost: 0.5 };

const figures = {
  missing: { section, what: 'files without an object', unit: '%', goal },
  fileName: { section, what: 'title of a text or page is the name of its file', unit: '%', goal },
  boilerplate: { section, what: 'title is boilerplate', unit: '%', goal },
  licence: { section, what: 'description is a licence', unit: '%', goal },
  empty: { section, what: 'nothing but name, size and date', unit: '%', goal },
  undecoded: { section, what: 'undecoded bytes (U+FFFD)', unit: '%', goal },
} as const satisfies Record<'missing' | FaultName, Figure>;

/** The decoded path below the root, of a member with its path in the archive. */
const pathOf = ({ url }: SummaryObject) => decodeURIComponent(url.slice(base.length));

function judgedOf(object: SummaryObject, root: string): Judged {
  const path = pathOf(object);
  return {
    object,
    name: path.slice(path.search(/[^/#]*$/)),
    bytes: () => {
      const file = join(root, path);
      if (!existsSync(file)) return undefined;
      const bytes = readFileSync(file);
      return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes;
    },
  };
}

const kindOf = (object: SummaryObject) =>
  `${pathOf(object).split('/', 1)[0]} ${attributeText(object, 'Type')}`;

/** An object as lines: each attribute that says something, cut. */
function shown(object: SummaryObject): string {
  const lines = object.attributes
    .filter(({ name }) => !/^(?:Gatherer-|Time-to|Refresh|Update-Time|MD5)/.test(name))
    .map(({ name }) => `  ${name}: ${JSON.stringify(attributeText(object, name)?.slice(0, 240))}`);
  return `${pathOf(object)}\n${lines.join('\n')}\n`;
}

async function objectsIn(path: string): Promise<readonly SummaryObject[]> {
  const opened = { role: 'gatherer', clock: systemClock, random: systemRandom } as const;
  await using folder = await openDataFolder(path, opened);
  await using snapshot = await folder.store.snapshot();
  const objects: SummaryObject[] = [];
  for await (const object of updatedObjects(snapshot, 0)) objects.push(object);
  return objects;
}

async function run({ quick, onStep, signal }: RunOptions): Promise<Measured> {
  const work = join(tmpdir(), 'garner-packages');
  mkdirSync(work, { recursive: true });
  onStep('downloading and unpacking');
  const count = quick ? 10 : 100;
  const { names, known, root } = unpackedPackages(work, count, seed);
  signal.throwIfAborted();
  onStep('gathering');
  const data = join(work, 'data');
  rmSync(data, { recursive: true, force: true });
  await runTolerant<RunReport>(
    ['gatherer', 'run', '--root', root, '--base-url', base, '--data', data, '--text', 'full'],
    work,
  );
  onStep('judging');
  const objects = await objectsIn(join(data, 'gatherer'));
  const { files } = await censusOf(root);
  const results = new Results(figures);
  const paths = new Set(objects.map((object) => pathOf(object).replace(/#.*/, '')));
  const absent = files.filter((file) => !paths.has(file));
  results.add('missing', (100 * absent.length) / files.length);
  const examples = [`files without an object: ${absent.length} of ${files.length}\n${absent.join('\n')}`];
  const judged = objects.map((object) => judgedOf(object, root));
  for (const [name, { isConcerned, isFaulty }] of Object.entries(faults)) {
    const concerned = judged.filter(isConcerned);
    const faulty = concerned.filter(isFaulty);
    results.add(name as FaultName, (100 * faulty.length) / Math.max(1, concerned.length));
    examples.push(`${figures[name as FaultName].what}: ${faulty.length} of ${concerned.length}`);
    examples.push(...some(faulty, perFault, seed).map(({ object }) => shown(object)));
    examples.push(
      faulty.map(({ object }) => `${pathOf(object)}\t${attributeText(object, 'Title')}`).join('\n'),
    );
  }
  // One of each package and type, so that a package of ten thousand files does not take them all.
  const kinds = new Map(some(objects, objects.length, seed).map((object) => [kindOf(object), object]));
  examples.push(`${readByEye} objects to read`, ...some([...kinds.values()], readByEye, seed).map(shown));
  const listed = join(work, 'faults.txt');
  writeFileSync(listed, examples.join('\n'));
  onStep(`faults and objects to read: ${listed}`);
  return {
    input: [
      `Input: all ${files.length} files of ${names.length} of ${known} packages of Debian, chosen by the seed ${seed}: ${objects.length} objects.`,
      `Packages: ${names.join(', ')}.`,
      `Each fault, and ${readByEye} objects chosen by the same seed, are listed in garner-packages/faults.txt among the temporary files.`,
    ],
    rows: results.rows(),
    skipped: results.skipped(),
  };
}

/** Gather all files of packages of Debian that a seed chooses, and count the faults of their summaries. */
export const packagesJob: Benchmark = {
  name: 'packages',
  describe: 'faults in the summaries of all files of 100 packages of Debian, chosen by a seed',
  peers: { 'apt-get': ['apt-get', '--version'] },
  run,
};
