import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { GarnerError } from '../kernel/index.ts';
import { assertCpuMs } from '../kernel/testing/cpu-time.ts';
import { senseLine } from './damage-recovery.ts';
import { summaryObject } from './summary-object.ts';
import { SoifParser, type SoifParserOptions } from './text-parser.ts';
import { printObject } from './text-printer.ts';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));

interface Recovered {
  readonly urls: string[];
  readonly sections: (string | undefined)[];
  readonly faults: (readonly [code: string, byte: number, line: number])[];
}

/** Parse in recover mode, whole and byte by byte: both must agree. */
function recover(text: string, limits: SoifParserOptions['limits'] = {}): Recovered {
  const results = [text.length || 1, 1].map((step) => {
    const faults: Recovered['faults'] = [];
    const onFault = ({ code, data }: GarnerError) => {
      const { byte, line } = data as { byte: number; line: number };
      faults.push([code, byte, line]);
    };
    const parser = new SoifParser({ recover: true, onFault, limits });
    const items = [];
    for (let at = 0; at < text.length; at += step)
      items.push(...parser.push(bytesOf(text.slice(at, at + step))));
    items.push(...parser.end());
    assert.equal(parser.faults, faults.length);
    return {
      urls: items.map((item) => item.object.url),
      sections: items.map((item) => item.section),
      faults,
    };
  });
  assert.deepEqual(results[1], results[0]);
  return results[0] as Recovered;
}

// A value that would pass for the end of an object, another object, and the end of a section.
const bait =
  'joe@evil.example\n}\n@FILE { http://evil/\nTitle{1}:\tx\n}\n}\n@UPDATE {\n@FILE { http://evil/ }\nend}';
const object = (url: string, body = '') => `@FILE { ${url}\n${body}}\n`;
const sized = (name: string, value: string) => `${name}{${value.length}}:\t${value}\n`;

test('a wrong delimiter never makes the parser look inside the value', () => {
  for (const delimiter of [': ', '\t', ':', '', ':        ', ';\t', ' ', ':\n', ':\r\n', ' :\t', '::\t']) {
    const text =
      `@UPDATE {\n${object('http://a/')}` +
      `@FILE { http://b/\nFull-Text{${bait.length}}${delimiter}${bait}\n${sized('More', bait)}}\n` +
      `${object('http://c/', sized('Title', 'x'))}}\n`;
    const { urls, sections, faults } = recover(text);
    assert.deepEqual(urls, ['http://a/', 'http://c/'], JSON.stringify(delimiter));
    assert.deepEqual(sections, ['update', 'update']);
    assert.deepEqual(
      faults.map(([code]) => code),
      ['SOIF_DELIMITER'],
    );
  }
});

test('values of a discarded object are skipped by count, whatever damaged it', () => {
  const after = sized('Full-Text', bait);
  for (const [damage, code] of [
    ['nonsense\n', 'SOIF_ATTRIBUTE'],
    ['A{}:\tx\n', 'SOIF_ATTRIBUTE'],
    ['My Title{3}:\tabc\n', 'SOIF_ATTRIBUTE'],
    ['A{1}:\txyz\n', 'SOIF_ATTRIBUTE'],
    ['}junk{\n', 'SOIF_SECTION'],
    [`${'n'.repeat(300)}{${bait.length}}:\t${bait}\n`, 'SOIF_TOO_LARGE'],
    [`A{2000}:\t${'@FILE { http://evil/ }\n'.repeat(100).slice(0, 2000)}\n`, 'SOIF_TOO_LARGE'],
    ['@\n', 'SOIF_UNCLOSED'],
    [' Embed<1>-Embed<2>-Embed<3>-A{1}:\tx\n', 'SOIF_TOO_LARGE'],
  ] as const) {
    const text = `@UPDATE {\n@FILE { http://b/\n${damage}${after}}\n${object('http://c/')}}\n${object('http://d/')}`;
    const { urls, faults } = recover(text, { maxValueBytes: 1000, maxDepth: 2 });
    assert.deepEqual(urls.at(-2), 'http://c/', damage);
    assert.ok(!urls.includes('http://evil/'), damage);
    assert.equal(urls.at(-1), 'http://d/');
    assert.deepEqual([faults.length, faults[0]?.[0]], [1, code], damage);
  }
});

test('a missing URL costs its object alone', () => {
  const { urls, faults } = recover(
    `@FILE {\n${sized('Full-Text', bait)}}\n${object('http://c/')}@FILE { }\n@X { d }`,
  );
  assert.deepEqual(urls, ['http://c/', 'd']);
  assert.deepEqual(
    faults.map(([code]) => code),
    ['SOIF_URL', 'SOIF_URL'],
  );
});

test('an object that is not closed gives way to the next', () => {
  assert.deepEqual(recover(`@X { a\n${sized('T', 'x')}${object('b')}`).urls, ['b']);
  assert.deepEqual(recover(`@X { a\n@X { b\n@X { c }`).urls, ['c']);
});

test('a size that overshoots eats into the next object but opens nothing false', () => {
  const text = `@X { a\nT{12}:\tshort\n}\n${object('b', sized('Full-Text', bait))}${object('c')}`;
  const { urls, faults } = recover(text);
  assert.deepEqual(urls, ['c']);
  assert.equal(faults.length, 1);
});

test('sections last through faults, and end when they close or another opens', () => {
  const bad = '@FILE { b\nA: x\n}\n';
  assert.deepEqual(recover(`@DELETE {\n${bad}${object('c')}}\n${object('d')}`).sections, [
    'delete',
    undefined,
  ]);
  assert.deepEqual(recover(`@DELETE {\n${bad}}\n${object('d')}`).sections, [undefined]);
  assert.deepEqual(recover(`@DELETE {\n${bad}}\n@UPDATE {\n${object('d')}}`), {
    urls: ['d'],
    sections: ['update'],
    faults: [['SOIF_ATTRIBUTE', 22, 3]],
  });
  assert.deepEqual(recover(`@DELETE {\n${object('c')}@UPDATE {\n${object('d')}}`), {
    urls: ['c', 'd'],
    sections: ['delete', 'update'],
    faults: [['SOIF_SECTION', 30, 4]],
  });
  assert.deepEqual(recover(`@DELETE {\nhttp://lost/\n}\n${object('d')}`).sections, ['delete']);
});

test('faults carry the exact byte and line after a recovery', () => {
  const text = `@X { a\nA{3}:\t\n\n\n\nB{1}: x\n}\n${object('b')}@X { c\nD: x\n}\n`;
  assert.deepEqual(recover(text).faults, [
    ['SOIF_DELIMITER', text.indexOf(': x') + 1, 6],
    ['SOIF_ATTRIBUTE', text.indexOf('D: x') + 2, 11],
  ]);
});

test('a cut stream reports one fault', () => {
  const text = `@UPDATE {\n${object('a', sized('T', bait))}}\n`;
  for (let end = 1; end < text.length - 2; end++) {
    const { faults, urls } = recover(text.slice(0, end));
    assert.deepEqual([faults.length, faults[0]?.[0], faults[0]?.[1]], [1, 'SOIF_TRUNCATED', end]);
    assert.ok(urls.every((url) => url === 'a'));
  }
});

test('one changed byte in a name or delimiter never brings a false object', () => {
  const victim = summaryObject('http://victim/', [
    ['Title', 'x'],
    ['Full-Text', bait],
    ['Abstract', bait],
  ]);
  const text = Buffer.from(printObject(victim)).toString('latin1');
  const places = [...text.matchAll(/^(?:Full-Text|Abstract)\{\d+\}:\t/gm)].flatMap((match) =>
    [...match[0]].flatMap((character, at) => (/[0-9{}]/.test(character) ? [] : [match.index + at])),
  );
  const next = object('http://next/');
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.integer({ min: 0, max: 255 }), (place, byte) => {
      const character = String.fromCharCode(byte);
      // Digits and braces may change a size or close the object: there the text itself changes its meaning.
      fc.pre(!/[0-9{}]/.test(character));
      const { urls } = recover(`${text.slice(0, place)}${character}${text.slice(place + 1)}${next}`);
      assert.deepEqual(
        urls.filter((url) => url !== 'http://victim/'),
        ['http://next/'],
      );
    }),
    { numRuns: 1000 },
  );
});

test('lines are judged in time proportional to their length', async () => {
  const hostile = ['a', ' ', '{', '}', '@', '1', '{1', '} ', 'a{', '@a{ a', '{1}:', '\t@ {'];
  for (const piece of hostile)
    for (const end of ['', 'x', '{', '}', '"', ' b']) {
      const line = piece.repeat(200_000 / piece.length) + end;
      const senseAll = () => {
        senseLine(line, true);
        senseLine(`@A { ${line}`, true);
        senseLine(`} ${line}`, true);
      };
      await assertCpuMs(1000, senseAll, `${JSON.stringify(piece)} ${JSON.stringify(end)}`);
    }
});
