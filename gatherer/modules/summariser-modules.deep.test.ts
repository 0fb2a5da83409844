import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { InlineProcessor } from '../pipeline/inline-processor.ts';
import { defaultPlan, type PipelinePlan } from '../pipeline/pipeline-plan.ts';
import type { DocumentProcessor, Product } from '../pipeline/product.ts';
import { LightFirstProcessor } from '../pipeline/threads/light-first-processor.ts';
import { tryDocument } from '../pipeline/try-document.ts';
import { moduleErrors } from './errors.ts';
import type { SummariserModule } from './module-summarisers.ts';
import { prepareModule } from './prepare-module.ts';

const bounds = { seconds: 30, heapMiB: 128 };

let folder = '';
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'garner-modules-'));
});
after(() => rm(folder, { recursive: true }));

/** A module file of this text. */
async function file(name: string, text: string) {
  const path = join(folder, name);
  await writeFile(path, text);
  return { module: `./${name}`, path };
}

/** A plan in which HTML is given to a module of this text. */
async function plan(name: string, text: string, mode?: SummariserModule['mode']): Promise<PipelinePlan> {
  const own = await file(name, text);
  const module = { ...own, type: 'html', digest: await prepareModule(own, bounds), ...(mode && { mode }) };
  return { ...defaultPlan, customise: { ...defaultPlan.customise, modules: [module] } };
}

const page = (text: string, name = 'a.html') => ({
  url: `http://site.example/${name}`,
  name,
  bytes: Buffer.from(text),
  lastModified: 1_000_000,
});

async function all(processor: DocumentProcessor, document = page('<title>Soup</title>')) {
  const found: Product[] = [];
  for await (const product of processor.process(document)) found.push(product);
  return found;
}

function attributes(products: readonly Product[]): Readonly<Record<string, string>> {
  const last = products.at(-1);
  return last?.kind === 'summary' ? Object.fromEntries(last.summary.attributes) : {};
}

/** The processor of a Gatherer: it handles the first documents in this thread where that is safe. */
const processorOf = (own: PipelinePlan, more: Partial<typeof bounds> = {}) =>
  new LightFirstProcessor({ plan: own, threads: 1, ...bounds, ...more });

test('a module adds to Garner’s fields, in a worker thread, and changes nothing else', async () => {
  const own = await plan(
    'adds.js',
    `import { isMainThread } from 'node:worker_threads';
     export async function summarise(document) {
       const { url, name, type, mediaType, lastModified, fields, text } = document;
       document.bytes.fill(0);
       return {
         Title: fields.Title.toUpperCase(),
         'Full-Text': 'Other words',
         Given: [url, name, type, mediaType, lastModified],
         Source: text(),
         Known: Object.keys(fields).join(' '),
         Thread: isMainThread ? 'main' : 'worker',
       };
     }`,
  );
  await using processor = processorOf(own);
  const found = await all(processor, page('<title>Soup</title><p>Boil it.'));
  assert.equal(found.length, 1);
  const { MD5, ...reported } = attributes(found);
  assert.deepEqual(reported, {
    Title: 'SOUP',
    'Full-Text': 'Other words',
    Given: 'http://site.example/a.html\na.html\nHTML\ntext/html\n1000000',
    Source: '<title>Soup</title><p>Boil it.',
    Known: 'Title Full-Text',
    Thread: 'worker',
    Type: 'HTML',
    'File-Size': '30',
    'Last-Modification-Time': '1000000',
  });
  const garners = await all(new InlineProcessor(defaultPlan), page('<title>Soup</title><p>Boil it.'));
  assert.equal(MD5, attributes(garners).MD5);
});

test('a module replaces Garner’s summariser with mode: replace', async () => {
  const own = await plan('alone.js', 'export const summarise = () => [["Only", "this"]];', 'replace');
  await using processor = processorOf(own);
  const {
    Title,
    Only,
    'Full-Text': text,
  } = attributes(await all(processor, page('<title>Soup</title><p>x')));
  assert.deepEqual([Title, Only, text], ['a.html', 'this', undefined]);
});

test('a module that throws, or returns invalid values, leaves a note, and the run continues', async () => {
  const own = await plan(
    'throws.js',
    `export function summarise({ name }) {
       if (name === 'a.html') throw new Error('no soup today');
       if (name === 'b.html') throw { toString() { throw 1; } };
       if (name === 'c.html') return 'rubbish';
       if (name === 'd.html') return Promise.reject('later');
       return { Fine: true };
     }`,
  );
  await using processor = processorOf(own);
  const notes: (string | undefined)[] = [];
  const passing: (boolean | undefined)[] = [];
  for (const name of ['a.html', 'b.html', 'c.html', 'd.html', 'e.html']) {
    const found = await all(processor, page('<title>Soup</title>', name));
    const { Title, Fine, 'Summary-Note': note } = attributes(found);
    passing.push(found.at(-1)?.passing);
    assert.deepEqual([Title, Fine], ['Soup', name === 'e.html' ? 'true' : undefined]);
    notes.push(note);
  }
  // A thrown error may be gone the next time; only the author can correct a wrong result.
  assert.deepEqual(passing, [true, true, undefined, true, undefined]);
  assert.deepEqual(notes, [
    'The module ./throws.js failed: no soup today.',
    'The module ./throws.js failed: it does not say why.',
    'The module ./throws.js returned no valid attributes: it is neither a table nor a list of attributes.',
    'The module ./throws.js failed: later.',
    undefined,
  ]);
});

/** The document is given up for this reason, and the next one is as it should be. */
async function assertGivenUp(own: PipelinePlan, more: Partial<typeof bounds>, reason: RegExp): Promise<void> {
  await using processor = processorOf(own, more);
  const found = await all(processor, page('<title>Soup</title>', 'bad.html'));
  assert.deepEqual(
    found.map((product) => (product.kind === 'refused' ? product.code : product.kind)),
    ['GATHERER_GIVEN_UP', 'summary'],
  );
  assert.match(attributes(found)['Summary-Note'] ?? '', reason);
  assert.equal(attributes(await all(processor)).Fine, 'true');
}

const badOnly = (doing: string) =>
  `export async function summarise({ name }) { if (name === 'bad.html') { ${doing} } return { Fine: true }; }`;

test('a module that never returns is ended with its thread', async () => {
  for (const [name, doing] of [
    ['loops.js', 'for (;;);'],
    ['waits.js', 'await new Promise((resolve) => setInterval(() => {}, 1000));'],
  ] as const)
    await assertGivenUp(await plan(name, badOnly(doing)), { seconds: 2 }, /longer than 2 seconds/);
});

test('a module that eats memory, or ends its thread, is too', async () => {
  const eats = await plan(
    'eats.js',
    badOnly('for (const all = [];;) all.push(new Array(100_000).fill(name));'),
  );
  await assertGivenUp(eats, { heapMiB: 64 }, /more than 64 MiB of memory/);
  await assertGivenUp(await plan('exits.js', badOnly('process.exit(0);')), {}, /its thread ended/);
});

test('a module that was changed after the start is not used', async () => {
  const own = await plan('changes.js', 'export const summarise = () => ({ Version: 1 });');
  await file('changes.js', 'export const summarise = () => ({ Version: 2 });');
  await using processor = processorOf(own);
  const { Title, Version, 'Summary-Note': note } = attributes(await all(processor));
  assert.deepEqual([Title, Version], ['Soup', undefined]);
  assert.match(note ?? '', /^The module \.\/changes\.js has changed since/);
});

test('no module is ever run in the main thread', async () => {
  const own = await plan('main.js', 'export const summarise = () => ({ Ran: 1 });');
  const { Ran, 'Summary-Note': note } = attributes(await all(new InlineProcessor(own)));
  assert.equal(Ran, undefined);
  assert.match(note ?? '', /worker threads only/);
});

test('trying one document reports every stage, although a thread does the work', async () => {
  const own = await plan('tried.js', 'export const summarise = () => ({ Tried: 1 });');
  const report = await tryDocument(page('<title>Soup</title>'), own, bounds);
  assert.equal(report.type, 'HTML');
  assert.deepEqual(
    report.stages.map(({ stage }) => stage),
    ['recognise', 'summarise'],
  );
  assert.equal(report.objects[0]?.attributes.Tried, '1');
  const endless = await plan('endless.js', 'export const summarise = () => { for (;;); };');
  const given = await tryDocument(page('<title>Soup</title>'), endless, { ...bounds, seconds: 4 });
  assert.deepEqual([given.type, given.refused[0]?.code], ['HTML', 'GATHERER_GIVEN_UP']);
});

test('a module that cannot be used is refused at start, with its code', async () => {
  const refused = async (
    name: string,
    text: string | undefined,
    code: keyof typeof moduleErrors,
    said: RegExp,
  ) => {
    const own =
      text === undefined ? { module: `./${name}`, path: join(folder, name) } : await file(name, text);
    await assert.rejects(prepareModule(own, { seconds: 2, heapMiB: 64 }), (error) => {
      assert.ok(isGarnerError(error, moduleErrors[code]), String(error));
      assert.match(error.message, said);
      assert.ok(error.message.includes(`./${name}`) && error.exit === 2);
      return true;
    });
  };
  const summarise = 'export const summarise = () => ({});';
  await refused('nowhere.js', undefined, 'MODULE_ABSENT', /no such file/);
  await refused('', undefined, 'MODULE_ABSENT', /it is no file/);
  await refused(
    'silent.js',
    'export default () => ({}); export const summarize = 1;',
    'MODULE_EXPORT',
    /summarise/,
  );
  await refused('value.js', 'export const summarise = {};', 'MODULE_EXPORT', /no function/);
  await refused('broken.js', 'export function (', 'MODULE_LOAD', /./);
  await refused('throwing.js', `throw new Error('not today'); ${summarise}`, 'MODULE_LOAD', /not today/);
  await refused('lacking.js', `import 'no-such-package'; ${summarise}`, 'MODULE_LOAD', /no-such-package/);
  await refused('looping.js', `for (;;); ${summarise}`, 'MODULE_LOAD', /longer than 2 seconds/);
  await refused('waiting.js', `await new Promise(() => {}); ${summarise}`, 'MODULE_LOAD', /./);
  await refused('leaving.js', `process.exit(0); ${summarise}`, 'MODULE_LOAD', /ended its thread/);
  await refused(
    'hungry.js',
    `for (const a = [];;) a.push(new Array(1e5).fill(1)); ${summarise}`,
    'MODULE_LOAD',
    /memory/,
  );
});

test('another content is another digest, and so another plan', async () => {
  const first = await plan('digest.js', 'export const summarise = () => ({ Version: 1 });');
  const again = await plan('digest.js', 'export const summarise = () => ({ Version: 1 });');
  const second = await plan('digest.js', 'export const summarise = () => ({ Version: 2 });');
  assert.deepEqual(first, again);
  assert.notDeepEqual(first, second);
});

test('TypeScript is loaded by a Node that can, and refused with a hint by one that cannot', async () => {
  const own = await file(
    'typed.ts',
    `import type { Summarise } from 'garner/summariser';
     export const summarise: Summarise = ({ name }) => ({ Name: name });`,
  );
  if ((process.features as { readonly typescript?: unknown }).typescript) {
    assert.match(await prepareModule(own, bounds), /^[0-9a-f]{64}$/);
    return;
  }
  await assert.rejects(prepareModule(own, bounds), (error) => {
    assert.ok(isGarnerError(error, moduleErrors.MODULE_TYPESCRIPT));
    assert.match(error.hint, /compile it to JavaScript.*newer/);
    return true;
  });
});
