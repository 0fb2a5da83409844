import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSoif, type SoifCheckSummary, type SoifFinding } from './check.ts';

async function check(text: string): Promise<{ findings: SoifFinding[]; summary: SoifCheckSummary }> {
  const findings: SoifFinding[] = [];
  let summary: SoifCheckSummary | undefined;
  for await (const result of checkSoif([Buffer.from(text, 'latin1')])) {
    assert.equal(summary, undefined, 'the summary comes last');
    if (result.kind === 'summary') summary = result;
    else findings.push(result);
  }
  assert.ok(summary);
  return { findings, summary };
}

const clean =
  '@FILE { http://h/\nUpdate-Time{1}:\t1\nMD5{32}:\t0123456789abcdef0123456789ABCDEF\nTitle{3}:\ta\xc3\xa9\n' +
  'Author-1{1}:\ta\nAuthor-2{1}:\tb\nEditor{1}:\ta\nEditor-2{1}:\tb\nEmbed<1>-Title{1}:\tx\n}\n';

test('a clean stream has no findings, only counts', async () => {
  const text = `@DELETE {\n@FILE { a }\n}\n@REFRESH { @FILE { b } }\n@UPDATE {\n${clean}${clean}}\n${clean}`;
  const { findings, summary } = await check(text);
  assert.deepEqual(findings, []);
  assert.deepEqual(summary, {
    kind: 'summary',
    objects: 5,
    sections: { delete: 1, refresh: 1, update: 2, none: 1 },
    bytes: text.length,
    junkBytes: 0,
    faults: 0,
    warnings: 0,
  });
});

const warnings: readonly [attribute: string, code: string][] = [
  ['Update-Time{4}:\tsoon', 'number'],
  ['Time-to-Live{2}:\t-1', 'number'],
  ['Embed<1>-File-Size{0}:\t', 'number'],
  ['MD5{3}:\tabc', 'md5'],
  ['MD5{33}:\t0123456789abcdef0123456789abcdef0', 'md5'],
  ['Title{1}:\t\xe9', 'utf-8'],
  ['Author-1{1}:\t\xe9', 'utf-8'],
  ['Chapter-7{1}:\tx', 'multi-value'],
  ['DC.Title{1}:\tx', 'name'],
  ['Embed<x>-Title{1}:\tx', 'name'],
];

for (const [attribute, code] of warnings)
  test(`a warning about ${JSON.stringify(attribute)} names its place`, async () => {
    const text = `@X { u\n${code === 'number' && /^Update/.test(attribute) ? '' : 'Update-Time{1}:\t1\n'}B{2}:\t\n\n\n${attribute}\n}`;
    const { findings, summary } = await check(text);
    const byte = text.indexOf(attribute);
    const line = text.slice(0, byte).split('\n').length;
    const multi = attribute.startsWith('Author-1') ? ['multi-value'] : [];
    assert.deepEqual(
      findings.map((finding) => [finding.kind, finding.code, finding.byte, finding.line, finding.url]),
      [code, ...multi].map((each) => ['warning', each, byte, line, 'u']),
    );
    assert.equal(summary.warnings, findings.length);
    assert.equal(summary.faults, 0);
    assert.match(findings[0]?.message ?? '', /^[A-Z].*\.$/);
  });

test('a missing Update-Time, a repeated name and foreign bytes are warnings', async () => {
  const text = 'hello\n@X { u\nA{1}:\tx\na{1}:\ty\n}';
  const { findings, summary } = await check(text);
  assert.deepEqual(
    findings.map((finding) => [finding.code, finding.byte, finding.line]),
    [
      ['junk', 0, 1],
      ['update-time', 6, 2],
      ['repeated', 21, 4],
    ],
  );
  assert.equal(summary.junkBytes, 6);
});

test('faults come in order with byte, line and a sentence, and checking goes on', async () => {
  const text = `${clean}@FILE { bad\nTitle{1}: x\n}\n${clean}@FILE { cut\nTitle{9}:\tx`;
  const { findings, summary } = await check(text);
  const delimiter = text.indexOf(': x') + 1;
  assert.deepEqual(
    findings.map((finding) => [finding.kind, finding.code, finding.byte, finding.line]),
    [
      ['fault', 'SOIF_DELIMITER', delimiter, 12],
      ['fault', 'SOIF_TRUNCATED', text.length, text.split('\n').length],
    ],
  );
  assert.match(
    findings[0]?.message ?? '',
    new RegExp(`^Title has a space between .* \\(line 12, byte ${delimiter}\\)\\.$`),
  );
  assert.deepEqual([summary.objects, summary.faults], [2, 2]);
});
