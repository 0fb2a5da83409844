import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { GatheredBy, Listed } from '../../registry/index.ts';
import { registrationSettings } from '../../registry/settings.ts';
import { effectiveConfig } from '../config/config.ts';
import type { Output } from '../text/output.ts';
import { gatheredLine, noteGathered } from './already-gathered.ts';

/** A server as a Registry lists it. */
const found = (own: object, server: object = {}) =>
  ({
    ...{ relation: 'covers', place: 'https://e.example/', ...own },
    server: {
      ...{ serverId: 'a', type: 'GATHERER', name: 'Harbour', url: 'https://e.example/' },
      ...{ state: 'live', updatedAt: 0, ...server },
    },
  }) as unknown as Listed<GatheredBy>;

test('the command in a note is safe to copy, and a Registry sends no codes to the terminal', () => {
  const command = (url: string) => gatheredLine(found({}, { url }), 0).split('--collect ')[1];
  assert.equal(command('https://e.example/;touch$IFS/tmp/x'), "'wss://e.example/;touch$IFS/tmp/x'");
  assert.equal(command("http://e.example/';id;'"), "'ws://e.example/%27;id;%27'");
  const red = '\u001b[31m';
  for (const hostile of [
    found({}, { type: red }),
    found({}, { state: red }),
    found({}, { name: red }),
    found({ place: red }),
    found({}, { url: red }),
  ])
    assert.ok(!gatheredLine(hostile, 0).includes('\u001b'));
});

test('a server that gathers an address and has the same contents is noted once, and at most three are', async () => {
  const servers = [
    found({}),
    found({ relation: 'alike', share: 1 }),
    ...['own', 'b', 'c', 'd'].map((serverId) => found({}, { serverId, name: `Server ${serverId}` })),
  ];
  const registry = createServer((_request, response) => response.end(JSON.stringify({ servers })));
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const text = `server:\n  registry: ["http://127.0.0.1:${(registry.address() as AddressInfo).port}"]\n`;
  const notes: string[] = [];
  try {
    await noteGathered(['https://e.example/'], {
      config: effectiveConfig([registrationSettings], { file: { name: 'garner.yaml', text } }),
      run: {
        output: { note: (note: string) => notes.push(note) } as unknown as Output,
        typed: (line) => line.replace('garner ', 'npx garner '),
      },
      own: 'own' as Listed<GatheredBy>['server']['serverId'],
    });
  } finally {
    registry.closeAllConnections();
    await new Promise((resolve) => registry.close(resolve));
  }
  assert.deepEqual(
    notes.map((note) => /the gatherer (.*) gathers/.exec(note)?.[1]),
    ['Harbour', 'Server b', 'Server c'],
  );
  assert.match(notes[0] ?? '', /to collect from it: npx garner broker serve --collect 'wss:/);
});
