import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, seededRandom, systemClock } from '../../../kernel/index.ts';
import {
  attributeText,
  digestOf,
  encodeObject,
  oidOf,
  parseSoif,
  provenanceBytes,
  summaryObject,
} from '../../../soif/index.ts';
import { type DataFolder, openDataFolder } from '../../../store/index.ts';
import { ClassicStream } from '../../publish/classic-stream.ts';
import { classicSource } from './classic-store.ts';
import { GatherdClient } from './gatherd-client.ts';
import { serveGatherd } from './gatherd-server.ts';

const clock = new ManualClock();
const seconds = () => Math.floor(clock.now() / 1000);

const gatherer = {
  name: 'g',
  host: 'x.org',
  port: 8500,
  version: '1',
  ttlSeconds: 3600,
  refreshSeconds: 60,
  clock,
};

async function put(folder: DataFolder, url: string, title: string): Promise<void> {
  const { identity, store } = folder;
  const updatedAt = seconds();
  const object = summaryObject(url, [
    ['Title', title],
    ['Update-Time', updatedAt],
  ]);
  const oid = oidOf(identity.serverId, url);
  const digest = digestOf(object);
  const signature = identity.sign(provenanceBytes(oid, digest, updatedAt));
  const published = {
    oid,
    digest,
    body: encodeObject(object),
    updatedAt,
    publisher: identity.serverId,
    signature,
  };
  await store.apply([{ kind: 'put', object: published, url, ttlSeconds: 3600 }]);
}

async function sections(chunks: AsyncIterable<Uint8Array>): Promise<string[]> {
  const found: string[] = [];
  for await (const { section, object } of parseSoif(chunks))
    found.push(`${section} ${object.url} ${attributeText(object, 'Title') ?? ''}`.trim());
  return found.sort();
}

test('a production store is collected whole, by its changes, and object by object', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-gatherd-'));
  try {
    await using folder = await openDataFolder(path, {
      role: 'gatherer',
      clock,
      random: seededRandom(1),
      create: true,
    });
    await using stream = await ClassicStream.open(folder);
    await put(folder, 'http://x.org/1', 'One');
    await put(folder, 'http://x.org/2', 'Two');
    await using server = await serveGatherd({
      source: classicSource(folder, stream, gatherer),
      name: 'g',
      clock: systemClock,
      port: 0,
    });
    await using client = await GatherdClient.connect({
      host: '127.0.0.1',
      port: server.port,
      clock: systemClock,
    });
    const everything = ['update http://x.org/1 One', 'update http://x.org/2 Two'];
    assert.deepEqual(await sections(client.updates(0)), everything);
    await client.compress();
    assert.deepEqual(await sections(client.updates(0)), everything);
    clock.advance(10_000);
    const since = seconds();
    await put(folder, 'http://x.org/2', 'Two again');
    await folder.store.apply([{ kind: 'delete', oid: oidOf(folder.identity.serverId, 'http://x.org/1') }]);
    assert.deepEqual(await sections(client.updates(since)), [
      'delete http://x.org/1',
      'update http://x.org/2 Two again',
    ]);
    assert.deepEqual(await sections(client.updates(since + 1)), []);
    const oid = oidOf(folder.identity.serverId, 'http://x.org/2');
    assert.equal(attributeText(await client.info(), 'Gatherer-Port'), '8500');
    for (const id of [oid, 'http://x.org/2'])
      assert.equal(attributeText(await client.object(id), 'Title'), 'Two again');
    assert.deepEqual(await sections(client.updates(0)), ['update http://x.org/2 Two again']);
  } finally {
    await rm(path, { recursive: true });
  }
});
