import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { DistributionObjects } from '../settings.ts';
import { DocumentPipeline } from './document-pipeline.ts';
import { defaultPlan, type PipelinePlan } from './pipeline-plan.ts';
import type { Product } from './product.ts';
import { ThreadProcessor } from './threads/thread-processor.ts';
import { tryDocument } from './try-document.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

const hive: Files = {
  'hive-1.0/README': 'Hive 1.0\n\nHive counts the bees of a hive, one by one.\n',
  'hive-1.0/COPYING': 'GNU GENERAL PUBLIC LICENSE\nVersion 2, June 1991\n',
  'hive-1.0/configure': "#! /bin/sh\nPACKAGE_NAME='Hive'\nPACKAGE_VERSION='1.0'\n",
  'hive-1.0/Makefile.in': '# Builds it.\nall: hive\nhive: src/hive.o\n',
  'hive-1.0/man/hive.1': '.TH HIVE 1\n.SH NAME\nhive \\- count bees\n.SH SYNOPSIS\n.B hive\n[file]\n',
  'hive-1.0/src/hive.c': '/* Copyright (C) 1999 Ann Other */\nint count(void) { return 1; }\n',
  'hive-1.0/src/hive.h': 'int count(void);\n',
};

/** The file `archive` that a shell command makes from these files in a folder. */
function made(files: Files, command: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'garner-distribution-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    execFileSync('/bin/sh', ['-ec', command], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    return readFileSync(join(folder, 'archive'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function tar(files: Files, options = ''): Buffer {
  return made(files, `tar -c ${options} -f archive ${Object.keys(files).join(' ')}`);
}

function planOf(distributions: DistributionObjects, plan: Partial<PipelinePlan> = {}): PipelinePlan {
  return { ...defaultPlan, ...plan, unnest: { ...defaultPlan.unnest, ...plan.unnest, distributions } };
}

async function products(name: string, bytes: Uint8Array, plan = defaultPlan): Promise<readonly Product[]> {
  const found: Product[] = [];
  const document = { url: `http://site.example/${name}`, name, bytes };
  for await (const product of new DocumentPipeline(plan).process(document)) found.push(product);
  return found;
}

/** Part and type of each summary, or the other result of the part. */
function shown(found: readonly Product[]): readonly string[] {
  return found.map((product) => {
    if (product.kind === 'summary') return `${product.part}: ${product.summary.type}`;
    return `${product.part}: ${product.kind} ${product.kind === 'refused' ? product.code : product.rule}`;
  });
}

function attributes(product: Product | undefined): ReadonlyMap<string, string> {
  return new Map(product?.kind === 'summary' ? product.summary.attributes : []);
}

const whole = [': SourceDistribution'];

test('a source distribution is one object, in whatever form it is packed', async (t) => {
  const forms: readonly (readonly [name: string, command: string, program: string])[] = [
    ['hive-1.0.tar', 'tar cf archive hive-1.0', 'tar'],
    ['hive-1.0.tar.gz', 'tar czf archive hive-1.0', 'tar'],
    ['hive-1.0.tar.Z', 'tar cf - hive-1.0 | compress -c > archive', 'compress'],
    ['hive-1.0.txz', 'tar cJf archive hive-1.0', 'xz'],
    ['hive-1.0.zip', 'zip -qr archive.zip hive-1.0 && mv archive.zip archive', 'zip'],
    ['hive-1.0.7z', '7z a -bd archive.7z hive-1.0 && mv archive.7z archive', '7z'],
    ['hive-1.0.cpio', 'find hive-1.0 | cpio -o > archive', 'cpio'],
    ['hive-1.0.shar', 'find hive-1.0 -type f | shar -S > archive', 'shar'],
  ];
  for (const [name, command, program] of forms)
    await t.test(name, async (subtest: TestContext) => {
      if (!existsSync(`/usr/bin/${program}`) && !existsSync(`/bin/${program}`))
        return subtest.skip(`SKIPPED: install ${program}`);
      const found = await products(name, made(hive, command));
      assert.deepEqual(shown(found), whole);
      const values = attributes(found[0]);
      assert.deepEqual(
        [
          'Title',
          'Package',
          'Version',
          'License',
          'Synopsis',
          'Languages',
          'Member-Count',
          'Make-Targets',
        ].map((attribute) => values.get(attribute)),
        ['Hive 1.0', 'Hive', '1.0', 'GPL-2.0', 'hive [file]', 'C: 1\nC header: 1', '7', 'all\nhive'],
      );
      assert.equal(values.has('Summary-Note'), false);
    });
});

test('members, one or both, as the operator wants it', async () => {
  const archive = gzipSync(tar(hive));
  const members = shown(await products('hive.tgz', archive, planOf('members')));
  assert.equal(members.length, 7);
  assert.ok(members.includes('hive-1.0/src/hive.c: C') && members.includes('hive-1.0/README: README'));
  assert.deepEqual(shown(await products('hive.tgz', archive, planOf('one'))), whole);
  assert.deepEqual(shown(await products('hive.tgz', archive, planOf('both'))), [...members, ...whole]);
});

test('lists of types apply to it: stopped it gives nothing, not allowed its members are read', async () => {
  const archive = tar(hive);
  const stop = await products(
    'x.tar',
    archive,
    planOf('one', { selection: { stop: ['SourceDistribution'] } }),
  );
  assert.deepEqual(shown(stop), [': left-out type SourceDistribution is left out (gatherer.stop)']);
  const allow = await products('x.tar', archive, planOf('one', { selection: { allow: ['README'] } }));
  assert.deepEqual(
    shown(allow).filter((line) => !line.includes('left-out')),
    ['hive-1.0/README: README'],
  );
  const rules = [{ condition: 'Type == "SourceDistribution"', instructions: [{ kind: 'delete' as const }] }];
  const deleted = await products(
    'x.tar',
    archive,
    planOf('one', { customise: { ...defaultPlan.customise, rules } }),
  );
  assert.deepEqual(shown(deleted), [': left-out a rule deletes it (gatherer.rules)']);
});

test('archives of pages and other documents keep their members', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 5 }, (_, at) => [`site/${at}.html`, `<title>Page ${at}</title><p>x`]),
  );
  const site = { ...pages, 'site/menu.js': 'menu();\n', 'site/package.json': '{"name":"site"}\n' };
  const zipped = made(site, 'zip -qr archive.zip site && mv archive.zip archive');
  assert.equal((await products('site.zip', zipped)).length, 7);
  assert.equal((await products('src.tar', tar({ README: 'Words\n', 'a.c': 'int a;\n' }))).length, 2);
});

test('one inside another archive is one part of it', async () => {
  const outer = tar({ 'hive-1.0.tgz': gzipSync(tar(hive)), 'notes.txt': 'Notes\n' });
  assert.deepEqual(shown(await products('all.tar', outer)), [
    'hive-1.0.tgz: SourceDistribution',
    'notes.txt: Text',
  ]);
});

test('links in it are no fault of the summary', async () => {
  const archive = made(hive, 'ln -s README hive-1.0/LIESMICH && tar cf archive hive-1.0');
  const found = await products('x.tar', archive);
  assert.deepEqual(shown(found), ['hive-1.0/LIESMICH: refused UNNEST_PATH', ...whole]);
  assert.equal(attributes(found.at(-1)).has('Summary-Note'), false);
});

test('a bomb in it is refused, and the members before it are summarised with a note', async () => {
  const files = { ...hive, 'hive-1.0/zeros': Buffer.alloc(40 * 1024 * 1024) };
  const found = await products('x.tar.gz', gzipSync(tar(files)));
  assert.deepEqual(shown(found), ['x.tar.gz: refused UNNEST_RATIO', ...whole]);
  const values = attributes(found.at(-1));
  assert.match(values.get('Summary-Note') ?? '', /^Not unpacked: .*more than 200 times/);
  assert.equal(values.get('Member-Count'), '7');
  // A nested archive stays packed.
  const packed = { ...hive, 'hive-1.0/tests/zeros.gz': gzipSync(Buffer.alloc(100 * 1024 * 1024)) };
  assert.deepEqual(shown(await products('x.tar', tar(packed))), whole);
});

test('the summary of a broken archive of sources names the place of the fault', async () => {
  const archive = tar(hive);
  const found = await products('x.tar', archive.subarray(0, 6300));
  assert.deepEqual(shown(found), ['x.tar: refused UNNEST_BROKEN', ...whole]);
  assert.match(attributes(found.at(-1)).get('Summary-Note') ?? '', /^Not unpacked: /);
});

test('an archive is judged by the names at its beginning when it is large', async () => {
  const blob = Buffer.alloc(33 * 1024 * 1024, 1);
  const early = { ...hive, 'hive-1.0/z1': blob, 'hive-1.0/z2': blob, 'other/z3': 'x' };
  const late = { 'hive-1.0/z1': blob, 'hive-1.0/z2': blob, ...hive };
  const limits = { maxRatio: 10_000 };
  const plan = planOf('one', { unnest: { ...defaultPlan.unnest, limits } });
  assert.deepEqual(shown(await products('x.tar', tar(early), plan)), whole);
  assert.equal((await products('x.tar', tar(late), plan)).length, 9);
});

test('an operator’s rule makes a file a source distribution', async () => {
  const types = { ...defaultPlan.types, byName: [{ pattern: '\\.src$', type: 'SourceDistribution' }] };
  const archive = tar({ README: 'Words of an old program\n', 'a.c': 'int f(void) { return 1; }\n' });
  const found = await products('old.src', archive, { ...defaultPlan, types });
  assert.deepEqual(shown(found), whole);
  assert.equal(attributes(found[0]).get('Functions'), 'f');
  const limits = { maxMembers: 1 };
  const bounded = planOf('one', { types, unnest: { ...defaultPlan.unnest, limits } });
  assert.deepEqual(shown(await products('old.src', archive, bounded)), [
    'old.src: refused UNNEST_COUNT',
    ...whole,
  ]);
  const closed = planOf('one', { types, unnest: { ...defaultPlan.unnest, open: false } });
  const [packed] = await products('old.src', archive, closed);
  assert.deepEqual(attributes(packed).get('Members'), 'README 24\na.c 26');
  assert.deepEqual(shown(await products('bad.src', Buffer.from('words'), { ...defaultPlan, types })), [
    'bad.src: refused UNNEST_FORMAT',
    ...whole,
  ]);
});

test('a gzip file is no archive, and threads and trying a document give the same', async () => {
  assert.deepEqual(shown(await products('Makefile.gz', gzipSync('all: a.c\n'))), [': Makefile']);
  const document = { url: 'http://site.example/hive.tgz', name: 'hive.tgz', bytes: gzipSync(tar(hive)) };
  await using threads = new ThreadProcessor({ plan: planOf('both'), seconds: 30, heapMiB: 256, threads: 1 });
  const found: Product[] = [];
  for await (const product of threads.process(document)) found.push(product);
  assert.deepEqual(found, await products('hive.tgz', document.bytes, planOf('both')));
  const report = await tryDocument(document, defaultPlan);
  assert.deepEqual(
    report.objects.map(({ url, attributes: { Type } }) => [url, Type]),
    [[document.url, 'SourceDistribution']],
  );
  assert.ok(report.stages.some(({ result }) => result === 'SourceDistribution, by the names in it'));
});

test('a reader that stops early leaves nothing open', async () => {
  const pipeline = new DocumentPipeline(planOf('both'));
  const document = { url: 'http://site.example/x.tar', name: 'x.tar', bytes: tar(hive) };
  for await (const product of pipeline.process(document)) {
    assert.equal(product.kind, 'summary');
    break;
  }
  const stopped = pipeline.process(document, AbortSignal.abort(new Error('enough')));
  await assert.rejects(stopped.next(), /enough/);
});
