import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmark, interleaved, type Measured, type RunOptions } from '../harness/harness.ts';
import { type Figure, Results, type Unit } from '../harness/results.ts';
import { type Deletion, Mesh } from './mesh.ts';

const brokers = 8;
const objects = 64;
const meshOfEight = 'One deletion in a mesh of eight Brokers';

const what = {
  seconds: ['until it is gone from all of them for good', 's'],
  collections: ['collections until the mesh is quiet', 'rounds'],
  frames: ['frames until the mesh is quiet, both directions', 'frames'],
  bytes: ['bytes until the mesh is quiet, both directions', 'kB'],
  returns: ['times that a Broker had it again', 'times'],
  left: ['Brokers that still have it when the mesh is quiet', 'Brokers'],
} as const satisfies Partial<Record<keyof Deletion, readonly [what: string, unit: Unit]>>;

/** As a source of garner 0.2 deletes, and with the publisher's signature. */
const ways = ['unsigned', 'signed'] as const;

type Part = keyof typeof what;
type Way = (typeof ways)[number];
type RegistryFigure = `${Part} ${Way}`;
const parts = Object.keys(what) as readonly Part[];

const figures = Object.fromEntries(
  parts.flatMap((part) =>
    ways.map((way): [RegistryFigure, Figure] => {
      const [text, unit] = what[part];
      return [`${part} ${way}`, { section: meshOfEight, what: `${text}: ${way}`, unit }];
    }),
  ),
) as Record<RegistryFigure, Figure>;

async function run({ rounds, quick, onStep, signal }: RunOptions): Promise<Measured> {
  const results = new Results(figures);
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-registry-'));
  try {
    await using mesh = await Mesh.open(folder, quick ? 4 : brokers, objects);
    const cases = ways.map((way, at) => ({
      name: `${way} deletion`,
      run: async (round: number) => {
        const deletion = await mesh.delete(round * ways.length + at, way === 'signed');
        const values = { ...deletion, bytes: deletion.bytes / 1000 };
        for (const part of parts) results.add(`${part} ${way}`, values[part]);
      },
    }));
    await interleaved(cases, { rounds, onStep, signal });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
  return {
    input: [
      `${quick ? 4 : brokers} Brokers in one process, each of which collects from all others over loopback, with hints.`,
      `The first one also collects from a Gatherer, which has ${objects} objects and deletes two in each round: one unsigned, as a source of garner 0.2 does, and one signed.`,
    ],
    rows: results.rows(),
    skipped: results.skipped(),
  };
}

/** The servers that find each other through a Registry, and what one change costs among them. */
export const registryJob: Benchmark = {
  name: 'registry',
  describe: 'one deletion in a full mesh of eight Brokers: frames, rounds and seconds until it is gone',
  peers: {},
  run,
};
