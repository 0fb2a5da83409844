import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Field } from '../../readers/document/index.ts';
import { attributeText, type SummaryObject, summaryObject } from '../../soif/index.ts';
import { annotationWorld } from '../testing/annotation.ts';
import { versionOf } from './annotation.ts';
import type { AnnotationStoreOptions } from './annotation-store.ts';
import { annotationErrors } from './errors.ts';

const url = 'http://x.org/a';
const at = 1_700_000_000;
const page = (title: string) =>
  summaryObject(url, [
    ['Title', title],
    ['Keywords', 'gathered'],
    ['Type', 'HTML'],
    ['Full-Text', `the words of ${title}`],
    ['Time-to-Live', 100],
  ]);
const annotation = (...fields: Field[]) => ({ url, fields, author: 'Jo', at });

const opened = async (options: AnnotationStoreOptions = {}) => {
  const world = await annotationWorld(options);
  const title = () => attributeText(world.stored.objects.get(url) as SummaryObject, 'Title');
  return { ...world, title };
};

test('an annotation is shown at once, outlives gathering, and leaves the gathered values when it is removed', async () => {
  await using world = await opened();
  const { annotations, stored, gather } = world;
  await gather(annotations, page('one'));
  assert.equal(await annotations.set(annotation(['Title', 'Mine'], ['Class', 'H.3'])), 'stored');
  assert.equal(world.title(), 'Mine');
  assert.equal(
    await annotations.set({ ...annotation(['Title', 'Mine'], ['Class', 'H.3']), at: at + 9 }),
    'unchanged',
  );
  await gather(annotations, page('two'));
  assert.equal(world.title(), 'Mine');
  assert.deepEqual(await annotations.gathered(stored.objects.get(url) as SummaryObject), page('two'));
  // Another annotation in its place restores the values that only the first one hid.
  assert.equal(await annotations.set(annotation(['Keywords', 'mine'])), 'stored');
  assert.equal(world.title(), 'two');
  assert.equal(await annotations.remove(url), 'stored');
  assert.deepEqual(stored.objects.get(url), page('two'));
  await assert.rejects(annotations.remove(url), { code: annotationErrors.ANNOTATION_MISSING.code });
  assert.deepEqual([annotations.store.count, await annotations.store.merges(url)], [0, []]);
});

test('an annotation waits for a document that was not gathered yet', async () => {
  await using world = await opened();
  assert.equal(await world.annotations.set(annotation(['Title', 'Mine'])), 'waiting');
  await world.gather(world.annotations, page('one'));
  assert.equal(world.title(), 'Mine');
  const reopened = await world.open();
  assert.equal(reopened.store.count, 1);
  assert.deepEqual(await reopened.get('http://X.org/a'), annotation(['Title', 'Mine']));
  await reopened.remove(url);
  assert.deepEqual(world.stored.objects.get(url), page('one'));
});

test('changing an annotation that somebody else has changed is refused', async () => {
  await using world = await opened();
  const { annotations } = world;
  await annotations.set(annotation(['Title', 'A']), versionOf(undefined));
  const read = versionOf(await annotations.get(url));
  await annotations.set(annotation(['Title', 'B']), read);
  const changed = { code: annotationErrors.ANNOTATION_CHANGED.code };
  await assert.rejects(annotations.set(annotation(['Title', 'C']), read), changed);
  await assert.rejects(annotations.remove(url, 'none'), changed);
  assert.deepEqual((await annotations.get(url))?.fields, [['Title', 'B']]);
});

test('there is a limit, and an import reports the records it could not take', async () => {
  await using world = await opened({ maxAnnotations: 2 });
  const one = (path: string, ...fields: Field[]) => ({ url: `http://x.org/${path}`, fields, author: '', at });
  const { annotations } = world;
  await annotations.set(one('1', ['Title', 'kept'], ['Class', 'old']));
  const taken = await annotations.take([
    one('1', ['Class', 'new']),
    one('2', ['MD5', 'x']),
    one('3', ['A', 'b']),
  ]);
  assert.deepEqual(taken.outcomes, { stored: 0, unchanged: 0, waiting: 2, 'next-run': 0 });
  assert.deepEqual(
    taken.refused.map((each) => each.url),
    ['http://x.org/2'],
  );
  assert.deepEqual((await annotations.get('http://x.org/1'))?.fields, [
    ['Title', 'kept'],
    ['Class', 'new'],
  ]);
  await assert.rejects(annotations.set(one('4', ['A', 'b'])), {
    code: annotationErrors.ANNOTATION_FULL.code,
  });
  const listed: string[] = [];
  for await (const each of annotations.store.list('http://x.org/1')) listed.push(each.url);
  assert.deepEqual(listed, ['http://x.org/3']);
});

test('an annotation that could not be shown is shown when it is written again', async () => {
  await using world = await opened();
  await world.gather(world.annotations, page('one'));
  world.stored.dying = true;
  await assert.rejects(world.annotations.set(annotation(['Title', 'Mine'])), /killed/);
  world.stored.dying = false;
  assert.equal(world.title(), 'one');
  assert.equal(await world.annotations.set(annotation(['Title', 'Mine'])), 'stored');
  assert.equal(world.title(), 'Mine');
  assert.equal(await world.annotations.set(annotation(['Title', 'Mine'])), 'unchanged');
});

test('a document whose hidden values are unknown is read again', async () => {
  await using world = await opened();
  const { annotations, stored } = world;
  await world.gather(annotations, page('one'));
  await annotations.set(annotation(['Title', 'Mine']));
  // Another object was stored without a merge.
  stored.objects.set(url, summaryObject(url, [['Title', 'of a backup']]));
  assert.equal(await annotations.set(annotation(['Title', 'Yours'])), 'next-run');
  assert.deepEqual(stored.toRead, [url]);
});

const steps = fc.array(
  fc.record({
    act: fc.constantFrom('gather', 'set', 'remove', 'reopen'),
    word: fc.constantFrom('one', 'two', 'three'),
    dies: fc.boolean(),
  }),
  { maxLength: 12 },
);

test('after any changes and kills, the object is the last gathered one with the last annotation', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (acts) => {
      await using world = await opened();
      let annotations = world.annotations;
      let last: SummaryObject | undefined;
      for (const { act, word, dies } of acts) {
        world.stored.dying = dies;
        try {
          if (act === 'set') await annotations.set(annotation(['Title', `my ${word}`], [`X-${word}`, 'new']));
          if (act === 'remove') await annotations.remove(url).catch(rethrowUnlessMissing);
          if (act === 'gather') {
            const merged = await annotations.applyTo(page(word));
            // Killed after the merge was noted and before the object was stored: it is not gathered.
            if (!dies) world.stored.objects.set(url, merged);
            if (!dies) last = page(word);
          }
        } catch (error) {
          assert.match(String(error), /killed/);
        }
        world.stored.dying = false;
        if (act !== 'reopen' && !dies) continue;
        annotations = await world.open();
        await annotations.resume();
      }
      if (world.stored.toRead.length > 0 && last !== undefined) await world.gather(annotations, last);
      const expected = last === undefined ? undefined : await annotations.applyTo(last);
      assert.deepEqual(world.stored.objects.get(url), expected);
    }),
    { numRuns: 40 },
  );
});

function rethrowUnlessMissing(error: unknown): void {
  if ((error as { code?: string }).code !== annotationErrors.ANNOTATION_MISSING.code) throw error;
}

test('an import without an author keeps the author', async () => {
  await using world = await opened();
  await world.annotations.set(annotation(['Title', 'Mine']));
  await world.annotations.take([{ url, fields: [['Keywords', 'soup']], author: '', at }]);
  assert.equal((await world.annotations.get(url))?.author, 'Jo');
  await world.annotations.take([{ url, fields: [['Keywords', 'stew']], author: 'Cataloguer', at }]);
  assert.equal((await world.annotations.get(url))?.author, 'Cataloguer');
});
