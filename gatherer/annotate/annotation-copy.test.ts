import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, systemRandom } from '../../kernel/index.ts';
import { openDataFolder } from '../../store/index.ts';
import { openAnnotations } from './annotation-copy.ts';
import { AnnotationStore } from './annotation-store.ts';

const step = 24;

async function openAt(path: string) {
  const folder = await openDataFolder(path, {
    ...{ role: 'gatherer' as const, create: true, clock: new ManualClock(), random: systemRandom },
  });
  const { database, copy } = await openAnnotations(folder);
  const store = await AnnotationStore.open(database, { copy });
  await folder.settleMended();
  return { folder, store };
}

async function annotationsAt(path: string): Promise<readonly string[]> {
  const { folder, store } = await openAt(path);
  await using _ = folder;
  const found: string[] = [];
  for await (const { url, fields } of store.list()) found.push(`${url} ${JSON.stringify(fields)}`);
  assert.equal(store.count, found.length);
  return found;
}

test('an annotation whose record is damaged comes back from its second copy, and a deleted one stays deleted', async () => {
  const root = await mkdtemp(join(tmpdir(), 'garner-annotations-'));
  try {
    const [sound, path] = [join(root, 'sound'), join(root, 'tried')];
    {
      const { folder, store } = await openAt(sound);
      await using _ = folder;
      const note = (url: string, value: string) =>
        store.put({ url, fields: [['Title', value]], author: 'jo', at: 1 });
      await note('https://a.example/', 'Old quay');
      await note('https://b.example/', 'Slipway');
      await store.delete('https://a.example/');
    }
    // Not read before: opening would merge the deletion into a table.
    const wanted = ['https://b.example/ [["Title","Slipway"]]'];
    for (const name of ['annotations', 'annotations-copy']) {
      const files = (await readdir(join(sound, name))).filter((file) => /\.(?:log|ldb)$/.test(file));
      for (const file of files) {
        const bytes = await readFile(join(sound, name, file));
        for (let at = 0; at < bytes.length; at += step) {
          await rm(path, { recursive: true, force: true });
          await cp(sound, path, { recursive: true });
          const damaged = Buffer.from(bytes);
          damaged[at] = (damaged[at] as number) ^ 2;
          await writeFile(join(path, name, file), damaged);
          assert.deepEqual(await annotationsAt(path), wanted, `${name}/${file} at ${at}`);
        }
      }
    }
  } finally {
    await rm(root, { recursive: true });
  }
});

test('an annotation is in the second copy before it is stored, and is not stored where the copy fails', async () => {
  const root = await mkdtemp(join(tmpdir(), 'garner-annotations-'));
  try {
    const folder = await openDataFolder(root, {
      ...{ role: 'gatherer' as const, create: true, clock: new ManualClock(), random: systemRandom },
    });
    await using _ = folder;
    const { database } = await openAnnotations(folder);
    let isFull = false;
    const copied: boolean[] = [];
    const store = await AnnotationStore.open(database, {
      copy: async () => {
        copied.push((await store.get('https://a.example/')) === undefined);
        if (isFull) throw new Error('no room');
      },
    });
    const put = (url: string) => store.put({ url, fields: [['Title', 'Quay']], author: 'jo', at: 1 });
    await put('https://a.example/');
    isFull = true;
    await assert.rejects(put('https://b.example/'), /no room/);
    assert.deepEqual([copied[0], store.count], [true, 1]);
    assert.equal(await store.get('https://b.example/'), undefined);
  } finally {
    await rm(root, { recursive: true });
  }
});
