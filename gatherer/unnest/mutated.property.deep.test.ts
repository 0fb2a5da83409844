import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../kernel/index.ts';
import { made, missing, unnestedDeep } from '../testing/sample-archives.ts';
import { UnnestBudget } from './budget.ts';
import { explode } from './explode.ts';
import { listMembers } from './listing.ts';
import { isMember } from './member.ts';
import { unnest } from './unnest.ts';
import { unnestableTypes } from './wrapper-format.ts';

const limits = { maxTotalBytes: 8 * 1024 * 1024, maxMemberBytes: 1024 * 1024, maxMembers: 500 };

// 7z is left out: each run would start a program.
const samples: readonly (readonly [name: string, programs: readonly string[], command: string])[] = [
  ['a.tar', ['tar'], 'tar cf out t/README t/link'],
  ['pax.tar', ['tar'], 'tar --format=pax -cf out t/README t/link'],
  ['a.tgz', ['tar', 'gzip'], 'tar czf out t'],
  ['a.tar.xz', ['tar', 'xz'], 'tar cJf out t'],
  ['a.zip', ['zip'], 'zip -qry x.zip t; mv x.zip out'],
  ['a.cpio', ['cpio'], 'find t | cpio -o -H newc > out'],
  ['bin.cpio', ['cpio'], 'find t | cpio -o -H bin > out'],
  ['a.ar', ['ar'], 'cp t/README a-name-longer-than-sixteen; ar rc out a-name-longer-than-sixteen t/README'],
  ['a.shar', ['shar'], 'shar -z t/README > out'],
  ['a.uu', ['uuencode'], 'uuencode t/README README > out'],
  ['a.hqx', ['binhex'], 'cd t; binhex -d README > ../out'],
];

async function readEverything(type: string, bytes: Uint8Array, name: string): Promise<void> {
  let total = 0;
  for await (const found of unnest(type, bytes, name, new UnnestBudget(bytes.length, limits))) {
    if (isMember(found)) {
      total += found.bytes.length;
      assert.ok(found.bytes.length <= limits.maxMemberBytes);
      assert.match(found.path, /^(?!\/)(?!.*(?:^|\/)\.\.?(?:\/|$))[^\0\\]+$/s);
    } else
      assert.ok(isGarnerError(found.error) && found.error.code.startsWith('UNNEST_'), String(found.error));
  }
  assert.ok(total <= limits.maxTotalBytes);
  const listing = await listMembers(type, bytes, name, { maxListed: 100, ...limits });
  assert.ok(listing === undefined || listing.members.length <= 100);
}

for (const [name, programs, command] of samples)
  test(`${name} with bytes changed, lost or doubled: members or typed refusals, within the budget`, async (t) => {
    const reason = missing(programs);
    if (reason !== undefined) return t.skip(reason);
    const whole = Buffer.from(made(command));
    // Changes are most effective in headers, which are a small part of the file.
    const place = fc.oneof(fc.nat(Math.min(1100, whole.length - 1)), fc.nat(whole.length - 1));
    const change = fc.tuple(place, fc.nat(255), fc.constantFrom('set', 'cut', 'double'));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
        let bytes = Buffer.from(whole);
        for (const [at, value, how] of changes) {
          if (how === 'set' && bytes.length > 0) bytes[at % bytes.length] = value;
          else if (how === 'cut') bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + value)]);
          else bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - value))]);
        }
        await readEverything(name.endsWith('.shar') ? 'ShellArchive' : 'Archive', bytes, name);
      }),
      { numRuns: 120 },
    );
  });

const beginnings = [
  'PK\x03\x04',
  'PK\x05\x06',
  '!<arch>\n',
  '070701',
  '070707',
  '\xc7\x71',
  '\xed\xab\xee\xdb',
  '#!/bin/sh\n# This is a shell archive\ncat << X > y\n',
  'begin 644 x\n',
  '(This file must be converted with BinHex 4.0)\n\n:',
  'Content-Type: multipart/mixed; boundary=x\n\n--x\n',
  '',
];

test('any bytes as any type: members or typed refusals', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...[...unnestableTypes].sort()),
      fc.constantFrom(...beginnings),
      fc.oneof(
        fc.uint8Array({ maxLength: 600 }),
        fc.string({ maxLength: 600 }).map((text) => Buffer.from(text)),
      ),
      async (type, beginning, bytes) => {
        await readEverything(type, Buffer.concat([Buffer.from(beginning, 'latin1'), bytes]), 'x');
      },
    ),
    { numRuns: 500 },
  );
});

test('any bytes as a file of many objects: records with different names', async () => {
  const lines = fc.constantFrom(
    'From a@b Sat Nov 21 11:13:50 2026',
    'Content-Length: 12',
    '',
    '>From x',
    '@article{a,',
    ' title = {x} # "y" # jan,',
    '}',
    '@string{a = "b"}',
    'TY  - JOUR',
    'ID  - a',
    'ER  - ',
    '{"a": 1}',
    'a,"b',
    '"',
  );
  const text = fc.array(fc.oneof(lines, fc.string({ maxLength: 30 })), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('mbox', 'bibtex', 'ris', 'jsonl', 'csv'),
      text,
      async (format, parts) => {
        const bytes = Buffer.from(parts.join('\n'));
        const paths: string[] = [];
        for await (const record of explode(format, bytes, 'x', new UnnestBudget(bytes.length)))
          if ('bytes' in record) paths.push(record.path);
        assert.equal(new Set(paths).size, paths.length);
      },
    ),
    { numRuns: 500 },
  );
});

test('a nest with bytes changed is walked to its end', async (t) => {
  const reason = missing(['tar', 'gzip', 'zip']);
  if (reason !== undefined) return t.skip(reason);
  const whole = Buffer.from(made('tar czf x.tgz t; zip -q0 x.zip x.tgz t/README; tar cf out x.zip t/README'));
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, value) => {
      const bytes = Buffer.from(whole);
      bytes[at] = value;
      let found = 0;
      for await (const one of unnestedDeep(bytes, 'a.tar', new UnnestBudget(bytes.length, limits)))
        found += one.code === '' ? 1 : 0;
      assert.ok(found <= limits.maxMembers);
    }),
    { numRuns: 100 },
  );
});
