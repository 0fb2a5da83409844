import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { censusOf, copyHtml } from './folder-census.ts';

test('regular files are counted, hidden ones and links are not, and HTML alone is copied', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-census-'));
  try {
    const from = join(folder, 'from');
    await mkdir(join(from, 'a/b'), { recursive: true });
    await mkdir(join(from, '.hidden'));
    await writeFile(join(from, 'a/b/page.html'), '<p>x');
    await writeFile(join(from, 'a/text.txt'), 'text 7.');
    await writeFile(join(from, '.hidden/page.html'), 'no');
    await symlink('a/text.txt', join(from, 'link.html'));
    const census = await censusOf(from);
    assert.deepEqual(census, { files: ['a/b/page.html', 'a/text.txt'], bytes: 11 });
    const html = await copyHtml(from, join(folder, 'to'), census);
    assert.deepEqual(html, { files: ['a/b/page.html'], bytes: 4 });
    assert.deepEqual(await censusOf(join(folder, 'to')), html);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
