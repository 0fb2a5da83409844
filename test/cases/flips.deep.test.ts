import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom, systemClock, systemRandom } from '../../kernel/index.ts';
import { decodeObject } from '../../soif/index.ts';
import { openDataFolder } from '../../store/index.ts';
import { temporaryFolder } from '../commands/command.ts';
import { jsonHere, runHere, serveHere } from '../commands/command-here.ts';

// A bit is flipped at one offset of one file of a Gatherer's or a Broker's data. The damage is noticed or harmless, and
// the server itself or `repair` heals it.

const seed = Number(process.env.GARNER_TEST_SEED ?? 1994);
/** Flips at random offsets; with `GARNER_TEST_FLIP_EVERY`, one at each multiple of it instead. */
const flips = 60;
const every = Number(process.env.GARNER_TEST_FLIP_EVERY ?? 0);
const maxBytes = 200_000;

const documents = 6;
const annotated = 'https://harbour.example/3.txt';

type Role = 'gatherer' | 'broker';

interface Place {
  readonly file: string;
  readonly at: number;
  readonly bit: number;
}

async function filesOf(
  folder: string,
): Promise<readonly { readonly file: string; readonly bytes: number }[]> {
  const found: { file: string; bytes: number }[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    found.push({ file: path.slice(folder.length + 1), bytes: (await stat(path)).size });
  }
  return found.sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** The places to flip: all over the files, or `wanted` seeded ones. */
async function placesOf(folder: string, wanted: number): Promise<readonly Place[]> {
  const random = seededRandom(seed);
  const files = await filesOf(folder);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.ok(total <= maxBytes, `${folder} has ${total} bytes`);
  const placeAt = (offset: number): Place => {
    let left = offset;
    for (const { file, bytes } of files) {
      if (left < bytes) return { file, at: left, bit: Math.floor(random.next() * 8) };
      left -= bytes;
    }
    throw new RangeError(`${offset} is beyond the data`);
  };
  if (every > 0)
    return Array.from({ length: Math.floor((total - 1) / every) + 1 }, (_, n) => placeAt(n * every));
  return Array.from({ length: wanted }, () => placeAt(Math.floor(random.next() * total)));
}

/** Each document as it is stored: its URL with title and digest. */
async function contentOf(path: string, role: Role): Promise<readonly string[]> {
  await using folder = await openDataFolder(path, {
    ...{ role, clock: systemClock, random: systemRandom, heals: false },
  });
  await using snapshot = await folder.store.snapshot();
  const lines: string[] = [];
  for await (const { oid } of snapshot.scan()) {
    const object = await snapshot.get(oid);
    if (object === undefined) continue;
    const { url, attributes } = decodeObject(object.body);
    const values = attributes.filter(({ name }) => name === 'Title' || name === 'MD5');
    lines.push([url, ...values.map(({ value }) => Buffer.from(value).toString())].join(' '));
  }
  return lines.sort();
}

/** A gathered and annotated folder, and a Broker that has collected it. The sound data is kept for each flip. */
async function site() {
  const folder = await temporaryFolder();
  const place = { cwd: folder.path };
  const root = join(folder.path, 'site');
  await mkdir(root);
  for (let n = 0; n < documents; n++) await writeFile(join(root, `${n}.txt`), `harbour number${n}\n`);
  const run = async (...words: readonly string[]) => runHere(words, place);
  const must = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await run(...words);
    assert.equal(code, 0, `${words.join(' ')}: ${stdout}${stderr}`);
  };
  const gather = ['gatherer', 'run', '--root', 'site', '--base-url', 'https://harbour.example/'];
  await must(...gather);
  await must('gatherer', 'annotate', annotated, '--set', 'Title=Old quay');
  await rm(join(root, '5.txt'));
  await writeFile(join(root, '4.txt'), 'harbour changed\n');
  await must('gatherer', 'run');
  const data = (role: Role) => join(folder.path, 'garner-data', role);
  const sound = (role: Role) => join(folder.path, 'sound', role);
  const serve = () => serveHere<{ readonly collect: string }>(['gatherer', 'serve', '--port', '0'], place);
  {
    await using gatherer = await serve();
    await must('broker', 'collect', '--collect', gatherer.ready.collect);
  }
  for (const role of ['gatherer', 'broker'] as const)
    await cp(data(role), sound(role), { recursive: true, preserveTimestamps: true });
  return {
    ...{ place, run, must, data, sound, serve },
    restore: async (role: Role) => {
      await rm(data(role), { recursive: true });
      await cp(sound(role), data(role), { recursive: true, preserveTimestamps: true });
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

type World = Awaited<ReturnType<typeof site>>;

async function flip(world: World, role: Role, { file, at, bit }: Place): Promise<void> {
  const path = join(world.data(role), file);
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  await writeFile(path, bytes);
}

/** What became of the flips. */
class Tally {
  noticed = 0;
  harmless = 0;
  healedBySelf = 0;
  healedByRepair = 0;
  readonly failures: string[] = [];

  toString(): string {
    const { noticed, harmless, healedBySelf, healedByRepair, failures } = this;
    return `${noticed} noticed, ${harmless} harmless; ${healedBySelf} healed by the server, ${healedByRepair} by repair; ${failures.length} not`;
  }
}

/** Flip each place of a role's data, let `heal` run, and see that everything is as it was. */
async function flipEach(
  world: World,
  role: Role,
  places: readonly Place[],
  heal: () => Promise<{ readonly code: number | null; readonly stderr: string }>,
) {
  const tally = new Tally();
  const wanted = await contentOf(world.data(role), role);
  const identity = await readFile(join(world.sound(role), 'identity.json'), 'utf8');
  for (const [n, place] of places.entries()) {
    if (every > 0 && n % 50 === 0) console.error(`${role}: ${n} of ${places.length} flips: ${tally}`);
    await world.restore(role);
    await flip(world, role, place);
    const where = `${role}/${place.file} at ${place.at}, bit ${place.bit}`;
    try {
      const checked = await world.run(role, 'check');
      const isNoticed = checked.code !== 0;
      let healed = await heal();
      let isRepaired = false;
      if (healed.code !== 0) {
        await world.run(role, 'repair');
        isRepaired = true;
        healed = await heal();
      }
      assert.equal(healed.code, 0, healed.stderr);
      assert.deepEqual(await contentOf(world.data(role), role), wanted);
      assert.equal(await readFile(join(world.data(role), 'identity.json'), 'utf8'), identity);
      if (isNoticed) {
        if (every > 0 || n % 4 === 0) await world.must(role, 'check');
        tally.noticed++;
      } else tally.harmless++;
      if (isRepaired) tally.healedByRepair++;
      else if (isNoticed) tally.healedBySelf++;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      tally.failures.push(`${where}: ${reason}`);
      if (every > 0) console.error(`${where}: ${reason}`);
    }
  }
  return tally;
}

test('a bit flipped anywhere in the data of a Gatherer is noticed or harmless, and a Broker behind it ends equal', async (t) => {
  await using world = await site();
  const places = await placesOf(world.sound('gatherer'), flips / 2);
  let collects = 0;
  const tally = await flipEach(world, 'gatherer', places, async () => {
    const healed = await world.run('gatherer', 'run');
    // Every tenth Gatherer, and every one in the long run, is collected by a Broker that knew it before.
    if (healed.code !== 0 || (every === 0 && collects++ % 10 !== 0)) return healed;
    await world.restore('broker');
    {
      await using gatherer = await world.serve();
      await world.must('gatherer', 'run');
      await world.must('broker', 'collect', '--collect', gatherer.ready.collect);
    }
    assert.deepEqual(
      await contentOf(world.data('broker'), 'broker'),
      await contentOf(world.data('gatherer'), 'gatherer'),
    );
    const exported = await world.run('gatherer', 'annotate', '--export');
    assert.match(exported.stdout, /Old quay/, exported.stderr);
    return healed;
  });
  t.diagnostic(`GARNER_TEST_SEED=${seed}; ${places.length} flips: ${tally}`);
  assert.deepEqual(tally.failures, []);
});

test('a bit flipped anywhere in the data of a Broker is noticed or harmless, and it collects again what it lost', async (t) => {
  await using world = await site();
  await using gatherer = await world.serve();
  await world.must('broker', 'collect', '--collect', gatherer.ready.collect);
  await rm(world.sound('broker'), { recursive: true });
  await cp(world.data('broker'), world.sound('broker'), { recursive: true });
  const places = await placesOf(world.sound('broker'), flips / 2);
  const tally = await flipEach(world, 'broker', places, async () => {
    const healed = await world.run('broker', 'collect', '--collect', gatherer.ready.collect);
    if (healed.code !== 0) return healed;
    const { total } = await jsonHere<{ total: number }>(['broker', 'search', 'harbour'], world.place);
    return total === documents - 1 ? healed : { code: 1, stderr: `the index has ${total} objects` };
  });
  t.diagnostic(`GARNER_TEST_SEED=${seed}; ${places.length} flips: ${tally}`);
  assert.deepEqual(tally.failures, []);
});
