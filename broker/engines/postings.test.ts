import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { termsOf, wordOf } from '../../query/index.ts';
import { bestOf } from './best-scores.ts';
import { intersect, seek, subtract, unite, uniteAll } from './doc-set.ts';
import { impactSlot, inverseFrequency, slotWeight } from './impact.ts';
import { pieces } from './index-fields.ts';
import type { Segment } from './index-state.ts';
import { planMerge } from './merge-plan.ts';
import { Pacing } from './pacing.ts';
import { PostingCache } from './posting-cache.ts';
import { resolution } from './posting-codec.ts';
import { TokenLists } from './token-lists.ts';
import { WrittenWords } from './written-words.ts';

const docno = fc.oneof(fc.nat(300), fc.nat(0xffff_fffe));
const docnos = fc.uniqueArray(docno, { maxLength: 60 }).map((all) => all.sort((a, b) => a - b));

test('tokens are sorted by term and keep their objects and places', async () => {
  const texts = fc.array(fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 12 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(texts, async (objects) => {
      const gap = 6;
      const lists = new TokenLists(gap);
      for (const [index, tokens] of objects.entries()) {
        lists.begin(7 + 2 * index);
        for (const token of tokens) {
          if (token < 0) lists.endValue();
          else lists.push(token);
        }
        const said = tokens.filter((token) => token >= 0);
        assert.equal(lists.lastLength, said.length);
      }
      const sorted = await lists.sorted(gap + 1, new Pacing(1000));
      for (let term = 0; term <= gap; term++) {
        const seen: [number, number[]][] = [];
        sorted.visit(term, ({ docno: number, offsets, from, to, origin }) => {
          seen.push([number, Array.from(offsets.subarray(from, to), (offset) => offset - origin)]);
        });
        const expected = objects.flatMap((tokens, index): [number, number[]][] => {
          const values = withGaps(tokens, gap);
          const places = values.flatMap((token, place) => (token === term ? [place] : []));
          return places.length === 0 ? [] : [[7 + 2 * index, places]];
        });
        assert.deepEqual(seen, expected);
        assert.equal(sorted.occurrences(term), expected.flatMap(([, places]) => places).length);
      }
    }),
  );
});

/** What stands in one object: a gap between two values that have tokens. */
function withGaps(tokens: readonly number[], gap: number): number[] {
  const values: number[][] = [[]];
  for (const token of tokens) {
    if (token < 0) values.push([]);
    else values.at(-1)?.push(token);
  }
  return values
    .filter((value) => value.length > 0)
    .flatMap((value, index) => (index === 0 ? value : [gap, ...value]));
}

test('set algebra is what sets say', () => {
  fc.assert(
    fc.property(docnos, docnos, docno, (a, b, wanted) => {
      const [left, right] = [Uint32Array.from(a), Uint32Array.from(b)];
      const sorted = (values: Iterable<number>) => [...new Set(values)].sort((x, y) => x - y);
      assert.deepEqual(
        [...intersect(left, right)],
        a.filter((value) => b.includes(value)),
      );
      assert.deepEqual([...unite(left, right)], sorted([...a, ...b]));
      const many = Uint32Array.from({ length: 17 * (a.length + 1) }, (_, at) => 3 * at);
      assert.deepEqual([...unite(left, many)], sorted([...a, ...many]));
      assert.deepEqual(
        [...uniteAll([left, right, left, Uint32Array.of(wanted)])],
        sorted([...a, ...b, wanted]),
      );
      assert.deepEqual(
        [...subtract(left, right)],
        a.filter((value) => !b.includes(value)),
      );
      const at = seek(left, wanted, 0);
      assert.equal(at, a.filter((value) => value < wanted).length);
    }),
  );
});

test('the best are those a full sort puts first', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 200 }), fc.nat(220), (scores, count) => {
      const expected = scores
        .map((_, index) => index)
        .sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
      assert.deepEqual([...bestOf(Float64Array.from(scores), count)], expected.slice(0, count));
    }),
  );
});

test('impacts fall with length and rise with frequency; rare terms weigh more', () => {
  const weight = (frequency: number, length: number) =>
    slotWeight[impactSlot(frequency, length, 100)] as number;
  assert.ok(weight(5, 100) > weight(1, 100));
  assert.ok(weight(2, 50) > weight(2, 2000));
  assert.ok(inverseFrequency(1000, 1) > inverseFrequency(1000, 500));
  assert.ok(inverseFrequency(10, 20) > 0);
  for (const [frequency, length] of [
    [1, 1],
    [1e6, 1e6],
    [1, 1e9],
  ] as const) {
    const slot = impactSlot(frequency, length, 100);
    assert.ok(slot >= 0 && slot < resolution);
  }
});

test('a long text is read in pieces without losing a word or a position', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a ', 'c++ ', '東京', 'word', '\n', ' '), { maxLength: 50 }),
      (unit) => {
        const text = unit.join('').repeat(2_000);
        assert.equal([...pieces(text)].join(''), text);
        assert.deepEqual(
          [...pieces(text)].flatMap((piece) => termsOf(piece)),
          termsOf(text),
        );
      },
    ),
    { numRuns: 20 },
  );
});

test('the cache forgets the least recently used and stays within its bytes', () => {
  const cache = new PostingCache<string>(3_000, (value) => value.length);
  for (const key of ['a', 'b', 'c']) cache.set(key, 'x'.repeat(700));
  assert.equal(cache.get('a')?.length, 700);
  cache.set('d', 'x'.repeat(700));
  assert.equal(cache.get('b'), undefined);
  assert.equal(cache.get('a')?.length, 700);
  cache.set('huge', 'x'.repeat(4_000));
  assert.equal(cache.get('huge'), undefined);
  assert.ok(cache.bytes <= 3_000);
  for (const key of ['a', 'c', 'd']) cache.delete(key);
  assert.equal(cache.bytes, 0);
});

test('merging keeps segments few and rewrites each byte a few times', () => {
  let segments: Segment[] = [];
  let id = 0;
  let written = 0;
  let most = 0;
  const changes = 20_000;
  for (let change = 0; change < changes; change++) {
    segments.push({ id: id++, from: change, to: change, docs: 1, dead: 0, bytes: 10_000 });
    for (let chosen = planMerge(segments); chosen.length > 0; chosen = planMerge(segments)) {
      const at = segments.indexOf(chosen[0] as Segment);
      assert.deepEqual(segments.slice(at, at + chosen.length), chosen, 'neighbours');
      const sum = (of: (segment: Segment) => number) =>
        chosen.reduce((total, segment) => total + of(segment), 0);
      const merged = {
        id: id++,
        from: chosen[0]?.from ?? 0,
        to: chosen.at(-1)?.to ?? 0,
        docs: sum(({ docs }) => docs),
        dead: 0,
        bytes: sum(({ bytes }) => bytes),
      };
      written += merged.bytes;
      segments = [...segments.slice(0, at), merged, ...segments.slice(at + chosen.length)];
    }
    most = Math.max(most, segments.length);
  }
  assert.ok(most <= 40, `${most} segments`);
  assert.ok(written / (changes * 10_000) < 8, `each byte was written ${written / (changes * 10_000)} times`);
  const single = (id: number): Segment => ({ id, from: id, to: id, docs: 1, dead: 0, bytes: 10_000 });
  const changed = Array.from({ length: 16 }, (_, id) => single(id));
  assert.deepEqual(planMerge(changed.slice(1)), [], 'single changes wait until there are many');
  assert.deepEqual(planMerge(changed), changed);
  const worn: Segment = { id: 1, from: 1, to: 100, docs: 100, dead: 70, bytes: 1 };
  assert.deepEqual(planMerge([worn]), [worn]);
  assert.deepEqual(planMerge([{ ...worn, dead: 30 }]), []);
});

test('words are numbered where they stand as they are when they are read', () => {
  const word = fc.oneof(
    fc.constantFrom(
      'Apache',
      'APACHE',
      'apache',
      'c++',
      'C#',
      'x'.repeat(48),
      'X'.repeat(49),
      'y'.repeat(70),
    ),
    fc.stringMatching(/^[a-zA-Z0-9]{1,4}$/),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 3000 }), (words) => {
      const numbers = new WrittenWords();
      const made: string[] = [];
      const make = (name: string) => {
        const known = made.indexOf(name);
        return known >= 0 ? known : made.push(name) - 1;
      };
      const text = words.join(' ');
      let at = 0;
      for (const one of words) {
        assert.equal(made[numbers.number(text, at, at + one.length, make)], wordOf(one));
        at += one.length + 1;
      }
      assert.equal(new Set(made).size, made.length);
    }),
    { numRuns: 30 },
  );
  // More words than the table has places at first.
  const many = Array.from({ length: 20_000 }, (_, at) => `w${at}`);
  const numbers = new WrittenWords();
  for (const again of [false, true])
    for (const [at, one] of many.entries())
      assert.equal(
        numbers.number(one, 0, one.length, () => (again ? -1 : at)),
        at,
      );
});
