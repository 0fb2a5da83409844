import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { GarnerError, ManualClock, systemRandom } from '../../kernel/index.ts';
import { decodeObject, oidOf, printObject } from '../../soif/index.ts';
import { type DataFolder, openDataFolder } from '../../store/index.ts';
import type { EnumerationMemory, Enumerator } from '../enumerate/enumerator.ts';
import { FolderEnumerator, type FolderOptions } from '../enumerate/folder/folder-enumerator.ts';
import { rootedAt } from '../enumerate/roots/every-root.ts';
import type { RunReport } from '../events.ts';
import { InlineProcessor } from '../pipeline/inline-processor.ts';
import { defaultPlan } from '../pipeline/pipeline-plan.ts';
import { FetchStore } from '../publish/fetch-store.ts';
import { RunRecorder } from '../publish/run-recorder.ts';
import { day } from '../testing/folder-site.ts';
import { Gatherer } from './gatherer.ts';

const host = 'http://www.example.org/';

/** A folder below the site, the prefix of its URLs after the host, and its bounds. */
interface Part {
  readonly folder: string;
  readonly at?: string;
  readonly options?: Partial<FolderOptions>;
}

const noText = (url: string) => (url.endsWith('.txt') ? 'no text' : undefined);

/** Nested, adjacent and overlapping roots. */
const parts: readonly Part[] = [
  { folder: '' },
  { folder: 'a/' },
  { folder: 'a/b/' },
  { folder: 'd/' },
  { folder: '', options: { excluded: noText } },
  { folder: 'a/', options: { maxUrls: 2 } },
  { folder: '', options: { maxDepth: 1 } },
  { folder: 'a/', options: { hidden: true } },
  { folder: 'a/b/', options: { excluded: noText, hidden: true } },
  { folder: 'a/', at: 'elsewhere/' },
  { folder: 'd/', at: 'a/b/' },
];

const names = [
  'always.html',
  'x.txt',
  'a/x.html',
  'a/.y.txt',
  'a/b/x.html',
  'a/b/y.txt',
  'd/x.html',
  'd/y.txt',
];

/** A memory without an ordered recall: every item must be yielded. */
function inTurn(memory: EnumerationMemory): EnumerationMemory {
  return {
    ...memory,
    inOrder: (prefix) => {
      const ordered = memory.inOrder?.(prefix) ?? assert.fail();
      return {
        ...ordered,
        keep: (url, known) => ordered.keep(url, known) && assert.fail(),
        leaveOut: () => {},
      };
    },
  };
}

/** A Gatherer over some of the roots. `inTurn`: every root yields every item in order. */
class Gathering implements AsyncDisposable {
  readonly #path: string;
  readonly #site: string;
  readonly #clock: ManualClock;
  readonly #inTurn: boolean;
  #isOpen = false;
  data!: DataFolder;
  gatherer!: Gatherer;

  constructor(path: string, site: string, clock: ManualClock, inTurn: boolean) {
    this.#path = path;
    this.#site = site;
    this.#clock = clock;
    this.#inTurn = inTurn;
  }

  async open(wanted: readonly Part[]): Promise<this> {
    this.data = await this.#opened();
    this.#isOpen = true;
    this.gatherer = await Gatherer.open({
      folder: this.data,
      enumerators: () => wanted.map((part) => this.#root(part)),
      clock: this.#clock,
      name: 'site',
      host: 'www.example.org',
      version: '1',
      plan: defaultPlan,
      processor: new InlineProcessor(defaultPlan),
      ttlSeconds: 30 * day,
      refreshSeconds: 7 * day,
    });
    return this;
  }

  #opened(): Promise<DataFolder> {
    const random = systemRandom;
    return openDataFolder(this.#path, { role: 'gatherer', create: true, clock: this.#clock, random });
  }

  #root({ folder, at = folder, options = {} }: Part): Enumerator {
    const own = { root: join(this.#site, folder), baseUrl: host + at };
    const root = rootedAt(
      own.baseUrl,
      new FolderEnumerator({ ...own, hidden: false, maxBytesPerDocument: 1e6, ...options }),
    );
    if (!this.#inTurn) return root;
    return { ...root, enumerate: (_, signal) => root.enumerate(inTurn(this.gatherer.memory), signal) };
  }

  /** The report of a run, or the code of its error, and the stored objects afterwards. */
  async run(): Promise<unknown> {
    const report = await this.gatherer.run().catch((error: unknown) => {
      if (error instanceof GarnerError) return error.code;
      throw error;
    });
    return [report, await this.stored()];
  }

  async stored(): Promise<ReadonlyMap<string, string>> {
    const found: [string, string][] = [];
    await using snapshot = await this.data.store.snapshot();
    for await (const { oid } of snapshot.scan()) {
      const body = (await this.data.store.get(oid))?.body;
      if (body === undefined) continue;
      const object = decodeObject(body);
      found.push([object.url, Buffer.from(printObject(object)).toString()]);
    }
    return new Map(found.sort());
  }

  async lose(path: string): Promise<void> {
    const oid = oidOf(this.data.identity.serverId, host + path);
    if ((await this.data.store.get(oid)) !== undefined)
      await this.data.store.apply([{ kind: 'delete', oid }]);
  }

  /** Close it; resolves to the remembered rows. */
  async close(): Promise<readonly unknown[]> {
    await this[Symbol.asyncDispose]();
    await using data = await this.#opened();
    const rows: unknown[] = [];
    for await (const row of (await FetchStore.open(await data.database('fetch'))).rows()) rows.push(row);
    return rows;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isOpen) await this.data[Symbol.asyncDispose]();
    this.#isOpen = false;
  }
}

async function inFolder(work: (path: string) => Promise<void>): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), 'garner-roots-'));
  try {
    await work(path);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

async function page(site: string, name: string, title: string): Promise<void> {
  await mkdir(dirname(join(site, name)), { recursive: true });
  await writeFile(join(site, name), `<title>${title}</title><p>text of ${title}</p>`);
}

const name = fc.constantFrom(...names);
const roots = fc.shuffledSubarray([...parts], { minLength: 2 });
const step = fc.oneof(
  fc.record({ do: fc.constant('write' as const), name, text: fc.nat(3) }),
  fc.record({ do: fc.constant('remove' as const), name }),
  fc.record({ do: fc.constant('remove folder' as const), name: fc.constantFrom('a', 'a/b', 'd') }),
  fc.record({ do: fc.constant('rename' as const), name, to: name }),
  fc.record({ do: fc.constant('lose' as const), name }),
  fc.record({ do: fc.constant('wait' as const), days: fc.nat(10) }),
  fc.record({ do: fc.constant('reopen' as const), roots }),
  { weight: 3, arbitrary: fc.record({ do: fc.constant('run' as const) }) },
);

/** Apply a step to the files; returns whether it was a step of files. */
async function edit(site: string, one: typeof step extends fc.Arbitrary<infer Step> ? Step : never) {
  if (one.do === 'write') await page(site, one.name, `${one.name} ${one.text}`);
  else if (one.do === 'remove') await rm(join(site, one.name), { force: true });
  else if (one.do === 'remove folder') await rm(join(site, one.name), { recursive: true, force: true });
  else if (one.do === 'rename') {
    await mkdir(dirname(join(site, one.to)), { recursive: true });
    await rename(join(site, one.name), join(site, one.to)).catch(() => undefined);
  }
}

test('for any roots and changes, kept URLs give the same results as yielded ones', async () => {
  const scenario = fc.tuple(roots, fc.array(step, { maxLength: 20 }));
  await fc.assert(
    fc.asyncProperty(scenario, ([first, steps]) =>
      inFolder(async (path) => {
        const site = join(path, 'site');
        const clock = new ManualClock(1_700_000_000_000);
        for (const one of names) await page(site, one, one);
        await using direct = new Gathering(join(path, 'direct'), site, clock, false);
        await using inTurn = new Gathering(join(path, 'in-turn'), site, clock, true);
        const both = [direct, inTurn] as const;
        const check = async () => assert.deepEqual(await direct.run(), await inTurn.run());
        for (const one of both) await one.open(first);
        await check();
        for (const one of [...steps, { do: 'run' as const }, { do: 'run' as const }]) {
          if (one.do === 'run') await check();
          else if (one.do === 'wait') clock.advance(one.days * day * 1000);
          else if (one.do === 'lose') for (const each of both) await each.lose(one.name);
          else if (one.do === 'reopen') {
            assert.deepEqual(await direct.close(), await inTurn.close());
            for (const each of both) await each.open(one.roots);
          } else await edit(site, one);
        }
        assert.deepEqual(await direct.close(), await inTurn.close());
      }),
    ),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 10) },
  );
});

test('several hundred unchanged roots yield only a few items, also where they overlap', async (t) => {
  await inFolder(async (path) => {
    const site = join(path, 'site');
    const folders = Array.from({ length: 200 }, (_, n) => `folder-${n}/`);
    for (const folder of folders)
      for (const file of ['a.html', 'b.html']) await page(site, folder + file, folder + file);
    const clock = new ManualClock(1_700_000_000_000);
    const twice = { folder: 'folder-7/', options: { maxUrls: 9 } };
    const wanted: readonly Part[] = [...folders.map((folder) => ({ folder })), twice];
    await using gathering = await new Gathering(join(path, 'data'), site, clock, false).open(wanted);
    await gathering.gatherer.run();
    const reported = t.mock.method(RunRecorder.prototype, 'other');
    const report: RunReport = await gathering.gatherer.run();
    assert.deepEqual([report.unchanged, report.objects, report.deleted], [402, 400, 0]);
    const kinds = reported.mock.calls.map(({ arguments: [item] }) => item.kind);
    assert.deepEqual([...new Set(kinds)], ['sitemap'], 'the roots themselves');
  });
});
