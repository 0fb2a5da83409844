import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { partUrl } from '../../readers/document/index.ts';
import { DocumentPipeline } from './document-pipeline.ts';
import { defaultPlan, type PipelinePlan } from './pipeline-plan.ts';
import type { Product } from './product.ts';

/** A tar archive of these files, in this order. */
function tar(files: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'garner-pipeline-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    return execFileSync('tar', ['-C', folder, '-cf', '-', ...Object.keys(files)]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function products(
  name: string,
  bytes: Uint8Array,
  plan: Partial<PipelinePlan> = {},
): Promise<readonly Product[]> {
  const pipeline = new DocumentPipeline({ ...defaultPlan, ...plan });
  const found: Product[] = [];
  for await (const product of pipeline.process({ url: `http://site.example/${name}`, name, bytes }))
    found.push(product);
  return found;
}

function shown(found: readonly Product[]): readonly (readonly string[])[] {
  return found.map((product) => {
    if (product.kind === 'summary') {
      const values = new Map(product.summary.attributes);
      return [product.part, product.summary.type, values.get('Title') ?? ''];
    }
    return [product.part, product.kind, product.kind === 'refused' ? product.code : product.rule];
  });
}

test('a compressed document is the document itself, by another presentation', async () => {
  const [only, ...others] = await products('notes.txt.gz', gzipSync('First words\n\nMore.\n'));
  assert.ok(only?.kind === 'summary' && others.length === 0);
  const values = new Map(only.summary.attributes);
  assert.deepEqual(
    [only.part, only.summary.type, values.get('Title'), values.get('Full-Text')],
    ['', 'Text', 'First words', 'First words\nMore.'],
  );
});

test('each document in an archive has a summary of its own, at any depth', async () => {
  const inner = gzipSync(tar({ 'deep/page.html': '<title>Deep</title><p>x' }));
  const archive = tar({ 'a b/README': 'Read me\n', 'inner.tgz': inner, 'photo.png': '\x89PNG' });
  assert.deepEqual(shown(await products('all.tar', archive)), [
    ['a b/README', 'README', 'Read me'],
    ['inner.tgz/deep/page.html', 'HTML', 'Deep'],
    ['photo.png', 'Image', 'photo.png'],
  ]);
  assert.equal(partUrl('http://x/all.tar', 'a b/c#d'), 'http://x/all.tar#a%20b/c%23d');
});

test('an archive has no summary when rules delete its members, a message keeps its own', async () => {
  const rules = [{ condition: 'Type == "Text"', instructions: [{ kind: 'delete' } as const] }];
  const customise = { ...defaultPlan.customise, rules };
  const deleted = (part: string) => [part, 'left-out', 'a rule deletes it (gatherer.rules)'];
  const inner = tar({ 'a.txt': 'A', 'b.txt': 'B' });
  assert.deepEqual(shown(await products('x.tar', inner, { customise })), [
    deleted('a.txt'),
    deleted('b.txt'),
  ]);
  const nest = tar({ 'inner.tar': inner });
  assert.deepEqual(shown(await products('y.tar', nest, { customise })), [
    deleted('inner.tar/a.txt'),
    deleted('inner.tar/b.txt'),
  ]);
  assert.deepEqual(shown(await products('a.txt.gz', gzipSync('words'), { customise })), [deleted('')]);
  const message = [
    ...['From: a@x.example', 'Subject: Hello', 'MIME-Version: 1.0'],
    ...['Content-Type: multipart/mixed; boundary=b', '', '--b', 'Content-Type: text/plain', '', 'words'],
    ...[
      '--b',
      'Content-Type: text/plain',
      'Content-Disposition: attachment; filename=a.txt',
      '',
      'A',
      '--b--',
      '',
    ],
  ].join('\r\n');
  const mail = shown(await products('m.eml', Buffer.from(message), { customise }));
  assert.deepEqual(mail, [deleted('a.txt'), ['', 'Mail', 'Hello']]);
});

test('stop and allow lists hold inside and outside', async () => {
  const archive = tar({ 'a.html': '<title>A</title>', 'b.txt': 'B' });
  assert.deepEqual(shown(await products('x.tar', archive, { selection: { stop: ['Tar'] } })), [
    ['', 'left-out', 'type Tar is left out (gatherer.stop)'],
  ]);
  assert.deepEqual(shown(await products('x.tar', archive, { selection: { allow: ['HTML'] } })), [
    ['a.html', 'HTML', 'A'],
    ['b.txt', 'left-out', 'type Text is left out (gatherer.allow)'],
  ]);
});

test('a document beside its source is left out, whichever comes first', async () => {
  const siblings = [{ drop: 'PostScript', beside: ['Troff', 'Tex'] }];
  const archive = tar({
    'doc/paper.ps': '%!PS-Adobe-2.0\n',
    'doc/paper.ms': '.TL\nOn bees\n',
    'other/paper.ps': '%!PS-Adobe-2.0\n',
  });
  const found = shown(await products('x.tar', archive, { siblings }));
  assert.deepEqual(
    found.map(([part, kind]) => [part, kind]),
    [
      ['doc/paper.ms', 'Troff'],
      ['doc/paper.ps', 'left-out'],
      ['other/paper.ps', 'PostScript'],
    ],
  );
});

test('a wrapper that cannot be opened is refused, and has the plain summary', async () => {
  const broken = gzipSync(tar({ a: 'x'.repeat(10_000) })).subarray(0, 20);
  const found = await products('broken.tar.gz', broken);
  assert.ok(found.some(({ kind }) => kind === 'refused'));
  const last = found.at(-1);
  assert.ok(last?.kind === 'summary' && last.part === '');
  assert.match(new Map(last.summary.attributes).get('Summary-Note') ?? '', /unpacked/);
});

test('wrappers stay packed when the operator says so', async () => {
  const archive = tar({ 'a.html': '<title>A</title>' });
  const unnest = { ...defaultPlan.unnest, open: false };
  assert.deepEqual(shown(await products('x.tar', archive, { unnest })), [['', 'Tar', 'x.tar']]);
});

test('a mailbox is taken apart, message by message', async () => {
  const mbox = [1, 2]
    .map((n) => `From ann@x Mon Jan  1 00:00:0${n} 1996\nFrom: ann@x\nSubject: Letter ${n}\n\nDear ${n}\n\n`)
    .join('');
  const found = shown(await products('letters.mbox', Buffer.from(mbox)));
  assert.deepEqual(
    found.map(([part, type]) => [part, type]),
    [
      ['1', 'Mail'],
      ['2', 'Mail'],
    ],
  );
});

test('a note keeps the name of a program as it is spelled', async () => {
  const failing = { type: 'Text', command: ['false'], mode: 'add', seconds: 60 } as const;
  const customise = { ...defaultPlan.customise, programs: [failing] };
  const [found] = await products('a.txt', Buffer.from('words'), { customise });
  assert.ok(found?.kind === 'summary');
  assert.match(new Map(found.summary.attributes).get('Summary-Note') ?? '', /^false failed: .*\.$/);
});

test('own types, own fields and rules are applied', async () => {
  const plan: Partial<PipelinePlan> = {
    types: { byUrl: [], byName: [{ pattern: '\\.recipe$', type: 'Recipe' }], byContent: [] },
    customise: {
      quickSum: [{ type: 'Recipe', attribute: 'Ingredient', pattern: '^- (.*)' }],
      programs: [],
      modules: [],
      rules: [
        { condition: 'Ingredient ~ /onions/', instructions: [{ kind: 'set', name: 'Tears', value: 'yes' }] },
        { condition: 'Type == "Text"', instructions: [{ kind: 'delete' }] },
      ],
      access: [{ name: 'cook', title: 'Cook it', url: 'http://cook.example/?u={url}' }],
    },
  };
  const [soup] = await products('soup.recipe', Buffer.from('Soup\n- onions\n- water\n'), plan);
  assert.ok(soup?.kind === 'summary');
  const values = new Map(soup.summary.attributes);
  assert.deepEqual(
    ['Ingredient', 'Tears', 'Access-Method'].map((name) => values.get(name)),
    ['onions\nwater', 'yes', 'cook http://cook.example/?u=http%3A%2F%2Fsite.example%2Fsoup.recipe Cook it'],
  );
  assert.deepEqual(shown(await products('a.txt', Buffer.from('words'), plan)), [
    ['', 'left-out', 'a rule deletes it (gatherer.rules)'],
  ]);
});

test('relative links of a page in an archive lead into the archive', async () => {
  const page = `<title>Page</title><a href="other page.html">a</a><a href="../up.html#x">b</a><a href="../../out.html">c</a>
    <a href="/root.html">d</a><a href="http://else.example/e">e</a><a href="//else.example/f">f</a><a href="page.html?x">g</a>
    <a href="sub/">h</a><a href="pictures/i(1).png">i</a><a href="mailto:a@b.example">j</a><a href="javascript:k()">k</a>`;
  const [first] = await products('all.tar', tar({ 'top/page.html': page }));
  assert.ok(first?.kind === 'summary');
  const { attributes, links } = first.summary;
  assert.deepEqual(new Map(attributes).get('URL-References')?.split('\n'), [
    `http://site.example/${partUrl('all.tar', 'top/other page.html')}`,
    'http://site.example/all.tar#up.html',
    'http://else.example/e',
    'http://else.example/f',
    'http://site.example/all.tar#top/sub/',
    `http://site.example/${partUrl('all.tar', 'top/pictures/i(1).png')}`,
    'mailto:a@b.example',
  ]);
  assert.deepEqual(links, ['http://else.example/e', 'http://else.example/f']);
  const based = await products(
    'all.tar',
    tar({ 'top/page.html': '<base href="../docs/"><a href="x">x</a>' }),
  );
  const [second] = based;
  assert.ok(second?.kind === 'summary');
  assert.equal(
    new Map(second.summary.attributes).get('URL-References'),
    'http://site.example/all.tar#docs/x',
  );
});
