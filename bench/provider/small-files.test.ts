import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { smallText } from './small-files.ts';

test('a small text has the requested number of bytes, and two texts differ', () => {
  const random = seededRandom(1);
  const [one, other] = [smallText(1024, random), smallText(1024, random)];
  assert.equal(Buffer.byteLength(one), 1024);
  assert.notEqual(one, other);
  assert.match(one, /^[a-z]+( |\.\n)[a-z]/);
  assert.equal(smallText(0, random), '');
});
