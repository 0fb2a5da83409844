import assert from 'node:assert/strict';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../../kernel/index.ts';
import { storeErrors } from '../../../store/index.ts';
import { cacheErrors } from '../../errors.ts';
import { bytesIn, bytesOf, contentUnder, headOf, inFolder, open, put } from '../../testing/storage.ts';
import type { Entry } from '../model/entry.ts';

const key = 'http://a.example/x';
const isDamaged = (error: unknown) => isGarnerError(error, cacheErrors.CACHE_DAMAGED);
const isGone = (error: unknown) => isGarnerError(error, cacheErrors.CACHE_GONE);

test('committed responses are found after the store is opened again', () =>
  inFolder(async (folder) => {
    const sizes = [0, 1, 65_535, 65_536, 65_537, 200_000, 1_000_000];
    {
      await using store = await open({ folder });
      for (const size of sizes) {
        const head = headOf(`${key}${size}`, { at: 7, selecting: ['accept', 'text/html'], mark: 'm' });
        assert.ok(await put(store, `${key}${size}`, bytesOf(size, size), { head, tags: ['t', 't', ''] }));
      }
    }
    await using store = await open({ folder });
    assert.equal(store.statistics().entries, sizes.length);
    for (const size of sizes) {
      const [entry, ...others] = await store.variants(`${key}${size}`);
      assert.ok(entry);
      assert.deepEqual(others, []);
      assert.deepEqual(
        entry.head,
        headOf(`${key}${size}`, { at: 7, selecting: ['accept', 'text/html'], mark: 'm' }),
      );
      assert.deepEqual(entry.tags, ['t']);
      assert.equal(entry.contentLength, size);
      assert.ok((await bytesIn(store.read(entry))).equals(bytesOf(size, size)), String(size));
      for (const [first, last] of [
        [0, 0],
        [65_530, 65_540],
        [65_536, 131_072],
        [size - 1, size - 1],
      ] as const) {
        if (first < 0 || last >= size) continue;
        const part = await bytesIn(store.read(entry, { first, last }));
        assert.ok(part.equals(bytesOf(size, size).subarray(first, last + 1)), `${size}: ${first}-${last}`);
      }
    }
  }));

test('a folder belongs to one store at a time', () =>
  inFolder(async (folder) => {
    await using _store = await open({ folder });
    await assert.rejects(open({ folder }), (error) => isGarnerError(error, storeErrors.STORE_LOCKED));
  }));

test('a head given to a stored content is there at once and after a restart', () =>
  inFolder(async (folder) => {
    {
      await using store = await open({ folder });
      const entry = await put(store, key, bytesOf(1, 1000), { tags: ['t'] });
      assert.ok(entry);
      await store.purge({ url: key }, { soft: true });
      assert.ok((await store.variants(key))[0]?.staleSinceMs);
      const made = store.updateHead(entry, headOf(key, { at: 5, mark: 'new' }));
      assert.equal(made?.id, entry.id);
      assert.deepEqual([made?.invalidated, made?.staleSinceMs], [false, undefined]);
      assert.deepEqual(await store.variants(key), [made]);
    }
    await using store = await open({ folder });
    const [entry] = await store.variants(key);
    assert.deepEqual(entry?.head, headOf(key, { at: 5, mark: 'new' }));
    assert.deepEqual([entry?.invalidated, entry?.staleSinceMs], [false, undefined]);
    // Purges by prefix find it by its origin again.
    assert.equal(await store.purge({ prefix: 'http://elsewhere.example/' }, { soft: false }), 0);
    assert.ok((await contentUnder(store, key))?.equals(bytesOf(1, 1000)));
  }));

test('evicted, replaced or removed responses stay readable to their readers', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder, memoryBytes: 0, diskBytes: 4 * 2 ** 20 });
    for (const size of [30_000, 600_000]) {
      const entry = await put(store, key, bytesOf(size, size));
      assert.ok(entry);
      const readings = [store.read(entry), store.read(entry)];
      const first = readings[0]?.[Symbol.asyncIterator]();
      const begun = await first?.next();
      await put(store, key, bytesOf(2, 100));
      await assert.rejects(bytesIn(store.read(entry)), isGone);
      for (let at = 0; at < 200; at++) await put(store, `${key}/${at}`, bytesOf(at, 30_000));
      assert.equal((await bytesIn(readings[1] as AsyncIterable<Uint8Array>)).length, size);
      let length = begun?.value?.length ?? 0;
      for (let next = await first?.next(); next?.done === false; next = await first?.next())
        length += next.value.length;
      assert.equal(length, size);
    }
  }));

test('the response stored last is found and read without the disk, and stays so for its reader', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder, memoryBytes: 800_000 });
    const before = store.statistics().memoryBytes;
    await put(store, key, bytesOf(1, 30_000), { tags: ['t'] });
    assert.ok(store.statistics().memoryBytes > before);
    const other = await put(store, `${key}/other`, bytesOf(2, 20_000));
    assert.ok(other);
    // The bytes on disk are useless now.
    for (const name of await readdir(join(folder, 'segments')))
      await writeFile(join(folder, 'segments', name), Buffer.alloc(100_000));
    const found = store.variants(key);
    assert.ok(Array.isArray(found));
    const [entry] = found as readonly Entry[];
    assert.ok(entry);
    assert.deepEqual([entry.head, entry.tags], [headOf(key), ['t']]);
    assert.ok(bytesOf(1, 30_000).equals(store.hotContent(entry) ?? Buffer.alloc(0)));
    assert.ok(bytesOf(2, 20_000).equals(await bytesIn(store.read(other))));
    assert.ok(
      bytesOf(2, 20_000)
        .subarray(5, 9)
        .equals(await bytesIn(store.read(other, { first: 5, last: 8 }))),
    );
    await store.purge({ url: key }, { soft: false });
    assert.deepEqual(store.variants(key), []);
  }));

test('an empty content is in memory as any other', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder });
    await put(store, key, Buffer.alloc(0));
    const [entry] = await store.variants(key);
    assert.ok(entry);
    assert.equal(store.hotContent(entry)?.length, 0);
    assert.equal((await bytesIn(store.read(entry))).length, 0);
  }));

test('a head given to one variant while another is being stored is the one that is found', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder });
    const of = (language: string, at: number) =>
      headOf(key, { at, selecting: ['accept-language', language], mark: `${language}${at}` });
    const english = async () => (await store.variants(key)).find(({ head }) => head.selecting[1] === 'en');
    await put(store, key, bytesOf(1, 100), { head: of('en', 1) });
    // At every step of the storing.
    for (let turns = 0; turns < 60; turns++) {
      const before = await english();
      assert.ok(before);
      const writer = store.write({ key, head: of('de', 2 + turns) });
      await writer?.append(bytesOf(2, 100));
      const stored = writer?.commit();
      for (let turn = 0; turn < turns; turn++) await undefined;
      store.updateHead(before, of('en', 10 + turns));
      await stored;
      assert.deepEqual((await english())?.head, of('en', 10 + turns));
      await store.flush();
    }
  }));

test('what was stored is found on disk when others were stored since', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder, memoryBytes: 800_000 });
    const before = await put(store, key, bytesOf(1, 30_000));
    for (let at = 0; at < 10; at++) await put(store, `${key}/${at}`, bytesOf(at, 20_000));
    assert.ok(before);
    assert.ok(!Array.isArray(store.variants(key)));
    assert.ok(bytesOf(1, 30_000).equals(await bytesIn(store.read(before))));
    assert.ok(store.statistics().memoryBytes <= 800_000);
  }));

test('a joined reader reads what was written, during the write and after it', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder });
    for (const size of [100_000, 1_000_000]) {
      const content = bytesOf(size, size);
      const writer = store.write({ key, head: headOf(key) });
      assert.ok(writer);
      const readAll = async () => {
        const pieces: Uint8Array[] = [];
        for (let at = 0; at < writer.written; ) {
          const piece = await writer.readBack(at, 70_000);
          assert.ok(piece.length > 0);
          pieces.push(piece);
          at += piece.length;
        }
        return Buffer.concat(pieces);
      };
      for (let at = 0; at < size; at += 33_333) {
        assert.ok(await writer.append(content.subarray(at, at + 33_333)));
        if (at % 5 === 0) assert.ok((await readAll()).equals(content.subarray(0, writer.written)));
      }
      assert.ok(await writer.commit());
      await put(store, key, bytesOf(3, 3));
      assert.ok((await readAll()).equals(content));
    }
  }));

test('a joined reader does not get a response that is damaged on disk', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder });
    const writer = store.write({ key, head: headOf(key) });
    const content = bytesOf(1, 400_000);
    for (let at = 0; at < content.length; at += 50_000)
      await writer?.append(content.subarray(at, at + 50_000));
    const [name = ''] = (await readdir(join(folder, 'contents'), { recursive: true })).filter((one) =>
      one.includes('/'),
    );
    const path = join(folder, 'contents', name);
    const stored = await readFile(path);
    stored[70_000] = (stored[70_000] as number) ^ 1;
    await writeFile(path, stored);
    assert.ok(Buffer.from((await writer?.readBack(10, 100)) ?? []).equals(content.subarray(10, 110)));
    await assert.rejects(async () => writer?.readBack(66_000, 100), isDamaged);
    writer?.abort();
  }));

test('very many variants under one URL leave the latest of them, and nothing behind', async () => {
  await inFolder(async (folder) => {
    for (const [opening, count] of [
      [{}, 3000],
      [{ folder }, 300],
    ] as const) {
      await using store = await open(opening);
      for (let at = 0; at < count; at++) {
        const head = headOf(key, { at, selecting: ['user-agent', `${at}`] });
        assert.ok(await put(store, key, bytesOf(at, 100), { head }));
      }
      const found = await store.variants(key);
      assert.equal(found.length, 64);
      assert.equal(found[0]?.head.receivedAtMs, count - 1);
      assert.equal(found.at(-1)?.head.receivedAtMs, count - 64);
      assert.equal(store.statistics().entries, 64);
    }
  });
});

test('no descriptor stays open, whatever was read, given up, evicted or removed', () =>
  inFolder(async (folder) => {
    const descriptors = async () => {
      const links = (await readdir('/proc/self/fd')).map((name) => readlink(`/proc/self/fd/${name}`));
      const paths = await Promise.all(links.map((link) => link.catch(() => '')));
      return paths.filter((path) => path.startsWith(folder)).length;
    };
    {
      await using store = await open({ folder, memoryBytes: 0, diskBytes: 16 * 2 ** 20 });
      for (let at = 0; at < 100; at++) {
        const entry = await put(store, `${key}${at}`, bytesOf(at, 300_000));
        if (entry === undefined) continue;
        const reading = store.read(entry)[Symbol.asyncIterator]();
        await reading.next();
        if (at % 3 === 0) await reading.return?.();
        if (at % 5 === 0) store.remove(entry);
        const writer = store.write({ key, head: headOf(key) });
        await writer?.append(bytesOf(at, 300_000));
        if (at % 2 === 0) writer?.abort();
      }
      assert.ok((await descriptors()) <= 160);
    }
    assert.equal(await descriptors(), 0);
  }));

test('a writer that is aborted, lied to or too large leaves nothing behind', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder, largestEntryBytes: 500_000 });
    const before = store.statistics();
    assert.equal(await put(store, key, bytesOf(1, 10), { length: 11 }), undefined);
    assert.equal(await put(store, key, bytesOf(1, 500_001)), undefined);
    assert.equal(store.write({ key, head: headOf(key), length: 500_001 }), undefined);
    const writer = store.write({ key, head: headOf(key) });
    await writer?.append(bytesOf(1, 400_000));
    writer?.abort();
    writer?.abort();
    assert.equal(await writer?.commit(), undefined);
    assert.equal(store.has(key), false);
    await store.flush();
    assert.equal(store.statistics().entries, before.entries);
    assert.equal(store.statistics().contentBytes, 0);
    assert.equal(store.statistics().memoryBytes, 0);
  }));

test('responses with other selecting fields are stored together, the latest received first', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder });
    const of = (language: string, at: number) =>
      headOf(key, { at, selecting: ['accept-language', language] });
    await put(store, key, Buffer.from('en'), { head: of('en', 2) });
    await put(store, key, Buffer.from('de'), { head: of('de', 3) });
    await put(store, key, Buffer.from('fr'), { head: of('fr', 1) });
    await put(store, key, Buffer.from('DE'), { head: of('de', 0) });
    const found = await store.variants(key);
    const texts = await Promise.all(found.map((entry) => bytesIn(store.read(entry))));
    assert.equal(texts.join(), 'en,fr,DE');
  }));
