import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { UnreadRow } from './fetch-store.ts';
import { RowWindow } from './row-window.ts';

/** A fetch store of sorted URLs that counts its reads. */
function storeOf(urls: readonly string[]) {
  const rows = [...new Set(urls)].sort().map((url): UnreadRow => ({ url, row: () => assert.fail() }));
  const store = {
    looks: 0,
    read: 0,
    rowsFrom: async (url: string, limit: number) => {
      store.looks++;
      const found = rows.filter((row) => row.url >= url).slice(0, limit);
      store.read += found.length;
      return found;
    },
    async *rowBatches(prefix: string) {
      store.looks++;
      const found = rows.filter((row) => row.url.startsWith(prefix));
      store.read += found.length;
      if (found.length > 0) yield found;
    },
  };
  return store;
}

async function below(window: RowWindow, prefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const batch of window.below(prefix)) found.push(...batch.map(({ url }) => url));
  return found;
}

const many = Array.from({ length: 2000 }, (_, n) => `h/${String(n >> 1).padStart(4, '0')}/${n & 1}`);

test('for any prefixes in any order, all rows below each are returned', async () => {
  // A few folders of two rows, of hundreds, and of more than are read ahead.
  const folder = fc.constantFrom(
    'h/',
    'h/00',
    'h/0007/',
    'h/0008/',
    'h/01',
    'h/0255/',
    'h/0256/',
    'h/0999/',
    'z/',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(folder), async (prefixes) => {
      const window = new RowWindow(storeOf(many));
      for (const prefix of prefixes)
        assert.deepEqual(
          await below(window, prefix),
          many.filter((url) => url.startsWith(prefix)),
        );
    }),
  );
});

test('small folders in their order cost few reads; in another order little is read in vain', async () => {
  const folders = [...new Set(many.map((url) => url.slice(0, 7)))];
  const ordered = storeOf(many);
  const window = new RowWindow(ordered);
  for (const folder of folders) assert.equal((await below(window, folder)).length, 2);
  assert.ok(ordered.looks <= 5, `${ordered.looks} looks`);
  const backwards = storeOf(many);
  const other = new RowWindow(backwards);
  for (const folder of [...folders].reverse()) assert.equal((await below(other, folder)).length, 2);
  assert.ok(backwards.read <= 2000 + 8 * 512, `${backwards.read} rows read`);
});
