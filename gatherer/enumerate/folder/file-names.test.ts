import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { baseUrl, Site } from '../../testing/folder-site.ts';
import { decodedName, encodedName, osPath, shownName, textOfName } from './file-names.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

test('every name has one text, one path and one segment of a URL', () => {
  const same = (bytes: Buffer) => {
    const name = textOfName(bytes);
    assert.deepEqual(Buffer.from(osPath(name)), bytes);
    assert.equal(decodedName(encodedName(name)), name);
    assert.match(encodedName(name), /^[\x21-\x7e]*$/);
  };
  const table: readonly (readonly [bytes: Buffer, segment: string, shown: string])[] = [
    [latin1('l\xe9.txt'), 'l%E9.txt', 'lé.txt'],
    [latin1('Pr\xfcfung f\xfcr M\xe4rz.html'), 'Pr%FCfung%20f%FCr%20M%E4rz.html', 'Prüfung für März.html'],
    [Buffer.from('é\u{1f600}'), '%C3%A9%F0%9F%98%80', 'é\u{1f600}'],
    [Buffer.concat([Buffer.from('é'), latin1('\xe9')]), '%C3%A9%E9', 'Ã©é'],
    [latin1('\x90V\x82\xb5\x82\xa2\x95\x5c.txt'), '%90V%82%B5%82%A2%95%5C.txt', '新しい表.txt'],
    [latin1('\xed\xa0\x80'), '%ED%A0%80', shownName(textOfName(latin1('\xed\xa0\x80')))],
    [Buffer.from('\ufffd'), '%EF%BF%BD', '\ufffd'],
    [latin1('100%\xe9'), '100%25%E9', '100%é'],
    [latin1('\xff'), '%FF', 'ÿ'],
  ];
  for (const [bytes, segment, shown] of table) {
    same(bytes);
    const name = textOfName(bytes);
    assert.deepEqual([encodedName(name), shownName(name)], [segment, shown]);
  }
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => same(Buffer.from(bytes))));
  assert.throws(() => decodedName('a%'), URIError);
  assert.throws(() => decodedName('%E9%zz'), URIError);
});

/** A file below the site's folder, by the bytes of its path in Latin-1. */
const write = (site: Site, path: string, text: string) =>
  writeFile(Buffer.concat([Buffer.from(`${site.root}/`), latin1(path)]), text);

test('case 70: files and folders whose names are not UTF-8 are gathered, watched and found again', async () => {
  await using site = await Site.make();
  const at = (path: string) => Buffer.concat([Buffer.from(`${site.root}/`), latin1(path)]);
  await mkdir(at('pr\xe9s'));
  await write(site, 'l\xe9.html', '<title>Summer</title>Words');
  await write(site, 'pr\xe9s/a.html', '<title>Inside</title>Words');
  await write(site, 'pr\xe9s/\xe9t\xe9.txt', '');
  await symlink(at('pr\xe9s/a.html'), at('alias\xe9.html'));
  const urls = ['alias%E9.html', 'l%E9.html', 'pr%E9s/%E9t%E9.txt', 'pr%E9s/a.html'].map(
    (end) => baseUrl + end,
  );
  const report = await site.gatherer.run();
  assert.deepEqual([report.objects, report.skipped, report.failed], [4, {}, 0]);
  assert.deepEqual(await site.titles(), ['Inside', 'Inside', 'Summer', 'été.txt']);
  for (const url of urls) assert.equal((await site.gatherer.why(url)).included, true, url);
  const empty = await site.gatherer.why(urls[2] ?? '');
  assert.ok(empty.object);
  const again = await site.gatherer.run();
  assert.deepEqual([again.objects, again.unchanged, again.deleted], [4, 4, 0]);
  await rename(at('l\xe9.html'), at('l\xe8.html'));
  await rm(at('pr\xe9s'), { recursive: true });
  const moved = await site.gatherer.run();
  assert.deepEqual([moved.objects, moved.deleted], [1, 4]);
});

test('case 72: a file from before 1970 or from the future is gathered once, without its time', async () => {
  await using site = await Site.make();
  const times = [-315_619_200, 4_102_444_800, 10_000_000_000, 15_000_000_000];
  for (const [index, time] of times.entries()) {
    await site.page(`${index}.html`, 'Words');
    await utimes(join(site.root, `${index}.html`), new Date(time * 1000), new Date(time * 1000));
  }
  assert.deepEqual((await site.gatherer.run()).objects, 4);
  assert.deepEqual(await site.values('Last-Modification-Time'), ['', '', '', '']);
  const again = await site.gatherer.run();
  assert.deepEqual([again.objects, again.unchanged], [4, 4]);
});
