import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Enumerator } from './enumerator.ts';
import { baseUrl, Site } from './folder-site.test.ts';
import { defaultPlan } from './pipeline-plan.ts';
import { verdictOf } from './why.ts';

/** A root that takes in nothing. */
const elsewhere = (covers: boolean | undefined, rule: string): Enumerator => ({
  enumerate: async function* () {},
  decide: async (url) => ({ url, included: false, rule }),
  ...(covers === undefined ? {} : { covers: () => covers }),
});

test('of several roots the one that covers a URL says why', async () => {
  const ruleOf = async (...roots: readonly Enumerator[]) => (await verdictOf(roots, 'http://x/')).rule;
  const [no, yes, any] = [elsewhere(false, 'no'), elsewhere(true, 'yes'), elsewhere(undefined, 'any')];
  assert.equal(await ruleOf(no, any, yes), 'yes');
  assert.equal(await ruleOf(no, any), 'no');
  assert.match(await ruleOf(), /no root.*--config/);
});

test('what is no absolute URL is refused', async () => {
  await using site = await Site.make();
  for (const text of ['a.html', '/srv/a.html', ''])
    await assert.rejects(site.gatherer.why(text), { code: 'GATHERER_NO_URL' });
});

test('a published URL is answered for the one that is read', async () => {
  await using site = await Site.make();
  site.published = (url) => url.replace(baseUrl, 'https://out.example/');
  await site.reopen();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  const expected = [`${baseUrl}a.html`, true, 'https://out.example/a.html', true];
  for (const url of ['https://out.example/a.html', `${baseUrl}a.html`]) {
    const why = await site.gatherer.why(url);
    assert.deepEqual([why.url, why.included, why.publishedAs, why.object !== null], expected);
  }
});

test('what left a document out is told though its address is taken in', async () => {
  await using site = await Site.make();
  const rules = [{ condition: 'Title == "A"', instructions: [{ kind: 'delete' } as const] }];
  site.plan = {
    ...defaultPlan,
    selection: { stop: ['Text'] },
    customise: { ...defaultPlan.customise, rules },
  };
  await site.reopen();
  await site.page('a.html', 'A');
  await writeFile(join(site.root, 'b.txt'), 'words');
  await site.gatherer.run();
  for (const [name, rule] of [
    ['a.html', 'a rule deletes it (gatherer.rules)'],
    ['b.txt', 'type Text is left out (gatherer.stop)'],
  ] as const) {
    const why = await site.gatherer.why(`${baseUrl}${name}`);
    assert.deepEqual([why.included, why.object, why.left], [true, null, { [rule]: 1 }]);
  }
});

test('a document in another is in or out with that, and each tells of the other', async () => {
  await using site = await Site.make();
  await writeFile(join(site.root, 'a.bib'), '@book{one, title = {One}}\n@book{two, title = {Two}}\n');
  await site.gatherer.run();
  const whole = await site.gatherer.why(`${baseUrl}a.bib`);
  assert.deepEqual([whole.included, whole.object, whole.parts], [true, null, 2]);
  const objects = [];
  await using snapshot = await site.data.store.snapshot();
  for await (const { oid } of snapshot.scan()) objects.push(await site.gatherer.summary(oid));
  const part = await site.gatherer.why(objects[0]?.url ?? '');
  assert.deepEqual([part.included, part.within, part.object !== null], [true, `${baseUrl}a.bib`, true]);
  const none = await site.gatherer.why(`${baseUrl}a.bib#three`);
  assert.deepEqual([none.included, none.object, none.met], [true, null, false]);
});
