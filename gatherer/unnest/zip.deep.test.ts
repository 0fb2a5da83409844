import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipEntries } from '../../readers/archives/index.ts';
import { knownWords, made, missing } from '../testing/sample-archives.ts';

async function contents(bytes: Uint8Array): Promise<(readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  for await (const entry of zipEntries(bytes, 1 << 20))
    found.push([entry.name, Buffer.from(await entry.read(1 << 20)).toString()]);
  return found;
}

const command = 'zip -q x.zip t/README; mv x.zip out';
const whole = [['t/README', knownWords]];

test('bytes before an archive, behind it, and both', async (t) => {
  const reason = missing(['zip']);
  if (reason !== undefined) return t.skip(reason);
  const bytes = made(command);
  const [before, behind] = [
    Buffer.from('#!/bin/sh\nexit\n'),
    Buffer.from('\r\n<!-- sent by a server PK\x05\x06 -->'),
  ];
  for (const sample of [
    Buffer.concat([before, bytes]),
    Buffer.concat([bytes, behind]),
    Buffer.concat([before, bytes, behind]),
  ])
    assert.deepEqual(await contents(sample), whole);
});

test('a comment behind the directory, and a directory that lies about its size', async (t) => {
  const reason = missing(['zip']);
  if (reason !== undefined) return t.skip(reason);
  assert.deepEqual(
    await contents(made(`zip -q x.zip t/README; echo comment | zip -qz x.zip; mv x.zip out`)),
    whole,
  );
  const lies = Buffer.from(made(command));
  lies.writeUInt32LE(7, lies.length - 10);
  assert.deepEqual(await contents(lies), whole);
});

test('without its directory an archive is read by the headers of its entries, and says so', async (t) => {
  const reason = missing(['zip']);
  if (reason !== undefined) return t.skip(reason);
  const bytes = made(command);
  const found: string[] = [];
  const read = async () => {
    for await (const entry of zipEntries(bytes.subarray(0, bytes.length - 20), 1 << 20))
      found.push(Buffer.from(await entry.read(1 << 20)).toString());
  };
  await assert.rejects(read, /directory at the end is missing/);
  assert.deepEqual(found, [knownWords]);
});
