import assert from 'node:assert/strict';
import { appendFile, cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { inFolder, open } from '../testing/storage.ts';
import { type Action, action, Model } from '../testing/store-model.ts';

const actions = fc.array(action, { maxLength: 25, size: 'max' });

test('a store in memory does what a plain list does', async () => {
  await fc.assert(
    fc.asyncProperty(actions, async (list) => {
      const model = new Model();
      await using store = await open({ memoryBytes: 64 * 2 ** 20 });
      for (const one of list) await model.run(store, one);
      await model.check(store);
    }),
    { numRuns: 100 },
  );
});

test('a store on disk does what a plain list does, also when it is opened again in between', async () => {
  await fc.assert(
    fc.asyncProperty(actions, fc.constantFrom(0, 200_000, 2 ** 24), async (list, memoryBytes) =>
      inFolder(async (folder) => {
        const options = { folder, memoryBytes, diskBytes: 64 * 2 ** 20 };
        const model = new Model();
        let store = await open(options);
        try {
          for (const one of list) {
            await model.run(store, one);
            if (one.do !== 'again') continue;
            await model.check(store);
            await store[Symbol.asyncDispose]();
            store = await open(options);
          }
          await model.check(store);
        } finally {
          await store[Symbol.asyncDispose]();
        }
      }),
    ),
    { numRuns: 20 },
  );
});

/** Copy a folder whose files may be removed meanwhile. */
async function copyFolder(from: string, to: string): Promise<void> {
  for (let turn = 1; ; turn++) {
    try {
      return await cp(from, to, { recursive: true });
    } catch (error) {
      if (turn === 10 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await rm(to, { recursive: true, force: true });
    }
  }
}

/** Do actions in a store and hand on a copy of its folder as a process that dies then would leave it. */
async function crashed(
  list: readonly Action[],
  work: (copy: string, model: Model) => Promise<void>,
  { flush }: { readonly flush: boolean },
): Promise<void> {
  await inFolder(async (folder) => {
    const [live, copy] = [join(folder, 'live'), join(folder, 'copy')];
    const model = new Model();
    await using store = await open({ folder: live, diskBytes: 64 * 2 ** 20 });
    for (const one of list) await model.run(store, one);
    if (flush) await store.flush();
    await copyFolder(live, copy);
    await work(copy, model);
  });
}

const putSome = fc.array(action, { minLength: 8, maxLength: 25, size: 'max' });

/** The second head comes in the very moment in which the first, of what was replaced, has been dealt with. */
const headAfterReplaced: Action[] = [
  { do: 'put', key: 0, variant: 0, size: 65_537, tags: [] },
  { do: 'head', key: 0 },
  { do: 'put', key: 0, variant: 0, size: 300, tags: [] },
  { do: 'head', key: 0 },
];

test('a process that dies after a flush loses nothing', async () => {
  await fc.assert(
    fc.asyncProperty(putSome, (list) =>
      crashed(
        list,
        async (copy, model) => {
          await using store = await open({ folder: copy, diskBytes: 64 * 2 ** 20 });
          await model.check(store);
        },
        { flush: true },
      ),
    ),
    { numRuns: 10, examples: [[headAfterReplaced]] },
  );
});

const filesIn = async (folder: string) => {
  const paths: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    // LevelDB has its own checks, and tests of its own.
    if (!name.startsWith('purges') && (await stat(path)).isFile()) paths.push(path);
  }
  return paths.sort();
};

/** That everything a store holds was once stored so, whole. */
async function holdsOnlyTruth(folder: string, model: Model): Promise<number> {
  await using store = await open({ folder, diskBytes: 64 * 2 ** 20, memoryBytes: 0 });
  const living = new Set(model.entries.map((entry) => Model.nameOf(entry)));
  const found = await Model.holdings(store, (error) =>
    assert.ok(isGarnerError(error, cacheErrors.CACHE_DAMAGED), String(error)),
  );
  for (const one of found) {
    const name = Model.nameOf(one);
    assert.ok(model.ever.has(name), `never stored: ${name}`);
    // A removed entry may be back only for validation.
    assert.ok(living.has(name) || one.standing === 'outdated', `had left: ${name}`);
    const known = model.entries.find((entry) => Model.nameOf(entry) === name);
    if (known === undefined) continue;
    assert.ok(one.content.equals(known.content));
    assert.ok(known.standing === 'as stored' || one.standing !== 'as stored', `fresh again: ${name}`);
  }
  return found.length;
}

test('a bit that flips on disk is found out: nothing is served that was not stored so', async () => {
  let flips = 0;
  let kept = 0;
  await fc.assert(
    fc.asyncProperty(putSome, fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), (list, places) =>
      crashed(
        list,
        async (copy, model) => {
          const paths = await filesIn(copy);
          for (const place of places) {
            const path = paths[place % paths.length] as string;
            const bytes = await readFile(path);
            if (bytes.length === 0) continue;
            const at = Math.floor((place / 0x8000_0000) * bytes.length) % bytes.length;
            bytes[at] = (bytes[at] as number) ^ (1 << (place & 7));
            await writeFile(path, bytes);
            flips++;
          }
          kept += await holdsOnlyTruth(copy, model);
        },
        { flush: true },
      ),
    ),
    { numRuns: 20 },
  );
  assert.ok(flips > 10 && kept > 10);
});

test('files that are cut off at any byte lose what was cut, and nothing purged or replaced is fresh again', async () => {
  await fc.assert(
    fc.asyncProperty(putSome, fc.nat(), fc.double({ min: 0, max: 1, noNaN: true }), (list, which, where) =>
      crashed(
        list,
        async (copy, model) => {
          const paths = await filesIn(copy);
          const path = paths[which % paths.length] as string;
          await truncate(path, Math.floor((await stat(path)).size * where));
          await holdsOnlyTruth(copy, model);
        },
        { flush: true },
      ),
    ),
    { numRuns: 40 },
  );
});

test('a record half written at the end of the journal is passed over, and what follows is not lost', () =>
  inFolder(async (folder) => {
    const list: Action[] = [0, 1, 2].map((key) => ({ do: 'put', key, variant: 0, size: 300, tags: [] }));
    const model = new Model();
    {
      await using store = await open({ folder });
      for (const one of list) await model.run(store, one);
    }
    const journal = (await readdir(folder)).find((name) => name.startsWith('journal-')) as string;
    await appendFile(join(folder, journal), Buffer.alloc(33, 7));
    {
      await using store = await open({ folder });
      await model.check(store);
      await model.run(store, { do: 'put', key: 4, variant: 0, size: 300, tags: [] });
    }
    await using store = await open({ folder });
    await model.check(store);
  }));
