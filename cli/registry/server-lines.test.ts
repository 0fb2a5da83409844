import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerEntry } from '../../registry/index.ts';
import { serverLines } from './server-lines.ts';

test('the list of a Registry sends no codes to the terminal, whatever attribute has them', () => {
  const server = {
    ...{ type: 'BROKER', name: 'Harbour', url: 'https://e.example/', software: '', topic: '', state: 'live' },
    ...{ age: 1, backlog: 0, links: { live: 0, late: 0, broken: 0 }, proof: 'proved' },
  };
  assert.match(serverLines([server as unknown as ServerEntry]), /^ {2}broker +Harbour {2}https:.*proved$/);
  for (const field of ['type', 'name', 'url', 'software', 'topic', 'state', 'age', 'proof']) {
    const hostile = { ...server, [field]: '\u001b[31m' } as unknown as ServerEntry;
    assert.ok(!serverLines([hostile]).includes('\u001b'), field);
  }
});
