import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import fc from 'fast-check';
import { Frontier } from './frontier.ts';
import { UrlSet } from './url-set.ts';

const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('garner-frontier-'));

test('first in, first out, with any memory limit, and nothing stays on disk', async () => {
  const before = folders().length;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 9 }),
      fc.array(fc.boolean(), { maxLength: 120 }),
      async (inMemory, steps) => {
        await using frontier = new Frontier(inMemory);
        const model: number[] = [];
        let next = 0;
        for (const push of steps) {
          if (push) {
            model.push(next);
            await frontier.push({ url: `u${next}`, depth: next });
            next += 1;
          } else assert.equal((await frontier.shift())?.depth, model.shift());
          assert.equal(frontier.size, model.length);
        }
        while (model.length > 0) assert.equal((await frontier.shift())?.depth, model.shift());
        assert.equal(await frontier.shift(), undefined);
      },
    ),
  );
  {
    await using frontier = new Frontier(4);
    for (let depth = 0; depth < 50; depth += 1) await frontier.push({ url: 'u', depth });
    assert.ok(frontier.spills > 10);
  }
  assert.ok(folders().length <= before);
});

test('a set of URLs', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 }), { maxLength: 300 }), (urls) => {
      const set = new UrlSet();
      const model = new Set<string>();
      for (const url of urls) {
        assert.equal(set.has(url), model.has(url));
        assert.equal(set.add(url), !model.has(url));
        model.add(url);
      }
      assert.equal(set.size, model.size);
    }),
  );
  const large = new UrlSet();
  for (let index = 0; index < 20_000; index += 1) assert.ok(large.add(`http://h/${index}`));
  for (let index = 0; index < 20_000; index += 1) assert.ok(large.has(`http://h/${index}`));
  assert.equal(large.has('http://h/x'), false);
  assert.equal(large.size, 20_000);
});
