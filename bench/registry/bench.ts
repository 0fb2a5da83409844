import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmark, interleaved, type Measured, type RunOptions } from '../harness/harness.ts';
import { type Figure, Results, type Unit } from '../harness/results.ts';
import { directoryCosts, productionCosts } from './directory.ts';
import { killedUnderLoad } from './killed.ts';
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
type DirectoryFigure = keyof typeof directoryFigures;
type KilledFigure = keyof typeof killedFigures;
type RegistryFigure = `${Part} ${Way}` | DirectoryFigure | KilledFigure;
const tenThousand = 10_000;
const section = 'A Registry with 10,000 servers';

const directoryFigures = {
  registrations: {
    section,
    what: 'registrations, each of a new server with a key of its own',
    unit: 'objects/s',
  },
  renewals: { section, what: 'renewals of their leases', unit: 'objects/s' },
  gathered: { section, what: 'the same objects, put by a Gatherer', unit: 'objects/s' },
  byId: { section, what: 'look-up of a server by its id, p95', unit: 'µs' },
  byPrefix: { section, what: 'look-up of ten servers by the start of their addresses, p95', unit: 'µs' },
  gatheredById: { section, what: 'look-up of an object of the Gatherer, p95', unit: 'µs' },
  bytes: { section, what: 'memory of the Registry, heap and buffers', unit: 'MB' },
  gatheredBytes: { section, what: 'memory of the Gatherer, heap and buffers', unit: 'MB' },
} as const satisfies Readonly<Record<string, Figure>>;

const killedSection = 'Three Registries with the same servers';

const killedFigures = {
  failed: {
    section: killedSection,
    what: 'one of three killed under load: failed requests through the client',
    unit: 'requests',
    goal: { atMost: 0 },
  },
  slowest: {
    section: killedSection,
    what: 'one of three killed under load: slowest request through the client',
    unit: 'ms',
  },
} as const satisfies Readonly<Record<string, Figure>>;

const parts = Object.keys(what) as readonly Part[];

const figures = {
  ...Object.fromEntries(
    parts.flatMap((part) =>
      ways.map((way): [RegistryFigure, Figure] => {
        const [text, unit] = what[part];
        return [`${part} ${way}`, { section: meshOfEight, what: `${text}: ${way}`, unit }];
      }),
    ),
  ),
  ...directoryFigures,
  ...killedFigures,
} as Record<RegistryFigure, Figure>;

/** One sample of each figure of the directory. */
async function measureDirectory(folder: string, servers: number): Promise<Record<DirectoryFigure, number>> {
  const registry = await directoryCosts(folder, servers);
  const gatherer = await productionCosts(folder, servers);
  return {
    registrations: registry.perSecond,
    renewals: registry.renewalsPerSecond,
    gathered: gatherer.perSecond,
    byId: registry.byIdMs * 1000,
    byPrefix: registry.byPrefixMs * 1000,
    gatheredById: gatherer.byIdMs * 1000,
    bytes: registry.bytes / 1e6,
    gatheredBytes: gatherer.bytes / 1e6,
  };
}

async function run({ rounds, quick, onStep, signal }: RunOptions): Promise<Measured> {
  const results = new Results(figures);
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-registry-'));
  const servers = quick ? tenThousand / 20 : tenThousand;
  const requests = quick ? 80 : 800;
  try {
    const directory = {
      name: `${servers} servers`,
      run: async () => {
        const sample = await measureDirectory(folder, servers);
        for (const id of Object.keys(sample) as DirectoryFigure[]) results.add(id, sample[id]);
      },
    };
    await interleaved([directory], { rounds, onStep, signal });
    const killed = {
      name: 'one of three Registries is killed',
      run: async (round: number) => {
        const { failed, slowestMs } = await killedUnderLoad(join(folder, `killed-${round}`), requests);
        results.add('failed', failed);
        results.add('slowest', slowestMs);
      },
    };
    await interleaved([killed], { rounds, onStep, signal });
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
      `${servers} servers register at a Registry in the same process, 64 at once. A registration is verified, and synced to disk with the key of the server. The Gatherer puts the same attributes and signs each object.`,
      `Three Registries, each a process, collect from each other and have 200 servers. The client lists them all ${requests} times, 8 times at once; in the middle one of the Registries gets SIGKILL.`,
    ],
    rows: results.rows(),
    skipped: results.skipped(),
  };
}

/** The servers that find each other through a Registry, and what one change costs among them. */
export const registryJob: Benchmark = {
  name: 'registry',
  describe:
    'one deletion in a full mesh of eight Brokers: frames, rounds and seconds until it is gone; and a Registry with 10,000 servers: registrations a second, look-ups, memory; and one of three Registries killed under load',
  peers: {},
  run,
};
