import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Handle, handleFrom, maxHops } from '../awareness/index.ts';
import { isGarnerError } from '../kernel/index.ts';
import type { ServerId } from '../soif/index.ts';
import { exchangeErrors } from './errors.ts';
import {
  decodePaths,
  encodePaths,
  type PathItem,
  pathsMessage,
  pathsStep,
  readPathsQuestion,
} from './path-codec.ts';

const serverOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url') as ServerId;
const server = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(serverOf);
const speaker = serverOf(new Uint8Array(16));
const handle = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(handleFrom);
const path = fc
  .uniqueArray(server, { maxLength: maxHops })
  .map((servers) => servers.filter((id) => id !== speaker));
const items = fc.uniqueArray(fc.record({ handle, path }, { noNullPrototype: true }), {
  selector: (item) => item.handle,
  maxLength: 40,
});
const byHandle = (a: PathItem, b: PathItem) => Buffer.compare(Buffer.from(a.handle), Buffer.from(b.handle));

test('paths are read as they were sent', () => {
  fc.assert(
    fc.property(items, (sent) => {
      const read = decodePaths({ type: 'paths', ...encodePaths(sent) }, speaker);
      assert.deepEqual([...read].sort(byHandle), [...sent].sort(byHandle));
    }),
  );
});

test('any bytes are read as paths or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 200 }), (servers, of) => {
      try {
        const read = decodePaths({ type: 'paths', servers, of }, speaker);
        assert.ok(read.length <= pathsStep);
        for (const { path: sent } of read) {
          assert.ok(sent.length <= maxHops);
          assert.equal(new Set(sent).size, sent.length);
        }
      } catch (error) {
        assert.ok(isGarnerError(error, exchangeErrors.EXCHANGE_MESSAGE), String(error));
      }
    }),
  );
});

test('a path that is too long, names a server twice or names its sender is refused', () => {
  const one = (sent: readonly ServerId[]) => [{ handle: 'h'.repeat(16) as Handle, path: sent }];
  const many = Array.from({ length: maxHops + 1 }, (_, i) => serverOf(new Uint8Array(16).fill(i + 1)));
  const again = [many[0] as ServerId, many[1] as ServerId, many[0] as ServerId];
  for (const sent of [many, again, [speaker]])
    assert.throws(() => decodePaths({ type: 'paths', ...encodePaths(one(sent)) }, speaker), {
      code: exchangeErrors.EXCHANGE_MESSAGE.code,
    });
  assert.equal(
    decodePaths({ type: 'paths', ...encodePaths(one(many.slice(0, maxHops))) }, speaker).length,
    1,
  );
});

test('a question is read as it was sent', () => {
  const tag = fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 }), { nil: undefined });
  const filter = fc.option(fc.string(), { nil: undefined });
  fc.assert(
    fc.property(fc.record({ tag, since: fc.nat(), filter }, { noNullPrototype: true }), (question) => {
      assert.deepEqual(readPathsQuestion(pathsMessage(question)), question);
    }),
  );
  for (const bad of [{ since: -1 }, { since: 1.5 }, { since: 1, filter: 7 }, { since: 1, tag: 'x' }])
    assert.throws(() => readPathsQuestion({ type: 'paths', ...bad }), {
      code: exchangeErrors.EXCHANGE_MESSAGE.code,
    });
});
